// SPDX-License-Identifier: GPL-3.0-or-later
//! Training that rounds computes what the integers compute.

use std::sync::Arc;

use nnue::{Level, Network};
use rules::Color;
use trainer::{Backend, Cpu, Dataset, Layout, LossSpec, export};

use crate::{positions, shapes};

/// A sum of integers that is exactly 1 passes no slope on, though as a float it is a little less.
#[test]
fn a_sum_of_exactly_one_passes_nothing_on() {
    let layout = shapes::layout("Piece", false, |arch| arch.hidden = vec![8]);
    let records: Vec<_> =
        positions::records(500, 41).into_iter().filter(|r| r.pieces().count() == 32).collect();
    let one = layout.tensors[Layout::BIAS].quantum;
    // 32 pieces: bias and rows that add up to 1 as integers, and to less as floats.
    let sum = |row: f32, bias: f32| (0..32).fold(bias / one, |sum, _| sum + row / one);
    let (row, bias) = (1..=3)
        .map(|row| (row as f32, one - 32.0 * row as f32))
        .find(|&(row, bias)| sum(row, bias) < 1.0)
        .unwrap();
    let mut state = shapes::start(&layout, 1, 23);
    state.numbers[Layout::ROWS].fill(row / one);
    state.numbers[Layout::BIAS].fill(bias / one);
    let data = Arc::new(Dataset::from_records(records, 5));
    let size = data.samples() as usize;
    let passed = |rounded: bool| {
        let mut cpu = Cpu::new(layout.clone(), data.clone(), &state, size, 1, rounded).unwrap();
        cpu.step(&shapes::step(&layout, &shapes::descent(), &LossSpec::default(), 0, size, 1e-3)).unwrap();
        cpu.state().unwrap().slots[0][Layout::ROWS].iter().any(|&slope| slope != 0.0)
    };
    assert!(passed(false) && !passed(true));
}

#[test]
fn rounded_outputs_are_those_of_the_integers() {
    let records = positions::records(500, 41);
    for layout in shapes::layouts() {
        let state = shapes::start(&layout, 2, 23);
        let data = Arc::new(Dataset::default());
        let outputs = |rounded: bool| {
            Cpu::new(layout.clone(), data.clone(), &state, 64, 1, rounded).unwrap().outputs(&records).unwrap()
        };
        let (rounded, plain) = (outputs(true), outputs(false));
        let network =
            Network::new(export::net(&layout, &state.numbers, "test").unwrap(), Level::best()).unwrap();
        let one = layout.arch.scales.output as f32;
        let far = |outputs: &[f32]| {
            let apart = records.iter().zip(outputs).map(|(record, output)| {
                let raw =
                    network.evaluate_pieces(&record.pieces().collect::<Vec<_>>(), Color::White).unwrap();
                (raw as f32 - one * output).abs()
            });
            apart.fold(0.0, f32::max)
        };
        // The integers cut off fractions of the output itself, at most one of the layer and one of the direct weights.
        assert!(far(&rounded) < 2.5, "{}: {} apart", layout.arch, far(&rounded));
        assert!(far(&plain) > 2.5, "{}: nothing was rounded", layout.arch);
    }
}
