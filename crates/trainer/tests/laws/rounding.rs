// SPDX-License-Identifier: GPL-3.0-or-later
//! Training that rounds computes what the integers compute.

use std::sync::Arc;

use nnue::{Level, Network};
use rules::Color;
use trainer::{Backend, Cpu, Dataset, export};

use crate::{positions, shapes};

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
