// SPDX-License-Identifier: GPL-3.0-or-later
//! From the floating-point weights of training to the integers of inference.
//!
//! The scales say which integer stands for 1.0; for the seed network they give Karhan's table 4.1:
//!
//! | layer | weights | biases |
//! |---|---|---|
//! | input | 127, 16 bits | 127, 16 bits |
//! | hidden | 64, 8 bits | 64 · 127 = 8128, 32 bits |
//! | output | 9600 / 127, 8 bits | 9600, 32 bits |
//!
//! A number that does not fit is an error with its place: clipping it would change the network silently. The way back,
//! [`dequantise`], loses nothing: what comes of it rounds to the same integers.

use thiserror::Error;

use crate::{Activation, Affine, Arch, ArchError, Head, Weights};

/// The weights of a network in floating point; orders as in [`Weights`].
#[derive(Clone, Debug, PartialEq)]
pub struct FloatWeights {
    /// Bias of the accumulator.
    pub bias: Vec<f32>,
    /// Weights of the features, one row of `width` after the other.
    pub rows: Vec<f32>,
    /// Direct weights of the features, one row of `buckets` after the other; empty without them.
    pub psqt: Vec<f32>,
    /// The layers behind the accumulator, one set per bucket.
    pub heads: Vec<FloatHead>,
}

/// The layers of one output bucket, the output last.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatHead {
    /// Hidden layers, then the output.
    pub layers: Vec<FloatAffine>,
}

/// Outputs as sums of weighted inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatAffine {
    /// One number per output.
    pub bias: Vec<f32>,
    /// One row of inputs per output.
    pub weights: Vec<f32>,
}

/// A network that cannot be turned into integers.
#[derive(Debug, Error, PartialEq)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum QuantiseError {
    #[error("unusable network: {0}")]
    Arch(#[from] ArchError),
    #[error("{what} has {found} numbers, expected {expected}")]
    Count { what: String, found: usize, expected: usize },
    #[error("{what} number {index} is {value}, expected at most {limit:.4} either way")]
    Range { what: String, index: usize, value: f32, limit: f64 },
}

/// Rounds every weight to the integers of the scales; whatever does not fit is an error.
pub fn quantise(arch: &Arch, floats: &FloatWeights) -> Result<Weights, QuantiseError> {
    arch.check()?;
    let input = f64::from(arch.scales.input);
    let psqt = if arch.psqt { arch.inputs * arch.buckets } else { 0 };
    count("the list of buckets", floats.heads.len(), arch.buckets)?;
    Ok(Weights {
        bias: integers("accumulator bias", &floats.bias, arch.width, input, I16)?,
        rows: integers("feature weight", &floats.rows, arch.inputs * arch.width, input, I16)?,
        psqt: integers("direct weight", &floats.psqt, psqt, f64::from(arch.scales.output), I32)?,
        heads: floats.heads.iter().map(|head| quantise_head(arch, head)).collect::<Result<_, _>>()?,
    })
}

fn quantise_head(arch: &Arch, head: &FloatHead) -> Result<Head, QuantiseError> {
    let layers = arch.layers();
    count("the list of layers", head.layers.len(), layers.len())?;
    let limit = if arch.hidden.is_empty() { I16 } else { I8 };
    let mut quantised = Vec::new();
    for (number, (affine, (inputs, outputs))) in head.layers.iter().zip(layers).enumerate() {
        let name = match number == arch.hidden.len() {
            true => "output".to_owned(),
            false => format!("hidden layer {}", number + 1),
        };
        let [weight, bias] = layer_scales(arch, number);
        quantised.push(Affine {
            bias: integers(&format!("{name} bias"), &affine.bias, outputs, bias, I32)?,
            weights: integers(&format!("{name} weight"), &affine.weights, inputs * outputs, weight, limit)?,
        });
    }
    Ok(Head { layers: quantised })
}

