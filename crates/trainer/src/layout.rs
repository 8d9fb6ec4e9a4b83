// SPDX-License-Identifier: GPL-3.0-or-later
//! Which numbers are learned: the list of tensors, with the limits and steps that the integers set them.

use features::chess::{FeatureSet, sets::View};
use nnue::{Activation, Arch, ArchError};
use rules::Random;
use thiserror::Error;

use crate::factor::{Factor, FactorError};

/// The tensors of a network in training.
#[derive(Clone, Debug)]
pub struct Layout {
    /// What the network sees.
    pub features: FeatureSet,
    /// Its shape.
    pub arch: Arch,
    /// The factoriser, if there is one.
    pub factor: Option<Factor>,
    /// The tensors: feature rows, accumulator bias, then weights and bias of every layer of every bucket, then
    /// the virtual rows, then the direct weights, if there are any.
    pub tensors: Vec<Tensor>,
    /// The share of the accumulator's activations that training drops at random.
    pub dropout: f64,
}

/// Numbers that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// What they are, for messages.
    pub name: String,
    /// How many there are.
    pub len: usize,
    /// The largest size that fits the integers of the exported network.
    pub limit: f32,
    /// Which integer stands for 1.0.
    pub quantum: f32,
    /// The largest size at the start.
    start: f32,
}

/// Where the integers cut off fractions of activations: which number stands for 1.0 there. Without rounding, the default.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Grid {
    /// Before two of them are multiplied.
    pub before: Option<f32>,
    /// After it.
    pub after: Option<f32>,
    /// Half of what an integer 1 is worth in the sums that the activations come from. Only sums that are farther than
    /// this from 0 and 1 lie between them: at the ends the order of an addition would decide.
    pub margin: f32,
}

/// A network that cannot be trained.
#[derive(Debug, Error, PartialEq)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum LayoutError {
    #[error(transparent)]
    Arch(#[from] ArchError),
    #[error(transparent)]
    Factor(#[from] FactorError),
    #[error(
        "the features '{0}' rotate the board, but records do not tell which side was to move; expected 'mirror'"
    )]
    Rotated(String),
}

/// Behind the accumulator sums may be this large, so that they never overflow.
const SUM_LIMIT: f64 = (1 << 29) as f64;

impl Layout {
    /// The index of the feature rows.
    pub const ROWS: usize = 0;
    /// The index of the accumulator's bias.
    pub const BIAS: usize = 1;

    /// The tensors of a network.
    pub fn new(features: FeatureSet, arch: Arch, factorised: bool) -> Result<Layout, LayoutError> {
        arch.check()?;
        if features.expression().frame.view == View::Rotate {
            return Err(LayoutError::Rotated(features.to_string()));
        }
        let factor = if factorised { Some(Factor::new(&features)?) } else { None };
        let input = f64::from(arch.scales.input);
        // All rows of a position and the bias together fit 16 bits.
        let active = features.max_active();
        let most = (f64::from(i16::MAX) / (active + 1) as f64).floor() / input;
        let row_limit = if factor.is_some() { most / 2.0 } else { most };
        let spread = 1.0 / (0.75 * active as f64).sqrt();
        let row_start = if factor.is_some() { 0.0 } else { 0.6 * spread };
        let mut tensors = vec![
            Tensor::new("feature weights", arch.inputs * arch.width, row_limit, input, row_start),
            Tensor::new("accumulator bias", arch.width, most, input, 0.3),
        ];
        for bucket in 0..arch.buckets {
            head(&arch, bucket, &mut tensors);
        }
        if let Some(factor) = &factor {
            let len = factor.count * arch.width;
            tensors.push(Tensor::new("shared feature weights", len, row_limit, input, 0.6 * spread));
        }
        if arch.psqt {
            let (len, quantum) = (arch.inputs * arch.buckets, f64::from(arch.scales.output));
            // The sums of all features of a view stay below what the integers add up safely.
            tensors.push(Tensor::new(
                "direct weights",
                len,
                SUM_LIMIT / active as f64 / quantum,
                quantum,
                0.0,
            ));
        }
        Ok(Layout { features, arch, factor, tensors, dropout: 0.0 })
    }

