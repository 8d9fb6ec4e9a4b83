// SPDX-License-Identifier: GPL-3.0-or-later
//! The shape of a network as one value: sizes, activations, scales.
//!
//! Whoever trains, writes, reads or runs a network works from the same [`Arch`]; nothing about the shape is
//! written anywhere else. King buckets are not part of it: they belong to the features.

use std::fmt;

use thiserror::Error;

/// What a neuron makes of its sum.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Activation {
    /// Clipped ReLU: the sum, held between 0 and 1.
    Clipped,
    /// Squared clipped ReLU: the square of that.
    Squared,
    /// Of the accumulator only: neuron `i` of the first half times neuron `i` of the second, both clipped.
    Pairwise,
}

impl Activation {
    /// All activations.
    pub const ALL: [Activation; 3] = [Activation::Clipped, Activation::Squared, Activation::Pairwise];
}

impl fmt::Display for Activation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Activation::Clipped => "clipped",
            Activation::Squared => "squared",
            Activation::Pairwise => "pairwise",
        })
    }
}

/// Which integer stands for 1.0, place by place.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Scales {
    /// Weights and biases of the features, and with them the accumulator and the limit of its activation.
    pub input: i16,
    /// Weights of the hidden layers; a power of two, since sums are divided by shifting.
    pub hidden: i32,
    /// The raw output.
    pub output: i32,
    /// The raw output that is worth a pawn: how users read it, without effect on the arithmetic.
    pub pawn: i32,
}

/// The shape of a network.
///
/// `inputs → width` for each of two views with the same weights, the side to move first, then the activation,
/// then the hidden layers if there are any, then one output. Everything after the accumulator exists
/// once per output bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arch {
    /// The number of features, which is the size of the feature set.
    pub inputs: usize,
    /// The accumulator of one view: one of [`Arch::WIDTHS`].
    pub width: usize,
    /// What becomes of the accumulator.
    pub activation: Activation,
    /// Sizes of the hidden layers, at most three, each of at most 64 neurons.
    pub hidden: Vec<usize>,
    /// What becomes of the sums of the hidden layers: clipped or squared.
    pub hidden_activation: Activation,
    /// Whether the next layer takes the first hidden layer twice: the squares of its sums, whatever their sign, and its
    /// clipped sums. The last of its neurons goes straight to the output instead (Stockfish's networks since 2022).
    pub twofold: bool,
    /// How many sets of layers there are; the number of pieces chooses.
    pub buckets: usize,
    /// Whether every feature also has a direct say in the output, one weight per bucket.
    pub psqt: bool,
    /// How much of the hand-crafted evaluation is added to the output, in percent: 0 for a network that judges alone.
    ///
    /// A network beside it learns only what it misses, for which few positions are enough.
    pub hand_crafted: u16,
    /// Which integers stand for 1.0.
    pub scales: Scales,
}

/// A shape that cannot be had.
#[derive(Debug, Error, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ArchError {
    #[error("{0} inputs, expected 1 to {max}", max = Arch::MAX_INPUTS)]
    Inputs(usize),
    #[error("width {0}, expected one of {widths:?}", widths = Arch::WIDTHS)]
    Width(usize),
    #[error("hidden layers {0:?}, expected at most {layers} of 1 to {neurons} neurons", layers = Arch::MAX_HIDDEN, neurons = Arch::MAX_NEURONS)]
    Hidden(Vec<usize>),
    #[error("hidden activation {0}, expected clipped or squared")]
    HiddenActivation(Activation),
    #[error("hidden layers {0:?}, expected 2 to {max} neurons and a layer behind them, all clipped, to be taken twofold", max = Arch::MAX_TWOFOLD)]
    Twofold(Vec<usize>),
    #[error("{0} output buckets, expected 1 to {max}", max = Arch::MAX_BUCKETS)]
    Buckets(usize),
    #[error("{0} percent of the hand-crafted evaluation, expected 0 to {max}", max = Arch::MAX_HAND_CRAFTED)]
    HandCrafted(u16),
    #[error("input scale {0}, expected 1 to {1}")]
    InputScale(i16, i16),
    #[error("hidden scale {0}, expected a power of two from 2 to {1}")]
    HiddenScale(i32, i32),
    #[error("output scale {0} with a pawn of {1}, expected both from 1 to 16777216")]
    OutputScale(i32, i32),
    #[error("weights of {0} bytes, expected at most {max}", max = Arch::MAX_BYTES)]
    Bytes(u64),
}

impl Arch {
    /// The widths that the forward pass is compiled for.
    pub const WIDTHS: [usize; 7] = [128, 256, 384, 512, 768, 1024, 1536];
    /// The most inputs.
    pub const MAX_INPUTS: usize = 1 << 24;
    /// The most hidden layers.
    pub const MAX_HIDDEN: usize = 3;
    /// The most neurons of a hidden layer.
    pub const MAX_NEURONS: usize = 64;
    /// The most neurons of a layer that is taken twofold.
    pub const MAX_TWOFOLD: usize = 16;
    /// The most output buckets.
    pub const MAX_BUCKETS: usize = 16;
    /// The most percent of the hand-crafted evaluation.
    pub const MAX_HAND_CRAFTED: u16 = 400;
    /// The most bytes that the weights of a network may take: no honest file comes near.
    pub const MAX_BYTES: u64 = 1 << 30;

