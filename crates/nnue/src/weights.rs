// SPDX-License-Identifier: GPL-3.0-or-later
//! A network as a file holds it: integers in their natural order, without thought of any CPU.

use features::chess::FeatureSet;

use crate::{Arch, NetError};

/// A network: what it sees, its shape, its weights and where they come from.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    /// What the inputs are.
    pub features: FeatureSet,
    /// The shape.
    pub arch: Arch,
    /// Text about the training run.
    pub run: String,
    /// The integers.
    pub weights: Weights,
}

/// The integers of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Bias of the accumulator.
    pub bias: Vec<i16>,
    /// Weights of the features, one row of `width` after the other.
    pub rows: Vec<i16>,
    /// Direct weights of the features, one row of `buckets` after the other; empty without them.
    pub psqt: Vec<i32>,
    /// The layers behind the accumulator, one set per bucket.
    pub heads: Vec<Head>,
}

/// The layers of one output bucket, the output last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Hidden layers, then the output.
    pub layers: Vec<Affine>,
}

/// Outputs as sums of weighted inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affine {
    /// One number per output.
    pub bias: Vec<i32>,
    /// One row of inputs per output; bytes in dense layers, 16 bits where the output follows the accumulator.
    pub weights: Vec<i16>,
}

/// No sum behind the accumulator may pass this, so that two of them can be added.
const SUM_LIMIT: i64 = (1 << 30) - 1;

impl Net {
    /// Checks that all parts fit each other, and that no sum behind the accumulator can overflow.
    pub fn check(&self) -> Result<(), NetError> {
        let (arch, weights) = (&self.arch, &self.weights);
        arch.check()?;
        if self.features.size() != arch.inputs {
            return Err(NetError::FeatureCount {
                features: self.features.to_string(),
                size: self.features.size(),
                inputs: arch.inputs,
            });
        }
        count("the accumulator's bias", weights.bias.len(), arch.width)?;
        count("the table of features", weights.rows.len(), arch.inputs * arch.width)?;
        let psqt = if arch.psqt { arch.inputs * arch.buckets } else { 0 };
        count("the table of direct weights", weights.psqt.len(), psqt)?;
        let largest = weights.psqt.iter().map(|&weight| i64::from(weight).abs()).max().unwrap_or(0);
        range("the direct weights' sum", largest * self.features.max_active() as i64, SUM_LIMIT)?;
        count("the list of buckets", weights.heads.len(), arch.buckets)?;
        weights.heads.iter().try_for_each(|head| self.check_head(head))
    }

    fn check_head(&self, head: &Head) -> Result<(), NetError> {
        let layers = self.arch.layers();
        count("the list of layers", head.layers.len(), layers.len())?;
        for (affine, (inputs, outputs)) in head.layers.iter().zip(layers) {
            count("a layer's bias", affine.bias.len(), outputs)?;
            count("a layer's weights", affine.weights.len(), inputs * outputs)?;
            self.check_sums(affine, inputs)?;
        }
        if self.arch.twofold {
            let [first, .., output] = head.layers.as_slice() else { return Ok(()) };
            let straight = self.largest_sum(first, self.arch.hidden[0] - 1)
                * i64::from(self.arch.scales.output)
                / self.arch.shortcut_one();
            range("the output", self.largest_sum(output, 0) + straight, SUM_LIMIT)?;
        }
        Ok(())
    }

    /// The largest size that the sum of a neuron can have.
    fn largest_sum(&self, affine: &Affine, neuron: usize) -> i64 {
        let dense = !self.arch.hidden.is_empty();
        let top = if dense { i64::from(Arch::BYTE_LIMIT) } else { i64::from(self.arch.scales.input) };
        let inputs = affine.weights.len() / affine.bias.len();
        let row = &affine.weights[neuron * inputs..][..inputs];
        let weights: i64 = row.iter().map(|&weight| i64::from(weight).abs()).sum();
        i64::from(affine.bias[neuron]).abs() + top * weights
    }

    fn check_sums(&self, affine: &Affine, inputs: usize) -> Result<(), NetError> {
        let dense = !self.arch.hidden.is_empty();
        for (neuron, row) in affine.weights.chunks_exact(inputs).enumerate() {
            if dense {
                if let Some(&weight) = row.iter().find(|&&weight| i8::try_from(weight).is_err()) {
                    return Err(NetError::Range {
                        what: "a layer's weight",
                        found: weight.into(),
                        limit: 127,
                    });
                }
            } else if self.arch.activation != crate::Activation::Clipped {
                // Weight times activation must fit 16 bits before the second activation is multiplied in.
                let largest = row.iter().map(|&weight| i64::from(weight).abs()).max().unwrap_or(0);
                let product = largest * i64::from(self.arch.scales.input);
                range("an output weight times its activation", product, i64::from(i16::MAX))?;
            }
            range("a layer's sum", self.largest_sum(affine, neuron), SUM_LIMIT)?;
        }
        Ok(())
    }
}

fn count(what: &'static str, found: usize, expected: usize) -> Result<(), NetError> {
    if found == expected { Ok(()) } else { Err(NetError::Count { what, found, expected }) }
}

fn range(what: &'static str, found: i64, limit: i64) -> Result<(), NetError> {
    if found <= limit { Ok(()) } else { Err(NetError::Range { what, found, limit }) }
}
