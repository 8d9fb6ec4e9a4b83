// SPDX-License-Identifier: GPL-3.0-or-later
//! From learned numbers to a network file: fold the factoriser, round, check. And back, to learn more.

use nnue::{
    FloatAffine, FloatHead, FloatWeights, Net, NetError, QuantiseError, Weights, dequantise, quantise,
};
use thiserror::Error;

use crate::{Factor, Layout};

/// Learned numbers that make no network.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ExportError {
    #[error(transparent)]
    Quantise(#[from] QuantiseError),
    #[error(transparent)]
    Net(#[from] NetError),
}

/// The network of learned numbers in floating point, without virtual rows.
pub fn floats(layout: &Layout, numbers: &[Vec<f32>]) -> FloatWeights {
    let mut rows = numbers[Layout::ROWS].clone();
    if let (Some(factor), Some(shared)) = (&layout.factor, layout.shared()) {
        let width = layout.arch.width;
        for (row, &shared_row) in rows.chunks_exact_mut(width).zip(&factor.of_row) {
            if shared_row != Factor::NONE {
                let more = &numbers[shared][shared_row as usize * width..][..width];
                row.iter_mut().zip(more).for_each(|(weight, more)| *weight += more);
            }
        }
    }
    let affine = |bucket, layer| {
        let (weights, bias) = layout.layer(bucket, layer);
        FloatAffine { bias: numbers[bias].clone(), weights: numbers[weights].clone() }
    };
    let head =
        |bucket| FloatHead { layers: (0..layout.layers()).map(|layer| affine(bucket, layer)).collect() };
    FloatWeights {
        bias: numbers[Layout::BIAS].clone(),
        rows,
        psqt: layout.direct().map_or_else(Vec::new, |direct| numbers[direct].clone()),
        heads: (0..layout.arch.buckets).map(head).collect(),
    }
}

/// The numbers of a network of this layout, as if they had been learned: they make the same integers.
///
/// What rows share is their mean, so that little is left for each of its own.
pub fn numbers(layout: &Layout, weights: &Weights) -> Vec<Vec<f32>> {
    let FloatWeights { bias, mut rows, psqt, heads } = dequantise(&layout.arch, weights);
    let shared = layout.factor.as_ref().map(|factor| share(factor, layout.arch.width, &mut rows));
    let layers = heads.into_iter().flat_map(|head| head.layers);
    let mut numbers = vec![rows, bias];
    numbers.extend(layers.flat_map(|FloatAffine { bias, weights }| [weights, bias]));
    numbers.extend(shared);
    numbers.extend(layout.direct().map(|_| psqt));
    numbers
}

/// Takes the means of rows out of them.
fn share(factor: &Factor, width: usize, rows: &mut [f32]) -> Vec<f32> {
    let mut shared = vec![0.0; factor.count * width];
    for (virtual_row, mean) in shared.chunks_exact_mut(width).enumerate() {
        let members = factor.members(virtual_row);
        for &row in members {
            let row = &rows[row as usize * width..][..width];
            mean.iter_mut().zip(row).for_each(|(mean, weight)| *mean += weight / members.len() as f32);
        }
        for &row in members {
            let row = &mut rows[row as usize * width..][..width];
            row.iter_mut().zip(&*mean).for_each(|(weight, mean)| *weight -= mean);
        }
    }
    shared
}

/// The integers of learned numbers; whatever does not fit is an error.
pub fn integers(layout: &Layout, numbers: &[Vec<f32>]) -> Result<Weights, QuantiseError> {
    quantise(&layout.arch, &floats(layout, numbers))
}

/// The network that an engine plays with.
pub fn net(layout: &Layout, numbers: &[Vec<f32>], run: &str) -> Result<Net, ExportError> {
    let weights = integers(layout, numbers)?;
    let (features, arch) = (layout.features.clone(), layout.arch.clone());
    let net = Net { features, arch, run: run.to_owned(), weights };
    net.check()?;
    Ok(net)
}