    /// The same with dropout.
    pub fn with_dropout(self, dropout: f64) -> Layout {
        Layout { dropout, ..self }
    }

    /// The indices of weights and bias of a layer.
    pub fn layer(&self, bucket: usize, layer: usize) -> (usize, usize) {
        let weights = 2 + 2 * (bucket * self.layers() + layer);
        (weights, weights + 1)
    }

    /// Layers behind the accumulator.
    pub fn layers(&self) -> usize {
        self.arch.hidden.len() + 1
    }

    /// The index of the virtual rows.
    pub fn shared(&self) -> Option<usize> {
        self.factor.as_ref().map(|_| self.tensors.len() - 1 - usize::from(self.arch.psqt))
    }

    /// The index of the direct weights: of every row, one for each bucket.
    pub fn direct(&self) -> Option<usize> {
        self.arch.psqt.then(|| self.tensors.len() - 1)
    }

    /// Which number stands for 1.0 in the inputs of every layer, where the integers cut off what is smaller: before they
    /// are multiplied or squared, and after it. None where the integers are exact.
    pub fn grids(&self) -> Vec<Grid> {
        let arch = &self.arch;
        let mut one = one_after_accumulator(arch);
        let exact = arch.activation == Activation::Clipped || arch.hidden.is_empty();
        let margin = |tensor: usize| 0.5 / self.tensors[tensor].quantum;
        let after = (!exact).then_some(one as f32);
        let mut grids = vec![Grid { before: None, after, margin: margin(Layout::BIAS) }];
        for layer in 0..arch.hidden.len() {
            let before = Some(one as f32);
            one = one_after_hidden(arch, one);
            let squared = arch.hidden_activation == Activation::Squared;
            let (_, bias) = self.layer(0, layer);
            grids.push(Grid { before, after: squared.then_some(one as f32), margin: margin(bias) });
        }
        grids
    }

    /// How many centipawns an output of 1.0 is worth.
    pub fn unit(&self) -> f64 {
        100.0 * f64::from(self.arch.scales.output) / f64::from(self.arch.scales.pawn)
    }

    /// How many numbers are learned.
    pub fn parameters(&self) -> usize {
        self.tensors.iter().map(|tensor| tensor.len).sum()
    }

    /// Numbers to begin with.
    pub fn start(&self, seed: u64) -> Vec<Vec<f32>> {
        (0..)
            .zip(&self.tensors)
            .map(|(number, tensor)| tensor.begin(&mut Random::stream(seed, number)))
            .collect()
    }
}

impl Tensor {
    fn new(name: &str, len: usize, limit: f64, quantum: f64, start: f64) -> Tensor {
        let floats = [limit, quantum, start.min(limit)].map(|number| number as f32);
        Tensor { name: name.to_owned(), len, limit: floats[0], quantum: floats[1], start: floats[2] }
    }

    fn begin(&self, random: &mut Random) -> Vec<f32> {
        (0..self.len).map(|_| self.start * (2.0 * random.unit() as f32 - 1.0)).collect()
    }

    /// The nearest number that the integers can hold.
    #[inline(always)]
    pub fn rounded(&self, number: f32) -> f32 {
        (number * self.quantum).round() / self.quantum
    }
}

/// The scales are those of [`nnue::quantise`]; a test compares.
fn head(arch: &Arch, bucket: usize, tensors: &mut Vec<Tensor>) {
    let (hidden, output) = (f64::from(arch.scales.hidden), f64::from(arch.scales.output));
    let mut one = one_after_accumulator(arch);
    for (number, (inputs, outputs)) in arch.layers().into_iter().enumerate() {
        let last = number == arch.hidden.len();
        let (name, weight, bias) = match last {
            true => ("output".to_owned(), output / one, output),
            false => (format!("hidden layer {}", number + 1), hidden, hidden * one),
        };
        let largest = match (arch.hidden.is_empty(), arch.activation) {
            (false, _) => f64::from(i8::MAX),
            (true, Activation::Clipped) => f64::from(i16::MAX),
            // Weight and activation are multiplied in 16 bits.
            (true, _) => (f64::from(i16::MAX) / f64::from(arch.scales.input)).floor(),
        };
        let start = (if last { 1.0 } else { 2.0 }) / (inputs as f64).sqrt();
        let name = if arch.buckets > 1 { format!("{name} of bucket {bucket}") } else { name };
        tensors.push(Tensor::new(
            &format!("{name} weights"),
            inputs * outputs,
            largest / weight,
            weight,
            start,
        ));
        let bias_start = if last { 0.0 } else { 0.1 };
        tensors.push(Tensor::new(&format!("{name} bias"), outputs, SUM_LIMIT / bias, bias, bias_start));
        one = one_after_hidden(arch, one);
    }
}

