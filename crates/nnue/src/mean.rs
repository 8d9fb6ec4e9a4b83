// SPDX-License-Identifier: GPL-3.0-or-later
//! The mean of networks, number by number.
//!
//! Networks that were refined from one have their neurons in the same places, and each took a little noise from its data: their
//! mean can be better than any of them. The mean of networks that grew apart from the beginning is good for nothing.

use crate::{Affine, Head, Net, NetError, Weights};

/// The mean of a network and others with the same features and shape; the error tells which of the others has not.
pub fn mean(first: &Net, others: &[Net]) -> Result<Net, NetError> {
    let unlike = |net: &Net| net.features != first.features || net.arch != first.arch;
    if let Some(at) = others.iter().position(unlike) {
        return Err(NetError::Unlike(at));
    }
    let all = || std::iter::once(first).chain(others);
    let weights = Weights {
        bias: means(all().map(|net| &net.weights.bias)),
        rows: means(all().map(|net| &net.weights.rows)),
        psqt: means(all().map(|net| &net.weights.psqt)),
        heads: (0..first.weights.heads.len())
            .map(|bucket| mean_head(all().map(|net| &net.weights.heads[bucket])))
            .collect(),
    };
    let runs: Vec<&str> = all().map(|net| net.run.as_str()).collect();
    let run = format!("the mean of: {}", runs.join("; "));
    Ok(Net { features: first.features.clone(), arch: first.arch.clone(), run, weights })
}

fn mean_head<'a>(heads: impl Iterator<Item = &'a Head>) -> Head {
    let heads: Vec<&Head> = heads.collect();
    let layer = |at: usize| Affine {
        bias: means(heads.iter().map(|head| &head.layers[at].bias)),
        weights: means(heads.iter().map(|head| &head.layers[at].weights)),
    };
    Head { layers: (0..heads[0].layers.len()).map(layer).collect() }
}

/// Mean numbers, rounded to the nearest integer, halves away from zero.
fn means<'a, T>(lists: impl Iterator<Item = &'a Vec<T>>) -> Vec<T>
where
    T: Copy + Into<i64> + TryFrom<i64> + 'a,
{
    let lists: Vec<&Vec<T>> = lists.collect();
    let count = lists.len() as i64;
    let mean = |at: usize| {
        let sum: i64 = lists.iter().map(|list| list[at].into()).sum();
        let nearest = (2 * sum + sum.signum() * count) / (2 * count);
        T::try_from(nearest).unwrap_or_else(|_| unreachable!("a mean lies among its numbers"))
    };
    (0..lists[0].len()).map(mean).collect()
}
