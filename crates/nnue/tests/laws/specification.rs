// SPDX-License-Identifier: GPL-3.0-or-later
//! What a network computes, in the plainest way.

use features::chess::Features;
use nnue::{Activation, Affine, Net};
use rules::{Color, chess::Board};

/// The accumulator of a view: bias and the rows of all active features, sums wrapping around.
pub(crate) fn accumulator(net: &Net, board: &Board, view: Color) -> Vec<i16> {
    let width = net.arch.width;
    let mut sums = net.weights.bias.clone();
    for feature in active(net, board, view) {
        for (sum, weight) in sums.iter_mut().zip(&net.weights.rows[feature * width..]) {
            *sum = sum.wrapping_add(*weight);
        }
    }
    sums
}

fn active(net: &Net, board: &Board, view: Color) -> Vec<usize> {
    let mut active = Vec::new();
    net.features.active(board, view, &mut active);
    active.into_iter().map(|feature| feature as usize).collect()
}

/// The raw output for the side to move.
pub(crate) fn evaluate(net: &Net, board: &Board) -> i32 {
    let bucket = (board.occupied().len() as usize - 1) * net.arch.buckets / 32;
    let views = [board.turn(), !board.turn()].map(|view| accumulator(net, board, view));
    let layers = &net.weights.heads[bucket].layers;
    let positional = match net.arch.hidden.is_empty() {
        true => direct(net, &layers[0], &views),
        false => dense(net, layers, &views),
    };
    let direct = |view| -> i64 {
        let weight = |feature| i64::from(net.weights.psqt[feature * net.arch.buckets + bucket]);
        active(net, board, view).into_iter().map(weight).sum()
    };
    let psqt = if net.arch.psqt { (direct(board.turn()) - direct(!board.turn())) / 2 } else { 0 };
    i32::try_from(positional + psqt).expect("outputs fit 32 bits")
}

/// Pairs of clipped accumulator values that are to be multiplied; clipped ReLU has the first alone.
fn pairs(net: &Net, views: &[Vec<i16>; 2]) -> Vec<(i64, i64)> {
    let top = i64::from(net.arch.scales.input);
    let clipped = |&value: &i16| i64::from(value).clamp(0, top);
    let mut pairs = Vec::new();
    for view in views {
        let values: Vec<i64> = view.iter().map(clipped).collect();
        match net.arch.activation {
            Activation::Clipped => pairs.extend(values.iter().map(|&value| (value, 1))),
            Activation::Squared => pairs.extend(values.iter().map(|&value| (value, value))),
            Activation::Pairwise => {
                let (first, second) = values.split_at(values.len() / 2);
                pairs.extend(first.iter().copied().zip(second.iter().copied()));
            }
        }
    }
    pairs
}

/// An output behind the accumulators: products are exact, and divided once.
fn direct(net: &Net, output: &Affine, views: &[Vec<i16>; 2]) -> i64 {
    let products = pairs(net, views).into_iter().zip(&output.weights);
    let sum: i64 = products.map(|((a, b), &weight)| a * b * i64::from(weight)).sum();
    let divisor = match net.arch.activation {
        Activation::Clipped => 1,
        Activation::Squared | Activation::Pairwise => i64::from(net.arch.scales.input),
    };
    i64::from(output.bias[0]) + sum / divisor
}

/// Hidden layers: bytes in, sums divided by the hidden scale rounding down, clipped, bytes out.
fn dense(net: &Net, layers: &[Affine], views: &[Vec<i16>; 2]) -> i64 {
    // Products are halved until the largest fits seven bits.
    let top = i64::from(net.arch.scales.input);
    let (mut largest, mut divisor) = (top * top, 1);
    while largest > 127 {
        largest /= 2;
        divisor *= 2;
    }
    let activate = |(a, b)| match net.arch.activation {
        Activation::Clipped => a,
        Activation::Squared | Activation::Pairwise => a * b / divisor,
    };
    let mut values: Vec<i64> = pairs(net, views).into_iter().map(activate).collect();
    let (output, hidden) = layers.split_last().expect("an output");
    let scale = i64::from(net.arch.scales.hidden);
    let clip = |sum: i64| sum.div_euclid(scale).clamp(0, 127);
    let mut straight = 0;
    for (number, layer) in hidden.iter().enumerate() {
        let mut sums = sums(layer, &values);
        if net.arch.twofold && number == 0 {
            // 127 times the scale stands for 1.0; squares leave the range of 16 bits long after they are full.
            let last = sums.pop().expect("a neuron");
            straight = last * i64::from(net.arch.scales.output) / (127 * scale);
            let square = |&sum: &i64| (sum.abs().min(32_767).pow(2) / (scale * scale * 128)).min(127);
            values = sums.iter().map(square).chain(sums.iter().map(|&sum| clip(sum))).collect();
            continue;
        }
        values = sums.into_iter().map(clip).collect();
        if net.arch.hidden_activation == Activation::Squared {
            values = values.into_iter().map(|value| value * value / 128).collect();
        }
    }
    sums(output, &values)[0] + straight
}

fn sums(layer: &Affine, inputs: &[i64]) -> Vec<i64> {
    let rows = layer.weights.chunks_exact(inputs.len());
    let sum = |(row, &bias): (&[i16], &i32)| {
        let products = row.iter().zip(inputs).map(|(&weight, &input)| i64::from(weight) * input);
        i64::from(bias) + products.sum::<i64>()
    };
    rows.zip(&layer.bias).map(sum).collect()
}
