// SPDX-License-Identifier: GPL-3.0-or-later
//! What is learned: a thousand positions by heart, within the integers' limits, and then played.

use std::{fs, sync::Arc};

use nnue::{Activation, Level, Network};
use rules::{Color, chess::Board};
use trainer::{
    Backend, Course, Cpu, CrossCheck, Dataset, Layout, LossKind, LossSpec, OptimiserKind, OptimiserSpec,
    Record, State, crosscheck, export,
};

use crate::{positions, shapes};

/// Learns positions by heart; the loss at the beginning and at the end, and what was learned.
fn learn(
    layout: &Layout,
    records: &[Record],
    kind: OptimiserKind,
    rate: f64,
    steps: u64,
) -> (f64, f64, State, Vec<f32>) {
    let optimiser = OptimiserSpec { kind, ..OptimiserSpec::default() };
    let spec = LossSpec { lambda: Course::Constant(1.0), scale: 300.0, ..LossSpec::default() };
    let mut cpu = shapes::cpu(layout, records, &optimiser, records.len(), 0);
    let mut losses = Vec::new();
    for step in 0..steps {
        cpu.step(&shapes::step(layout, &optimiser, &spec, step, records.len(), rate)).unwrap();
        losses.push(cpu.take_loss().unwrap());
    }
    let state = cpu.state().unwrap();
    let outputs = cpu.outputs(records).unwrap();
    (losses[0], losses[losses.len() - 1], state, outputs)
}

#[test]
fn a_thousand_positions_are_learned_by_heart() {
    let records = positions::records(1000, 21);
    let layout = shapes::layout("Piece", false, |_| {});
    for (kind, rate) in [
        (OptimiserKind::Adam, 0.003),
        (OptimiserKind::AdamW, 0.003),
        (OptimiserKind::Ranger, 0.01),
        (OptimiserKind::Adadelta, 5.0),
        (OptimiserKind::Sgd, 3.0),
    ] {
        let steps = if matches!(kind, OptimiserKind::Sgd | OptimiserKind::Adadelta) { 600 } else { 300 };
        let (first, last, state, _) = learn(&layout, &records, kind, rate, steps);
        let factor = if kind == OptimiserKind::Sgd { 4.0 } else { 50.0 };
        assert!(last < first / factor, "{kind:?}: {first} to {last}");
        for (numbers, tensor) in state.numbers.iter().zip(&layout.tensors) {
            assert!(numbers.iter().all(|number| number.abs() <= tensor.limit), "{}", tensor.name);
        }
    }
}

#[test]
fn triplets_teach_what_is_better() {
    // A position, the same from the other side, and one that is much better for that side.
    let board = |fen: &str| Record::new(&Board::from_fen(fen).unwrap(), 0, 1);
    let triplets = [
        [
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "4k3/8/8/8/8/4P3/8/4K3 b - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
        ],
        [
            "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1",
            "3qk3/8/8/8/3Q4/8/8/4K3 b - - 0 1",
            "3qk3/8/8/8/8/8/8/4K3 b - - 0 1",
        ],
    ];
    let records: Vec<Record> = triplets.iter().flatten().map(|fen| board(fen)).collect();
    let path = std::env::temp_dir().join(format!("nue-triplets-{}", std::process::id()));
    fs::write(&path, records.iter().flat_map(|record| record.0).collect::<Vec<u8>>()).unwrap();
    let data = Dataset::load(&[(path.clone(), 1.0)], 0.0, 5, 3).unwrap().0;
    fs::remove_file(path).unwrap();
    let layout = shapes::layout("Piece", false, |_| {});
    let optimiser = OptimiserSpec::default();
    let spec = LossSpec { kind: LossKind::Pqr, ..LossSpec::default() };
    let state = State::start(&layout, optimiser.slots(), 1);
    let mut cpu = Cpu::new(layout.clone(), Arc::new(data), &state, 6, 1, false).unwrap();
    for step in 0..200 {
        cpu.step(&shapes::step(&layout, &optimiser, &spec, step, 6, 0.003)).unwrap();
    }
    for triplet in cpu.outputs(&records).unwrap().chunks_exact(3) {
        assert!(triplet[2] > triplet[1] + 1.0, "{triplet:?}");
        assert!((triplet[0] + triplet[1]).abs() < 0.2, "{triplet:?}");
    }
}

#[test]
fn the_engine_plays_what_was_learned() {
    let records = positions::records(1000, 22);
    let shapes = [
        shapes::layout("HalfKP", true, |arch| arch.width = 256),
        shapes::layout("HalfKA-hm8", true, |arch| {
            (arch.activation, arch.buckets, arch.scales.input) = (Activation::Pairwise, 8, 255);
        }),
        shapes::layout("Piece", false, |arch| {
            arch.hidden = vec![];
            arch.activation = Activation::Squared;
            arch.scales = nnue::Scales { input: 255, hidden: 64, output: 255 * 64, pawn: 4080 };
        }),
    ];
    for layout in shapes {
        let (_, last, state, outputs) = learn(&layout, &records, OptimiserKind::AdamW, 0.002, 150);
        assert!(last < 0.004, "{}: {last}", layout.arch);
        let net = export::net(&layout, &state.numbers, "test").unwrap();
        let check = crosscheck(&layout, net.clone(), &records, &outputs, 300.0).unwrap();
        assert!(check.is_good() && check.positions == 1000, "{}: {check:?}", layout.arch);

        // A network whose output is twisted is noticed.
        let twisted: Vec<f32> = outputs.iter().map(|output| 1.3 * output + 0.1).collect();
        let check = crosscheck(&layout, net.clone(), &records, &twisted, 300.0).unwrap();
        assert!(!check.is_good() && check.worst >= check.high && check.mean > CrossCheck::MEAN, "{check:?}");

        // So is one that wants another share of what is said by hand.
        let mut beside = net.clone();
        beside.arch.hand_crafted += 100;
        assert!(!crosscheck(&layout, beside, &records, &outputs, 300.0).unwrap().is_good());

        // Better side by material, better value.
        let network = Network::new(net, Level::best()).unwrap();
        let right = records.iter().filter(|record| record.score().abs() > 500).filter(|record| {
            let raw = network.evaluate_pieces(&record.pieces().collect::<Vec<_>>(), Color::White).unwrap();
            (raw > 0) == (record.score() > 0)
        });
        let all = records.iter().filter(|record| record.score().abs() > 500).count();
        assert!(right.count() * 20 >= all * 19);
    }
}
