// SPDX-License-Identifier: GPL-3.0-or-later
//! Random networks.

use features::chess::FeatureSet;
use nnue::{Activation, Affine, Arch, Head, Net, Scales, Weights};
use rules::Random;

/// How wild the weights of a random network are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Nature {
    /// Like those of a trained one: activations are zero, full, or between.
    Tame,
    /// At the limits of their types, so that accumulators wrap around and layers are driven to the edge.
    Extreme,
    /// All activations full, and weights at or just past what two groups of inputs can sum up in 16 bits.
    Brink,
}

/// A network with scales that suit its shape.
pub(crate) fn shape(width: usize, activation: Activation, hidden: &[usize]) -> Arch {
    let bytes = activation == Activation::Clipped && !hidden.is_empty();
    let input = if bytes { 127 } else { 255 };
    Arch {
        width,
        activation,
        hidden: hidden.to_vec(),
        scales: Scales { input, hidden: 64, output: i32::from(input) * 64, pawn: 1600 },
        ..Arch::seed(0)
    }
}

/// Random weights for a shape.
pub(crate) fn net(random: &mut Random, features: &str, mut arch: Arch, nature: Nature) -> Net {
    let features = FeatureSet::parse(features).expect("a feature set");
    arch.inputs = features.size();
    let row = if nature == Nature::Extreme { 32_767 } else { 50 };
    let raised = if nature == Nature::Brink { 5_000 } else { 0 };
    let psqt = if arch.psqt { arch.inputs * arch.buckets } else { 0 };
    let weights = Weights {
        bias: (0..arch.width).map(|_| (raised + random.within(row)).min(32_767) as i16).collect(),
        rows: (0..arch.inputs * arch.width).map(|_| random.within(row) as i16).collect(),
        psqt: (0..psqt).map(|_| random.within(100_000)).collect(),
        heads: (0..arch.buckets).map(|_| head(random, &arch, nature)).collect(),
    };
    let net = Net { features, arch, run: "random weights".to_owned(), weights };
    net.check().unwrap_or_else(|error| panic!("{}: {error}", net.arch));
    net
}

fn head(random: &mut Random, arch: &Arch, nature: Nature) -> Head {
    let direct = arch.hidden.is_empty();
    let affine = |(inputs, outputs)| {
        let past = random.below(2) as i16;
        let sign = random.pick(&[-1, 1]);
        let weights = (0..inputs * outputs).map(|i| match nature {
            Nature::Brink => sign * (64 + (i % 2) as i16 + past),
            Nature::Tame => random.within(30) as i16,
            Nature::Extreme if direct => random.pick(&[-128, -127, 0, 127, 128]),
            Nature::Extreme => random.pick(&[-128, -127, 0, 126, 127]),
        });
        let weights = weights.collect();
        let bias = match nature {
            // What goes straight to the output adds up to two biases more.
            Nature::Extreme if arch.twofold => 300_000_000,
            Nature::Extreme => 900_000_000,
            Nature::Tame | Nature::Brink => 5_000,
        };
        Affine { bias: (0..outputs).map(|_| random.within(bias)).collect(), weights }
    };
    Head { layers: arch.layers().into_iter().map(affine).collect() }
}
