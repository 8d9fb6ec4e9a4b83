// SPDX-License-Identifier: GPL-3.0-or-later
//! What another framework says of the seed network: `tests/golden/network.py` computed it.

use std::sync::Arc;

use rules::chess::Board;
use trainer::{Backend, Course, Cpu, Dataset, Layout, LossSpec, OptimiserSpec, Record, State};

use crate::shapes;

/// FEN, White's score in centipawns, twice White's result.
const POSITIONS: [(&str, i16, u8); 6] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 30, 1),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1", -120, 0),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 15, 2),
    ("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 b - - 3 9", 12, 1),
    ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", 250, 2),
    ("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1", 900, 2),
];
/// By tensor: the size of the sawtooth that its numbers are.
const SPREAD: [f64; 8] = [0.15, 0.4, 0.1, 0.3, 0.3, 0.3, 0.5, 0.1];

fn sawtooth(tensor: usize, count: usize) -> Vec<f32> {
    let wave = |i: usize| ((i * 7919 + tensor * 104_729) % 1009) as f64 / 504.0 - 1.0;
    (0..count).map(|i| (SPREAD[tensor] * wave(i)) as f32).collect()
}

fn pattern(i: usize) -> f64 {
    ((i * 31 + 7) % 101) as f64 / 50.0 - 1.0
}

fn begun(layout: &Layout, optimiser: &OptimiserSpec, data: &Arc<Dataset>) -> Cpu {
    let mut state = State::start(layout, optimiser.slots(), 1);
    for (tensor, numbers) in state.numbers.iter_mut().enumerate() {
        *numbers = sawtooth(tensor, numbers.len());
    }
    Cpu::new(layout.clone(), data.clone(), &state, POSITIONS.len(), 2, false).unwrap()
}

fn near(found: f64, expected: f64, by: f64, what: &str) {
    assert!((found - expected).abs() <= by, "{what}: {found}, expected {expected}");
}

#[test]
fn the_seed_network_computes_and_learns_what_another_framework_says() {
    let golden: Vec<(&str, Vec<f64>)> = include_str!("../golden/network.txt")
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, values)| (name, values.split(' ').map(|value| value.parse().unwrap()).collect()))
        .collect();
    let of = |name| golden.iter().filter(move |line| line.0 == name).map(|line| line.1.as_slice());
    let only = |name| of(name).next().unwrap();

    let board = |fen| Board::from_fen(fen).unwrap();
    let records = POSITIONS.map(|(fen, score, result)| Record::new(&board(fen), score, result));
    let data = Arc::new(Dataset::from_records(records.to_vec(), 5));
    let layout = shapes::layout("HalfKP", false, |arch| arch.width = 256);
    let loss = LossSpec { lambda: Course::Constant(0.6), exponent: 2.5, scale: 400.0, ..LossSpec::default() };
    let size = records.len();

    let mut cpu = begun(&layout, &shapes::descent(), &data);
    for (&found, &expected) in cpu.outputs(&records).unwrap().iter().zip(only("outputs")) {
        near(f64::from(found), expected, 2e-6, "output");
    }
    cpu.step(&shapes::step(&layout, &shapes::descent(), &loss, 0, size, 1e-3)).unwrap();
    near(cpu.take_loss().unwrap(), only("loss")[0], 1e-7, "loss");
    let gradients = cpu.state().unwrap().slots.swap_remove(0);
    assert_eq!(gradients.len(), of("gradient").count());
    for ((gradient, expected), tensor) in gradients.iter().zip(of("gradient")).zip(&layout.tensors) {
        let each = || gradient.iter().map(|&slope| f64::from(slope)).enumerate();
        let length = each().map(|(_, slope)| slope * slope).sum::<f64>().sqrt();
        near(length, expected[1], 1e-5 * expected[1], &tensor.name);
        let along = each().map(|(i, slope)| slope * pattern(i)).sum::<f64>();
        near(along, expected[0], 1e-5 * expected[1], &tensor.name);
    }

    let adamw = OptimiserSpec { decay: Some(0.1), ..OptimiserSpec::default() };
    let mut cpu = begun(&layout, &adamw, &data);
    for step in 0..2 {
        cpu.step(&shapes::step(&layout, &adamw, &loss, step, size, 0.01)).unwrap();
    }
    // Adam's first steps are as long for the smallest gradient as for the largest.
    for (&found, &expected) in cpu.outputs(&records).unwrap().iter().zip(only("learned")) {
        near(f64::from(found), expected, 1e-3, "output after two steps");
    }
}