/// The numbers that integers stand for.
pub fn dequantise(arch: &Arch, weights: &Weights) -> FloatWeights {
    let (input, output) = (f64::from(arch.scales.input), f64::from(arch.scales.output));
    let affine = |(number, affine): (usize, &Affine)| {
        let [weight, bias] = layer_scales(arch, number);
        FloatAffine { bias: floats(&affine.bias, bias), weights: floats(&affine.weights, weight) }
    };
    let head = |head: &Head| FloatHead { layers: head.layers.iter().enumerate().map(affine).collect() };
    FloatWeights {
        bias: floats(&weights.bias, input),
        rows: floats(&weights.rows, input),
        psqt: floats(&weights.psqt, output),
        heads: weights.heads.iter().map(head).collect(),
    }
}

fn floats<T: Copy + Into<f64>>(integers: &[T], scale: f64) -> Vec<f32> {
    integers.iter().map(|&integer| (integer.into() / scale) as f32).collect()
}

/// Which numbers stand for 1.0 in weights and biases of a layer behind the accumulator, the output last.
fn layer_scales(arch: &Arch, layer: usize) -> [f64; 2] {
    let (hidden, output) = (f64::from(arch.scales.hidden), f64::from(arch.scales.output));
    let behind_hidden = |one: f64| match arch.hidden_activation {
        Activation::Squared => one * one / 128.0,
        _ => one,
    };
    let one = (0..layer).fold(one_after_accumulator(arch), |one, _| behind_hidden(one));
    if layer == arch.hidden.len() { [output / one, output] } else { [hidden, hidden * one] }
}

/// Which number stands for 1.0 behind the accumulator's activation.
fn one_after_accumulator(arch: &Arch) -> f64 {
    let input = f64::from(arch.scales.input);
    match arch.activation {
        _ if arch.hidden.is_empty() => input,
        Activation::Clipped => input,
        Activation::Squared | Activation::Pairwise => input * input / f64::from(1 << arch.product_shift()),
    }
}

/// The largest integer allowed on either side of zero.
const I8: i64 = i8::MAX as i64;
const I16: i64 = i16::MAX as i64;
const I32: i64 = i32::MAX as i64;

fn integers<T: TryFrom<i64>>(
    what: &str,
    values: &[f32],
    expected: usize,
    scale: f64,
    limit: i64,
) -> Result<Vec<T>, QuantiseError> {
    count(what, values.len(), expected)?;
    let convert = |(index, &value): (usize, &f32)| {
        let scaled = (f64::from(value) * scale).round();
        // A value that is no number fails the comparison too.
        let fits = scaled.abs() <= limit as f64;
        let integer = if fits { T::try_from(scaled as i64).ok() } else { None };
        integer.ok_or_else(|| QuantiseError::Range {
            what: what.to_owned(),
            index,
            value,
            limit: limit as f64 / scale,
        })
    };
    values.iter().enumerate().map(convert).collect()
}

