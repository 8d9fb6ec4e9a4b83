// SPDX-License-Identifier: GPL-3.0-or-later
//! The number of threads changes nothing, not even the last bit.

use trainer::{Backend, LossSpec, OptimiserKind, OptimiserSpec, State};

use crate::{positions, shapes};

#[test]
fn every_number_of_threads_gives_the_same_bits() {
    let size = 5000; // Two strands.
    let records = positions::records(8000, 9);
    let kinds = [OptimiserKind::AdamW, OptimiserKind::Ranger, OptimiserKind::Adadelta, OptimiserKind::Sgd];
    for (number, layout) in shapes::layouts().into_iter().enumerate() {
        let optimiser = OptimiserSpec { kind: kinds[number % 4], ..OptimiserSpec::default() };
        let trained = |threads: usize| -> (State, f64) {
            let mut cpu = shapes::cpu(&layout, &records, &optimiser, size, threads);
            for step in 0..5 {
                cpu.step(&shapes::step(&layout, &optimiser, &LossSpec::default(), step, size, 1e-3)).unwrap();
            }
            (cpu.state().unwrap(), cpu.take_loss().unwrap())
        };
        let one = trained(1);
        assert!(one.0.numbers.iter().flatten().all(|number| number.is_finite()));
        for threads in [2, 5] {
            assert!(trained(threads) == one, "{} on {threads} threads", layout.arch);
        }
    }
}
