// SPDX-License-Identifier: GPL-3.0-or-later
//! The order of neurons: those that are active together belong into one group of four.
//!
//! The first dense layer passes over groups whose activations are all zero. Which neurons share a group makes no
//! difference to the result, but to how many groups there are to work on.

use features::chess::Features;
use rules::{Color, chess::Board};

use crate::{Activation, Net, NetError};

/// Neurons that the dense layer takes in at once.
const GROUP: usize = 4;

/// Rearranges the neurons of a network by what they do in some typical positions. The network computes the same.
///
/// # Errors
/// If the network is refused by [`Net::check`].
pub fn order_neurons(net: &mut Net, boards: &[Board]) -> Result<(), NetError> {
    net.check()?;
    if net.arch.hidden.is_empty() {
        return Ok(()); // the output follows the accumulator, and nothing is passed over
    }
    let order = groups(activity(net, boards));
    apply(net, &order);
    Ok(())
}

/// For every output of the activation a bit per position and view: whether it is not zero.
fn activity(net: &Net, boards: &[Board]) -> Vec<Vec<u64>> {
    let arch = &net.arch;
    let outputs = if arch.activation == Activation::Pairwise { arch.width / 2 } else { arch.width };
    let mut activity = vec![vec![0; (2 * boards.len()).div_ceil(64)]; outputs];
    let views = boards.iter().flat_map(|board| Color::ALL.map(|view| (board, view)));
    for (sample, (board, view)) in views.enumerate() {
        let values = accumulator(net, board, view);
        let clip = |value: i16| i32::from(value.clamp(0, arch.scales.input));
        for (output, bits) in activity.iter_mut().enumerate() {
            let value = clip(values[output]);
            let active = match arch.activation {
                Activation::Clipped => value,
                Activation::Squared => (value * value) >> arch.product_shift(),
                Activation::Pairwise => (value * clip(values[output + outputs])) >> arch.product_shift(),
            };
            bits[sample / 64] |= u64::from(active > 0) << (sample % 64);
        }
    }
    activity
}

/// The sums of one view.
fn accumulator(net: &Net, board: &Board, view: Color) -> Vec<i16> {
    let mut active = Vec::new();
    net.features.active(board, view, &mut active);
    let mut sums = net.weights.bias.clone();
    for row in active {
        let row = &net.weights.rows[row as usize * sums.len()..][..sums.len()];
        sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
    }
    sums
}

/// Puts the busiest output left into a group with those that are active at the same time most often, and so on: what
/// they have in common is what the group saves.
fn groups(activity: Vec<Vec<u64>>) -> Vec<usize> {
    let busy = |bits: &[u64]| bits.iter().map(|bits| bits.count_ones()).sum::<u32>();
    let mut left: Vec<usize> = (0..activity.len()).collect();
    left.sort_by_key(|&output| busy(&activity[output])); // the busiest last
    let mut order = Vec::with_capacity(left.len());
    while let Some(first) = left.pop() {
        order.push(first);
        let mut union = activity[first].clone();
        for _ in 1..GROUP {
            let common = |output: usize| -> u32 {
                let both = union.iter().zip(&activity[output]);
                both.map(|(union, bits)| (union & bits).count_ones()).sum()
            };
            let Some(place) = (0..left.len()).max_by_key(|&place| common(left[place])) else { break };
            let next = left.remove(place);
            union.iter_mut().zip(&activity[next]).for_each(|(union, bits)| *union |= bits);
            order.push(next);
        }
    }
    order
}

/// Moves output `order[i]` of the activation to place `i`, in every part of the network that knows it.
fn apply(net: &mut Net, order: &[usize]) {
    let outputs = order.len();
    // Of a pair of neurons one half follows the other.
    let neurons: Vec<usize> = (0..net.arch.width / outputs)
        .flat_map(|half| order.iter().map(move |&o| half * outputs + o))
        .collect();
    let rearrange = |row: &mut [i16], order: &[usize]| {
        let before = row.to_vec();
        row.iter_mut().zip(order).for_each(|(to, &from)| *to = before[from]);
    };
    rearrange(&mut net.weights.bias, &neurons);
    net.weights.rows.chunks_exact_mut(neurons.len()).for_each(|row| rearrange(row, &neurons));
    for head in &mut net.weights.heads {
        // One view follows the other.
        head.layers[0].weights.chunks_exact_mut(outputs).for_each(|inputs| rearrange(inputs, order));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_are_active_together_share_a_group() {
        let even = vec![0b0101_0101];
        let odd = vec![0b1010_1010];
        let activity = (0..8).map(|i| if i % 2 == 0 { even.clone() } else { odd.clone() }).collect();
        let mut order = groups(activity);
        order[..4].sort_unstable();
        order[4..].sort_unstable();
        assert!(order == [0, 2, 4, 6, 1, 3, 5, 7] || order == [1, 3, 5, 7, 0, 2, 4, 6], "{order:?}");
    }
}