fn count(what: &str, found: usize, expected: usize) -> Result<(), QuantiseError> {
    if found == expected {
        return Ok(());
    }
    Err(QuantiseError::Count { what: what.to_owned(), found, expected })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scales;

    fn floats(arch: &Arch, value: f32) -> FloatWeights {
        let affine = |(inputs, outputs)| FloatAffine {
            bias: vec![value; outputs],
            weights: vec![value; inputs * outputs],
        };
        let head = || FloatHead { layers: arch.layers().into_iter().map(affine).collect() };
        FloatWeights {
            bias: vec![value; arch.width],
            rows: vec![value; arch.inputs * arch.width],
            psqt: vec![value; if arch.psqt { arch.inputs * arch.buckets } else { 0 }],
            heads: (0..arch.buckets).map(|_| head()).collect(),
        }
    }

    #[test]
    fn the_seed_network_follows_the_table() {
        let arch = Arch::seed(4);
        let weights = quantise(&arch, &floats(&arch, 1.0)).expect("ones fit");
        assert_eq!((weights.bias[0], weights.rows[0]), (127, 127));
        let layers = &weights.heads[0].layers;
        for hidden in &layers[..2] {
            assert_eq!((hidden.weights[0], hidden.bias[0]), (64, 8128));
        }
        assert_eq!((layers[2].weights[0], layers[2].bias[0]), (76, 9600)); // 9600 / 127 = 75.6
    }

    #[test]
    fn numbers_round_to_the_nearest_integer() {
        let arch = Arch::seed(4);
        let mut exact = floats(&arch, 0.0);
        exact.bias[..4].copy_from_slice(&[1.4 / 127.0, 1.6 / 127.0, -1.4 / 127.0, -1.6 / 127.0]);
        assert_eq!(quantise(&arch, &exact).expect("small").bias[..4], [1, 2, -1, -2]);
    }

    #[test]
    fn integers_read_as_floats_round_to_themselves() {
        for (hidden_activation, hidden) in [
            (Activation::Clipped, vec![3, 2]),
            (Activation::Squared, vec![3, 2]),
            (Activation::Clipped, vec![]),
        ] {
            let scales = Scales { input: 127, hidden: 64, output: 9600, pawn: 3328 };
            let arch = Arch { hidden, hidden_activation, scales, psqt: true, buckets: 2, ..Arch::seed(4) };
            // Different everywhere, up to what bytes hold.
            let mut weights = quantise(&arch, &floats(&arch, 0.0)).expect("nothing fits");
            let some = |index: usize| (index * 37 % 255) as i16 - 127;
            weights.bias.iter_mut().chain(&mut weights.rows).enumerate().for_each(|(i, w)| *w = 99 * some(i));
            weights.psqt.iter_mut().enumerate().for_each(|(i, w)| *w = 1009 * i32::from(some(i)));
            for layer in weights.heads.iter_mut().flat_map(|head| &mut head.layers) {
                layer.weights.iter_mut().enumerate().for_each(|(i, w)| *w = some(i));
                layer.bias.iter_mut().enumerate().for_each(|(i, b)| *b = 10_007 * i32::from(some(i)));
            }
            assert_eq!(quantise(&arch, &dequantise(&arch, &weights)).expect("they were integers"), weights);
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_with_its_place() {
        let arch = Arch::seed(4);
        let refused = |change: fn(&mut FloatWeights)| {
            let mut floats = floats(&arch, 0.5);
            change(&mut floats);
            quantise(&arch, &floats).expect_err("an overflow").to_string()
        };
        assert_eq!(
            refused(|floats| floats.heads[0].layers[0].weights[17] = -2.0),
            "hidden layer 1 weight number 17 is -2, expected at most 1.9844 either way"
        );
        assert_eq!(
            refused(|floats| floats.heads[0].layers[2].weights[3] = 1.7),
            "output weight number 3 is 1.7, expected at most 1.6801 either way"
        );
        assert_eq!(
            refused(|floats| floats.rows[9] = 300.0),
            "feature weight number 9 is 300, expected at most 258.0079 either way"
        );
        assert_eq!(
            refused(|floats| floats.bias[0] = f32::NAN),
            "accumulator bias number 0 is NaN, expected at most 258.0079 either way"
        );
        assert_eq!(
            refused(|floats| floats.heads[0].layers[1].bias[0] = f32::INFINITY),
            "hidden layer 2 bias number 0 is inf, expected at most 264208.1259 either way"
        );
        assert_eq!(
            refused(|floats| floats.bias.truncate(255)),
            "accumulator bias has 255 numbers, expected 256"
        );
        assert_eq!(refused(|floats| floats.heads.clear()), "the list of buckets has 0 numbers, expected 1");
    }

    #[test]
    fn a_direct_output_uses_its_own_scales() {
        let arch = Arch {
            activation: Activation::Squared,
            hidden: vec![],
            buckets: 2,
            psqt: true,
            scales: Scales { input: 255, hidden: 64, output: 255 * 64, pawn: 4080 },
            ..Arch::seed(4)
        };
        let weights = quantise(&arch, &floats(&arch, 1.0)).expect("ones fit");
        assert_eq!((weights.bias[0], weights.psqt[0]), (255, 16_320));
        let output = &weights.heads[1].layers[0];
        assert_eq!((output.weights[0], output.bias[0]), (64, 16_320));
    }
}