/// Which number stands for 1.0 behind a hidden layer's activation, if `one` does before it.
fn one_after_hidden(arch: &Arch, one: f64) -> f64 {
    if arch.hidden_activation == Activation::Squared { one * one / 128.0 } else { one }
}

/// Which number stands for 1.0 behind the accumulator's activation.
fn one_after_accumulator(arch: &Arch) -> f64 {
    let input = i32::from(arch.scales.input);
    match arch.activation {
        Activation::Squared | Activation::Pairwise if !arch.hidden.is_empty() => {
            let shift = (0..16).find(|&shift| (input * input) >> shift <= 127).unwrap_or(16);
            f64::from(input * input) / f64::from(1 << shift)
        }
        _ => f64::from(input),
    }
}

#[cfg(test)]
mod tests {
    use nnue::{Net, Scales};

    use super::*;
    use crate::export;

    fn archs() -> Vec<Arch> {
        let seed = Arch::seed(768);
        let wide = Scales { input: 255, ..seed.scales };
        vec![
            seed.clone(),
            Arch {
                activation: Activation::Pairwise,
                buckets: 3,
                hidden: vec![16, 32],
                scales: wide,
                ..seed.clone()
            },
            Arch {
                activation: Activation::Squared,
                hidden_activation: Activation::Squared,
                scales: wide,
                ..seed.clone()
            },
            Arch {
                activation: Activation::Squared,
                hidden: vec![],
                scales: Scales { input: 255, hidden: 64, output: 255 * 64, pawn: 4080 },
                ..seed
            },
        ]
    }

    #[test]
    fn limits_and_steps_are_those_of_the_quantiser() {
        for arch in archs() {
            let layout = Layout::new(FeatureSet::parse("Piece").unwrap(), arch.clone(), false).unwrap();
            // Every number at its limit still fits; and three steps are the integer 3.
            let at = |value: fn(&Tensor) -> f32| -> Vec<Vec<f32>> {
                layout.tensors.iter().map(|tensor| vec![value(tensor); tensor.len]).collect()
            };
            let full = export::integers(&layout, &at(|tensor| 0.999_999 * tensor.limit)).unwrap();
            let net = |weights| Net {
                features: layout.features.clone(),
                arch: arch.clone(),
                run: String::new(),
                weights,
            };
            // Sums of thousands of largest weights do not fit, but single numbers do.
            assert!(full.rows.iter().all(|&row| i32::from(row) * 33 <= 32_767));
            let three = export::integers(&layout, &at(|tensor| 3.0 / tensor.quantum)).unwrap();
            net(three.clone()).check().unwrap();
            assert_eq!((three.rows[0], three.bias[0]), (3, 3));
            for layer in three.heads.iter().flat_map(|head| &head.layers) {
                assert_eq!((layer.weights[0], layer.bias[0]), (3, 3), "{arch}");
            }
            let beyond =
                at(|tensor| if tensor.name.ends_with("weights") { 1.02 * tensor.limit } else { 0.0 });
            let beyond = export::integers(&layout, &beyond);
            assert!(beyond.is_err() || arch.hidden.is_empty(), "{arch}");
        }
    }

    #[test]
    fn impossible_networks_are_refused() {
        let refused = |text: &str, change: fn(&mut Arch), factorised| {
            let features = FeatureSet::parse(text).unwrap();
            let mut arch = Arch::seed(features.size());
            change(&mut arch);
            Layout::new(features, arch, factorised).unwrap_err().to_string()
        };
        assert!(refused("HalfKP-SF12", |_| {}, false).contains("rotate the board"));
        assert!(refused("Piece", |arch| arch.width = 3, false).starts_with("width 3"));
        assert!(refused("Piece", |_| {}, true).contains("no factor for the king"));
    }
}