    /// The limit of activations that dense layers take as bytes.
    pub(crate) const BYTE_LIMIT: i32 = 127;

    /// The seed network `inputs → 256x2 → 32 → 32 → 1` with the scales of Karhan's table 4.1.
    ///
    /// Output 9600 is 16 times 600, Stockfish's factor between network and score; a pawn is 208 there.
    pub fn seed(inputs: usize) -> Arch {
        Arch {
            inputs,
            width: 256,
            activation: Activation::Clipped,
            hidden: vec![32, 32],
            hidden_activation: Activation::Clipped,
            twofold: false,
            buckets: 1,
            psqt: false,
            hand_crafted: 0,
            scales: Scales { input: 127, hidden: 64, output: 9600, pawn: 16 * 208 },
        }
    }

    /// Checks that the shape can be had.
    pub fn check(&self) -> Result<(), ArchError> {
        if !(1..=Arch::MAX_INPUTS).contains(&self.inputs) {
            return Err(ArchError::Inputs(self.inputs));
        }
        if !Arch::WIDTHS.contains(&self.width) {
            return Err(ArchError::Width(self.width));
        }
        let fits = |&neurons: &usize| (1..=Arch::MAX_NEURONS).contains(&neurons);
        if self.hidden.len() > Arch::MAX_HIDDEN || !self.hidden.iter().all(fits) {
            return Err(ArchError::Hidden(self.hidden.clone()));
        }
        if self.hidden_activation == Activation::Pairwise {
            return Err(ArchError::HiddenActivation(self.hidden_activation));
        }
        if self.twofold && !self.can_be_twofold() {
            return Err(ArchError::Twofold(self.hidden.clone()));
        }
        if !(1..=Arch::MAX_BUCKETS).contains(&self.buckets) {
            return Err(ArchError::Buckets(self.buckets));
        }
        if self.hand_crafted > Arch::MAX_HAND_CRAFTED {
            return Err(ArchError::HandCrafted(self.hand_crafted));
        }
        self.check_scales()?;
        match self.bytes() {
            bytes if bytes > Arch::MAX_BYTES => Err(ArchError::Bytes(bytes)),
            _ => Ok(()),
        }
    }

    fn can_be_twofold(&self) -> bool {
        let sizes = self.hidden.len() > 1 && (2..=Arch::MAX_TWOFOLD).contains(&self.hidden[0]);
        sizes && self.hidden_activation == Activation::Clipped
    }

    fn check_scales(&self) -> Result<(), ArchError> {
        let Scales { input, hidden, output, pawn } = self.scales;
        let bytes = !self.hidden.is_empty() && self.activation == Activation::Clipped;
        let limit = if bytes { Arch::BYTE_LIMIT as i16 } else { 255 };
        if !(1..=limit).contains(&input) {
            return Err(ArchError::InputScale(input, limit));
        }
        // Sums that are squared must fit 16 bits up to 1.0.
        let largest = if self.twofold { 256 } else { 16_384 };
        if !(2..=largest).contains(&hidden) || !(hidden as u32).is_power_of_two() {
            return Err(ArchError::HiddenScale(hidden, largest));
        }
        let sensible = 1..=(1 << 24);
        if !sensible.contains(&output) || !sensible.contains(&pawn) {
            return Err(ArchError::OutputScale(output, pawn));
        }
        Ok(())
    }

    /// Neurons of both views after the activation: the inputs of the first layer behind it.
    pub fn activations(&self) -> usize {
        match self.activation {
            Activation::Clipped | Activation::Squared => 2 * self.width,
            Activation::Pairwise => self.width,
        }
    }

    /// Inputs and outputs of every layer behind the accumulator, the output last.
    pub fn layers(&self) -> Vec<(usize, usize)> {
        let mut inputs = self.activations();
        let mut layers = Vec::new();
        for &outputs in self.hidden.iter().chain(&[1]) {
            layers.push((inputs, outputs));
            inputs = if self.twofold && layers.len() == 1 { 2 * (outputs - 1) } else { outputs };
        }
        layers
    }

    /// Bytes of one weight behind the accumulator: dense layers multiply bytes, an output without any 16 bits.
    pub(crate) fn layer_weight_bytes(&self) -> usize {
        if self.hidden.is_empty() { 2 } else { 1 }
    }

    /// How many bytes all weights take in a file.
    pub fn bytes(&self) -> u64 {
        let (inputs, width, buckets) = (self.inputs as u64, self.width as u64, self.buckets as u64);
        let accumulator = 2 * width * (inputs + 1);
        let psqt = if self.psqt { 4 * inputs * buckets } else { 0 };
        let layer = |(inputs, outputs)| (outputs * (4 + self.layer_weight_bytes() * inputs)) as u64;
        accumulator + psqt + buckets * self.layers().into_iter().map(layer).sum::<u64>()
    }

