// SPDX-License-Identifier: GPL-3.0-or-later
//! Networks of every kind, small enough to be looked at number by number.

use std::sync::Arc;

use features::chess::FeatureSet;
use nnue::{Activation, Arch, Scales};
use rules::Random;
use trainer::{Cpu, Dataset, Layout, LossSpec, OptimiserKind, OptimiserSpec, Plan, Record, State};

/// A network of some features.
pub(crate) fn layout(features: &str, factorised: bool, change: fn(&mut Arch)) -> Layout {
    let features = FeatureSet::parse(features).unwrap();
    let mut arch = Arch { width: 128, ..Arch::seed(features.size()) };
    change(&mut arch);
    Layout::new(features, arch, factorised).unwrap()
}

/// One network of each kind.
pub(crate) fn layouts() -> Vec<Layout> {
    fn wide(arch: &mut Arch) {
        arch.scales = Scales { input: 255, ..arch.scales };
    }
    fn direct(arch: &mut Arch) {
        arch.hidden = vec![];
        arch.scales = Scales { input: 255, hidden: 64, output: 255 * 64, pawn: 4080 };
    }
    vec![
        layout("Piece", false, |arch| arch.width = 256),
        layout("HalfKP", false, |_| {}),
        layout("HalfKP", true, |_| {}),
        layout("HalfKA-hm8", true, |arch| {
            wide(arch);
            (arch.activation, arch.hidden, arch.buckets) = (Activation::Pairwise, vec![16, 32], 8);
        }),
        layout("Piece", false, |arch| {
            wide(arch);
            (arch.activation, arch.hidden_activation) = (Activation::Squared, Activation::Squared);
            (arch.hidden, arch.hand_crafted) = (vec![20, 33, 5], 80);
        }),
        layout("Piece", false, |arch| {
            direct(arch);
            (arch.activation, arch.buckets) = (Activation::Squared, 4);
        }),
        layout("Piece", false, |arch| {
            direct(arch);
            arch.activation = Activation::Pairwise;
        }),
        // Pieces share rows, so that doubles have to be dropped.
        layout("Compact", false, |arch| arch.hidden = vec![8]),
        layout("RelativeFile x Rank x Role5 x Colour", false, |_| {}),
        // And so that they count twice; eight rows for each piece are more than a byte can number on a full board.
        layout("Compact, counted", false, |arch| arch.hidden = vec![8]),
        layout(
            "Piece + Square + Square x Role + Square x Colour + File x Role x Colour + Rank x Role x Colour \
             + File x Role + Rank x Role, counted",
            false,
            |arch| arch.hidden = vec![8],
        ),
        // Direct weights, alone and with everything else.
        layout("Piece", false, |arch| {
            (arch.hidden, arch.psqt) = (vec![8], true);
        }),
        layout("HalfKA-hm8", true, |arch| {
            wide(arch);
            (arch.activation, arch.buckets, arch.psqt) = (Activation::Squared, 8, true);
            arch.hand_crafted = 120;
        }),
        layout("HalfKA-hm8", true, |arch| {
            (arch.hidden, arch.hand_crafted) = (vec![8], 100);
        }),
        layout("Piece", false, |arch| arch.hidden = vec![16]).with_dropout(0.25),
        layout("HalfKP", true, |arch| {
            wide(arch);
            (arch.activation, arch.buckets) = (Activation::Pairwise, 2);
        })
        .with_dropout(0.5),
    ]
}

/// A state to begin with, in which direct weights say something too.
pub(crate) fn start(layout: &Layout, slots: usize, seed: u64) -> State {
    let mut state = State::start(layout, slots, seed);
    if let Some(direct) = layout.direct() {
        let mut random = Random::new(seed);
        let weights: Vec<f32> =
            state.numbers[direct].iter().map(|_| 0.2 * random.unit() as f32 - 0.1).collect();
        if let Some(slow) = state.slots.get_mut(2) {
            slow[direct].clone_from(&weights);
        }
        state.numbers[direct] = weights;
    }
    state
}

/// Gradient descent without memory: its slot is the gradient itself.
pub(crate) fn descent() -> OptimiserSpec {
    OptimiserSpec { kind: OptimiserKind::Sgd, momentum: 0.0, ..OptimiserSpec::default() }
}

/// A step of a spec at a rate.
pub(crate) fn step(
    layout: &Layout,
    optimiser: &OptimiserSpec,
    loss: &LossSpec,
    step: u64,
    size: usize,
    rate: f64,
) -> Plan {
    Plan {
        first: step * size as u64,
        rule: optimiser.rule(step + 1, rate),
        loss: loss.at(loss.lambda.end(), layout),
        pull: optimiser.pull_after(step + 1),
    }
}

/// A backend on some records.
pub(crate) fn cpu(
    layout: &Layout,
    records: &[Record],
    optimiser: &OptimiserSpec,
    size: usize,
    threads: usize,
) -> Cpu {
    let data = Arc::new(Dataset::from_records(records.to_vec(), 5));
    let state = start(layout, optimiser.slots(), 11);
    Cpu::new(layout.clone(), data, &state, size, threads, false).unwrap()
}
