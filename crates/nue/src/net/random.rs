// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue net random`: a network that knows nothing, of any features and shape.

use clap::Args;
use nnue::{Activation, Affine, Arch, Head, Net, Scales, Weights};

use crate::{feature_sets, net_file::OutputArgs};

/// Write a network with random weights.
///
/// It plays badly, but it runs: a feature set can be tried in the engine before anything is trained. The
/// weights are such that neurons are on, off and between, and values stay within about three pawns.
#[derive(Args)]
#[command(after_help = "Examples:
  nue net random toy.net --features HalfKP
  nue net random toy.net --features 'King x (Square x Role x Colour), fold a-d' --width 512 \\
      --activation pairwise --hidden 16,32 --buckets 8 --psqt --seed 7")]
pub(crate) struct Random {
    #[command(flatten)]
    output: OutputArgs,

    /// What the network sees: a name or an expression, see 'nue features --help'
    #[arg(long, value_name = "EXPR")]
    features: String,

    /// Neurons of the accumulator of each view
    #[arg(long, value_name = "M", default_value_t = 256)]
    width: usize,

    /// What becomes of the accumulator: clipped, squared or pairwise
    #[arg(long, value_name = "NAME", default_value = "clipped", value_parser = activation)]
    activation: Activation,

    /// Sizes of the hidden layers, or 'none'
    #[arg(long, value_name = "N,N,..", default_value = "32,32", value_parser = sizes)]
    hidden: Sizes,

    /// What becomes of the hidden layers: clipped or squared
    #[arg(long, value_name = "NAME", default_value = "clipped", value_parser = activation)]
    hidden_activation: Activation,

    /// Hand the first hidden layer on twice, as squares and clipped, its last neuron straight to the output
    #[arg(long)]
    twofold: bool,

    /// Output buckets, chosen by the number of pieces
    #[arg(long, value_name = "N", default_value_t = 1)]
    buckets: usize,

    /// Give every feature a direct say in the output, too
    #[arg(long)]
    psqt: bool,

    /// Add the output to so many percent of the hand-crafted evaluation
    #[arg(long, value_name = "PERCENT", default_value_t = 0)]
    hand_crafted: u16,

    /// The same seed gives the same network
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

#[derive(Clone)]
struct Sizes(Vec<usize>);

fn sizes(text: &str) -> Result<Sizes, String> {
    if text == "none" {
        return Ok(Sizes(Vec::new()));
    }
    let sizes: Result<Vec<usize>, _> = text.split(',').map(str::parse).collect();
    sizes.map(Sizes).map_err(|_| "expected sizes such as 32,32, or none".to_owned())
}

fn activation(text: &str) -> Result<Activation, String> {
    let found = Activation::ALL.into_iter().find(|activation| activation.to_string() == text);
    found.ok_or_else(|| "expected clipped, squared or pairwise".to_owned())
}

impl Random {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let features = feature_sets::parse(&self.features)?;
        let arch = Arch {
            inputs: features.size(),
            width: self.width,
            activation: self.activation,
            hidden_activation: self.hidden_activation,
            twofold: self.twofold,
            buckets: self.buckets,
            psqt: self.psqt,
            hand_crafted: self.hand_crafted,
            scales: scales(self.activation, &self.hidden.0),
            hidden: self.hidden.0,
        };
        arch.check()?;
        let run = format!("random weights of seed {}", self.seed);
        let dice = Dice(contest::Random::new(self.seed));
        let weights = weights(dice, &arch, features.max_active());
        self.output.save(&Net { features, arch, run, weights }, &[])
    }
}

/// Those of the seed network, as far as the shape allows.
fn scales(activation: Activation, hidden: &[usize]) -> Scales {
    let seed = Arch::seed(1).scales;
    match (hidden, activation) {
        ([], _) => Scales { input: 255, hidden: 64, output: 255 * 64, pawn: 255 * 16 },
        (_, Activation::Clipped) => seed,
        (_, Activation::Squared | Activation::Pairwise) => Scales { input: 255, ..seed },
    }
}

/// Spread of the sums before an activation, as a share of its limit: about a third of the neurons is between
/// off and full.
const SPREAD: f64 = 0.5;
/// The largest weight behind the accumulator.
const LARGEST: f64 = 127.0;

/// The root mean square of an activation of such sums, as a share of its limit.
const fn size_of_activation(activation: Activation) -> f64 {
    match activation {
        Activation::Clipped => 0.33,
        Activation::Squared => 0.26,
        Activation::Pairwise => 0.11,
    }
}

struct Dice(contest::Random);

impl Dice {
    /// A whole number with this standard deviation, all sizes up to a limit being equally likely.
    fn number<T: TryFrom<i64> + Default>(&mut self, deviation: f64) -> T {
        let limit = (deviation * 3_f64.sqrt()).round().max(1.0) as i32;
        T::try_from(self.0.within(limit).into()).unwrap_or_default()
    }

    fn numbers<T: TryFrom<i64> + Default>(&mut self, count: usize, deviation: f64) -> Vec<T> {
        (0..count).map(|_| self.number(deviation)).collect()
    }
}

fn weights(mut dice: Dice, arch: &Arch, max_active: usize) -> Weights {
    let input = f64::from(arch.scales.input);
    let active = (0.75 * max_active as f64).max(1.0);
    let direct = 0.3 * f64::from(arch.scales.pawn) * (2.0 / active).sqrt();
    let psqt = if arch.psqt { arch.inputs * arch.buckets } else { 0 };
    Weights {
        bias: dice.numbers(arch.width, 0.3 * input),
        rows: dice.numbers(arch.inputs * arch.width, 0.4 * input / active.sqrt()),
        psqt: dice.numbers(psqt, direct),
        heads: (0..arch.buckets).map(|_| head(&mut dice, arch)).collect(),
    }
}

fn head(dice: &mut Dice, arch: &Arch) -> Head {
    let dense = !arch.hidden.is_empty();
    let limit = if dense { LARGEST } else { f64::from(arch.scales.input) };
    let mut size = limit * size_of_activation(arch.activation);
    let mut layers = Vec::new();
    for (number, (inputs, outputs)) in arch.layers().into_iter().enumerate() {
        // The spread that the sums are to have, before they are divided by the scale of the layer.
        let spread = match number < arch.hidden.len() {
            true => SPREAD * LARGEST * f64::from(arch.scales.hidden),
            false => 0.9 * f64::from(arch.scales.pawn),
        };
        let deviation = (spread / (size * (inputs as f64).sqrt())).min(LARGEST / 3_f64.sqrt());
        layers.push(Affine {
            bias: dice.numbers(outputs, 0.3 * spread),
            weights: dice.numbers(inputs * outputs, deviation),
        });
        size = LARGEST * size_of_activation(arch.hidden_activation);
    }
    Head { layers }
}
