// SPDX-License-Identifier: GPL-3.0-or-later
//! Halves on the way forward: near the floats, and the same bits for every number of threads.

use trainer::{Backend, LossSpec, OptimiserSpec, Precision, State};

use crate::{positions, shapes};

const SIZE: usize = 5000; // Two strands.

#[test]
fn halves_learn_what_floats_learn_on_any_number_of_threads() {
    let records = positions::records(8000, 12);
    let (optimiser, spec) = (OptimiserSpec::default(), LossSpec::default());
    for layout in shapes::layouts() {
        let trained = |threads: usize, precision: Precision| -> (Vec<f64>, State) {
            let cpu = shapes::cpu(&layout, &records, &optimiser, SIZE, threads);
            let mut cpu = cpu.with_precision(precision);
            let mut learn = |step| -> f64 {
                cpu.step(&shapes::step(&layout, &optimiser, &spec, step, SIZE, 1e-3)).unwrap();
                cpu.take_loss().unwrap()
            };
            let losses = (0..30).map(&mut learn).collect();
            (losses, cpu.state().unwrap())
        };
        let (floats, state) = trained(1, Precision::F32);
        let (halves, narrow) = trained(1, Precision::Bf16);
        for (step, (a, b)) in floats.iter().zip(&halves).enumerate() {
            let apart = (a / b - 1.0).abs();
            assert!(apart < 0.02, "{}: {apart} apart after {step} steps", layout.arch);
        }
        assert!(narrow != state, "{}: nothing was rounded", layout.arch);
        assert!(trained(3, Precision::Bf16) == (halves, narrow), "{} on 3 threads", layout.arch);
    }
}