    /// How far products of two accumulator values are shifted so that they fit the dense layers' bytes.
    pub(crate) fn product_shift(&self) -> u32 {
        let product = i32::from(self.scales.input) * i32::from(self.scales.input);
        (0..16).find(|&shift| product >> shift <= Arch::BYTE_LIMIT).unwrap_or(16)
    }

    /// How far sums of hidden layers are shifted: the hidden scale as a power of two.
    pub(crate) fn hidden_shift(&self) -> u32 {
        self.scales.hidden.trailing_zeros()
    }

    /// The sum of a neuron of the first hidden layer that stands for 1.0 where it goes straight to the output.
    pub(crate) fn shortcut_one(&self) -> i64 {
        i64::from(Arch::BYTE_LIMIT) * i64::from(self.scales.hidden)
    }

    /// Which bucket a position with this many pieces (2 to 32) uses: equal shares, the fullest board last.
    #[inline]
    pub fn bucket(&self, pieces: u32) -> usize {
        (pieces.clamp(1, 32) as usize - 1) * self.buckets / 32
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}x2 {}", self.inputs, self.width, self.activation)?;
        for (number, neurons) in self.hidden.iter().enumerate() {
            write!(f, " -> {neurons}")?;
            f.write_str(if self.twofold && number == 0 { " twofold" } else { "" })?;
        }
        if !self.hidden.is_empty() && self.hidden_activation != Activation::Clipped {
            write!(f, " {}", self.hidden_activation)?;
        }
        f.write_str(" -> 1")?;
        if self.buckets > 1 {
            write!(f, ", {} buckets", self.buckets)?;
        }
        f.write_str(if self.psqt { ", psqt" } else { "" })?;
        match self.hand_crafted {
            0 => Ok(()),
            percent => write!(f, ", beside {percent} % of the hand-crafted evaluation"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_network_has_the_size_of_its_file() {
        let arch = Arch::seed(41_024);
        assert_eq!(arch.check(), Ok(()));
        // A Stockfish 12 file less its header of 189 bytes and two hashes.
        assert_eq!(arch.bytes(), 21_022_697 - 189 - 8);
        assert_eq!(arch.to_string(), "41024 -> 256x2 clipped -> 32 -> 32 -> 1");
    }

    #[test]
    fn impossible_shapes_are_refused_by_name() {
        let refused = |change: fn(&mut Arch)| {
            let mut arch = Arch::seed(768);
            change(&mut arch);
            arch.check().expect_err("an impossible shape").to_string()
        };
        assert_eq!(
            refused(|arch| arch.width = 320),
            "width 320, expected one of [128, 256, 384, 512, 768, 1024, 1536]"
        );
        assert_eq!(refused(|arch| arch.inputs = 0), "0 inputs, expected 1 to 16777216");
        assert_eq!(
            refused(|arch| arch.hidden = vec![32, 65]),
            "hidden layers [32, 65], expected at most 3 of 1 to 64 neurons"
        );
        assert_eq!(refused(|arch| arch.buckets = 17), "17 output buckets, expected 1 to 16");
        assert_eq!(refused(|arch| arch.scales.input = 255), "input scale 255, expected 1 to 127");
        assert_eq!(
            refused(|arch| arch.scales.hidden = 96),
            "hidden scale 96, expected a power of two from 2 to 16384"
        );
        assert_eq!(
            refused(|arch| arch.hidden_activation = Activation::Pairwise),
            "hidden activation pairwise, expected clipped or squared"
        );
        assert_eq!(
            refused(|arch| (arch.twofold, arch.hidden) = (true, vec![16])),
            "hidden layers [16], expected 2 to 16 neurons and a layer behind them, all clipped, to be taken twofold"
        );
        assert_eq!(
            refused(|arch| (arch.twofold, arch.hidden, arch.scales.hidden) = (true, vec![16, 32], 512)),
            "hidden scale 512, expected a power of two from 2 to 256"
        );
        assert_eq!(
            refused(|arch| arch.hand_crafted = 401),
            "401 percent of the hand-crafted evaluation, expected 0 to 400"
        );
        assert_eq!(
            refused(|arch| (arch.inputs, arch.width) = (1 << 24, 1536)),
            "weights of 51539710244 bytes, expected at most 1073741824"
        );
    }

    #[test]
    fn products_fit_bytes_and_waste_nothing() {
        for input in 1..=255 {
            let mut arch = Arch::seed(768);
            (arch.activation, arch.scales.input) = (Activation::Squared, input);
            let top = (i32::from(input) * i32::from(input)) >> arch.product_shift();
            assert!((1..=127).contains(&top) && (top >= 63 || input < 8), "{input}: {top}");
        }
    }

    #[test]
    fn buckets_share_the_piece_counts() {
        let mut arch = Arch::seed(768);
        assert!((2..=32).all(|pieces| arch.bucket(pieces) == 0));
        arch.buckets = 8;
        assert_eq!([2, 4, 5, 28, 29, 32].map(|pieces| arch.bucket(pieces)), [0, 0, 1, 6, 7, 7]);
    }
}
