// SPDX-License-Identifier: GPL-3.0-or-later
//! What another framework says of the seed network: `tests/golden/network.py` computed it.

use std::sync::Arc;

use rules::chess::Board;
use trainer::{Backend, Course, Cpu, Dataset, Layout, LossSpec, OptimiserSpec, Record, State};

use crate::shapes;

/// The numbers of a tensor: a sawtooth of some size.
fn sawtooth(tensor: usize, count: usize, size: f64) -> Vec<f32> {
    let wave = |i: usize| ((i * 7919 + tensor * 104_729) % 1009) as f64 / 504.0 - 1.0;
    (0..count).map(|i| (size * wave(i)) as f32).collect()
}

fn pattern(i: usize) -> f64 {
    ((i * 31 + 7) % 101) as f64 / 50.0 - 1.0
}

fn begun(layout: &Layout, optimiser: &OptimiserSpec, data: &Arc<Dataset>, spread: &[f64]) -> Cpu {
    let mut state = State::start(layout, optimiser.slots(), 1);
    assert_eq!(state.numbers.len(), spread.len());
    for (tensor, (numbers, &size)) in state.numbers.iter_mut().zip(spread).enumerate() {
        *numbers = sawtooth(tensor, numbers.len(), size);
    }
    Cpu::new(layout.clone(), data.clone(), &state, data.records().len(), 2, false).unwrap()
}

fn near(found: f64, expected: f64, by: f64, what: &str) {
    assert!((found - expected).abs() <= by, "{what}: {found}, expected {expected}");
}

#[test]
fn the_seed_network_computes_and_learns_what_another_framework_says() {
    let golden: Vec<(&str, &str)> =
        include_str!("../golden/network.txt").lines().filter_map(|line| line.split_once(": ")).collect();
    let of = |name| golden.iter().filter(move |line| line.0 == name).map(|line| line.1);
    let floats = |text: &str| -> Vec<f64> { text.split(' ').map(|word| word.parse().unwrap()).collect() };
    let only = |name| floats(of(name).next().unwrap());

    let position = |line: &str| {
        let [score, result, fen] = line.splitn(3, ' ').collect::<Vec<_>>().try_into().unwrap();
        let result: f64 = result.parse().unwrap();
        Record::new(&Board::from_fen(fen).unwrap(), score.parse().unwrap(), (2.0 * result) as u8)
    };
    let (records, spread): (Vec<Record>, Vec<f64>) = (of("position").map(position).collect(), only("spread"));
    assert_eq!(records.len(), only("outputs").len());
    let data = Arc::new(Dataset::from_records(records.clone(), 5));
    let layout = shapes::layout("HalfKP", false, |arch| arch.width = 256);
    let loss = LossSpec { lambda: Course::Constant(0.6), exponent: 2.5, scale: 400.0, ..LossSpec::default() };
    let size = records.len();

    let mut cpu = begun(&layout, &shapes::descent(), &data, &spread);
    for (&found, &expected) in cpu.outputs(&records).unwrap().iter().zip(&only("outputs")) {
        near(f64::from(found), expected, 2e-6, "output");
    }
    cpu.step(&shapes::step(&layout, &shapes::descent(), &loss, 0, size, 1e-3)).unwrap();
    near(cpu.take_loss().unwrap(), only("loss")[0], 1e-7, "loss");
    let gradients = cpu.state().unwrap().slots.swap_remove(0);
    assert_eq!(gradients.len(), of("gradient").count());
    for ((gradient, expected), tensor) in
        gradients.iter().zip(of("gradient").map(floats)).zip(&layout.tensors)
    {
        let each = || gradient.iter().map(|&slope| f64::from(slope)).enumerate();
        let length = each().map(|(_, slope)| slope * slope).sum::<f64>().sqrt();
        near(length, expected[1], 1e-5 * expected[1], &tensor.name);
        let along = each().map(|(i, slope)| slope * pattern(i)).sum::<f64>();
        near(along, expected[0], 1e-5 * expected[1], &tensor.name);
    }

    let adamw = OptimiserSpec { decay: Some(0.1), ..OptimiserSpec::default() };
    let mut cpu = begun(&layout, &adamw, &data, &spread);
    for step in 0..2 {
        cpu.step(&shapes::step(&layout, &adamw, &loss, step, size, 0.01)).unwrap();
    }
    // Adam's first steps are as long for the smallest gradient as for the largest.
    for (&found, &expected) in cpu.outputs(&records).unwrap().iter().zip(&only("learned")) {
        near(f64::from(found), expected, 1e-3, "output after two steps");
    }
}
