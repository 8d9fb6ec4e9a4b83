// SPDX-License-Identifier: GPL-3.0-or-later
//! The configuration of a run: one TOML file.
//!
//! Wrong keys and types are refused while reading, impossible values after it; both errors name the line.

mod check;

use std::path::PathBuf;

use nnue::{Activation, Arch, Scales};
use serde::{Deserialize, Deserializer, de::Error as _};
use thiserror::Error;

use crate::{Filter, LossSpec, OptimiserSpec, Schedule, dataset::hindsight::Hindsight};

/// A commented configuration to begin with.
pub const EXAMPLE: &str = include_str!("example.toml");

/// A run as its file describes it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// What the network will be called.
    pub name: String,
    /// The same seed, data and configuration give the same network.
    #[serde(default = "one")]
    pub seed: u64,
    /// Where to compute.
    #[serde(default)]
    pub device: Device,
    /// Threads of the CPU; 0 for all cores.
    #[serde(default)]
    pub threads: usize,
    /// How exactly the CPU computes the layer behind the accumulator.
    #[serde(default)]
    pub precision: Precision,
    /// What is trained.
    pub network: NetworkSpec,
    /// What it is trained with.
    pub data: DataSpec,
    /// What is minimised.
    #[serde(default)]
    pub loss: LossSpec,
    /// How weights follow gradients.
    #[serde(default)]
    pub optimiser: OptimiserSpec,
    /// How fast.
    pub schedule: Schedule,
    /// How long.
    pub run: RunSpec,
    /// Which games are played meanwhile.
    pub elo: Option<EloSpec>,
}

fn one() -> u64 {
    1
}

/// Where to compute.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Device {
    /// On an NVIDIA GPU if there is one, on the CPU otherwise.
    #[default]
    Auto,
    /// On the CPU.
    Cpu,
    /// On an NVIDIA GPU.
    Cuda,
}

/// How exactly the CPU computes the layer behind the accumulator on the way forward.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// With floats of 32 bits.
    #[default]
    F32,
    /// With inputs and weights of sixteen bits, and sums of 32.
    Bf16,
}

/// Features and shape of the network.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkSpec {
    /// A name or an expression of the feature algebra.
    pub features: String,
    /// Neurons of the accumulator of each view.
    pub width: usize,
    /// What becomes of the accumulator.
    #[serde(default = "clipped", deserialize_with = "activation")]
    pub activation: Activation,
    /// Sizes of the hidden layers.
    #[serde(default)]
    pub hidden: Vec<usize>,
    /// What becomes of their sums.
    #[serde(default = "clipped", deserialize_with = "activation")]
    pub hidden_activation: Activation,
    /// Output buckets by number of pieces.
    #[serde(default = "single")]
    pub buckets: usize,
    /// Whether rows of different king squares share virtual rows in training.
    #[serde(default)]
    pub factoriser: bool,
    /// Whether the forward pass of training rounds weights and activations as the integers will.
    #[serde(default)]
    pub fake_quantisation: bool,
    /// Whether every feature also has a direct say in the output, one weight per bucket.
    #[serde(default)]
    pub psqt: bool,
    /// How much of the hand-crafted evaluation is added to the output, in percent.
    #[serde(default)]
    pub hand_crafted: u16,
    /// The share of the accumulator's activations that training drops at random.
    #[serde(default)]
    pub dropout: f64,
    /// Which integers stand for 1.0.
    pub scales: Option<ScalesSpec>,
    /// The run or the network file with whose numbers this one begins, instead of random ones.
    pub start: Option<PathBuf>,
}

/// Which integers stand for 1.0; see [`Scales`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "as in Scales")]
pub struct ScalesSpec {
    pub input: i16,
    pub hidden: i32,
    pub output: i32,
    pub pawn: i32,
}

fn clipped() -> Activation {
    Activation::Clipped
}

fn single() -> usize {
    1
}

fn activation<'de, D: Deserializer<'de>>(from: D) -> Result<Activation, D::Error> {
    let text = String::deserialize(from)?;
    let found = Activation::ALL.into_iter().find(|activation| activation.to_string() == text);
    found.ok_or_else(|| {
        D::Error::custom(format!("activation '{text}', expected 'clipped', 'squared' or 'pairwise'"))
    })
}

impl NetworkSpec {
    /// The shape for a number of features.
    pub fn arch(&self, inputs: usize) -> Arch {
        let seed = Arch::seed(inputs);
        let scales = match (self.scales, self.hidden.is_empty(), self.activation) {
            (Some(ScalesSpec { input, hidden, output, pawn }), _, _) => {
                Scales { input, hidden, output, pawn }
            }
            (None, true, _) => Scales { input: 255, hidden: 64, output: 255 * 64, pawn: 255 * 16 },
            (None, false, Activation::Clipped) => seed.scales,
            (None, false, _) => Scales { input: 255, ..seed.scales },
        };
        Arch {
            inputs,
            width: self.width,
            activation: self.activation,
            hidden: self.hidden.clone(),
            hidden_activation: self.hidden_activation,
            twofold: false,
            buckets: self.buckets,
            psqt: self.psqt,
            hand_crafted: self.hand_crafted,
            scales,
        }
    }
}

/// The data of a run.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSpec {
    /// Files of games or positions with scores to learn from.
    pub files: Vec<FileSpec>,
    /// Files to check with.
    #[serde(default)]
    pub validation: Vec<PathBuf>,
    /// The share of games that is put aside to check with.
    #[serde(default)]
    pub hold_out: f64,
    /// Whether positions in check, and those before captures and promotions, are left out.
    #[serde(default)]
    pub quiet: bool,
    /// Positions after fewer half-moves are left out.
    #[serde(default)]
    pub min_ply: u32,
    /// Positions with a larger score for either side, in centipawns, are left out.
    pub max_score: Option<u16>,
    /// Whether each position is replaced by the leaf of its quiescence search.
    #[serde(default)]
    pub leaf: bool,
    /// Whether every position is learned from a second time, with left and right exchanged.
    #[serde(default)]
    pub mirror: bool,
    /// The share of the later scores of a game in those to learn from.
    #[serde(default)]
    pub hindsight: f64,
    /// The network files that judge the positions to learn from, instead of the scores of the files.
    #[serde(default)]
    pub teachers: Vec<FileSpec>,
    /// Which positions the teachers judge.
    #[serde(default)]
    pub judged: Judged,
    /// Up to how many positions beside each are learned from as well, if there are teachers to judge them.
    #[serde(default)]
    pub siblings: usize,
    /// Megabytes of records that may be in memory at once.
    #[serde(default = "four_gigabytes")]
    pub memory_mb: u64,
}

/// Which positions teachers judge.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judged {
    /// All that are learned from.
    #[default]
    All,
    /// Those beside the positions of the files, which keep their scores.
    Siblings,
}

fn four_gigabytes() -> u64 {
    4096
}

impl DataSpec {
    /// Which positions are learned from.
    pub fn filter(&self) -> Filter {
        Filter { quiet: self.quiet, min_ply: self.min_ply, max_score: self.max_score }
    }
}

/// Games of networks in the making against a reference.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EloSpec {
    /// Rounds from one match to the next.
    #[serde(default = "one")]
    pub every: u64,
    /// Games of a match.
    #[serde(default = "hundred")]
    pub games: u64,
    /// Nodes per move.
    #[serde(default = "thousand")]
    pub nodes: u64,
    /// The network of the opponent; without it the hand-crafted evaluation.
    pub reference: Option<PathBuf>,
}

fn hundred() -> u64 {
    100
}

fn thousand() -> u64 {
    1000
}

/// A file, and how much it counts: how often each of its records is seen per epoch, or what a network says in the mean.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "expected a path, or { path = PATH, weight = NUMBER }")]
pub enum FileSpec {
    /// One.
    Path(PathBuf),
    /// As much as the weight says.
    #[allow(missing_docs, reason = "the names say it")]
    Weighted { path: PathBuf, weight: f64 },
}

impl FileSpec {
    /// Path and weight.
    pub fn parts(&self) -> (PathBuf, f64) {
        match self {
            FileSpec::Path(path) => (path.clone(), 1.0),
            FileSpec::Weighted { path, weight } => (path.clone(), *weight),
        }
    }
}

/// The length of a run.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSpec {
    /// Positions to learn from, repetitions included.
    pub positions: u64,
    /// Positions per step.
    #[serde(default = "sixteen_k")]
    pub batch: usize,
    /// Positions after which the run is checked, logged and saved.
    #[serde(default = "ten_million")]
    pub round: u64,
    /// A round writes a checkpoint if this much time has passed since the last.
    #[serde(default = "twenty")]
    pub checkpoint_seconds: u64,
    /// How many checkpoints are kept.
    #[serde(default = "two")]
    pub keep: usize,
    /// After how many rounds a network is exported; 0 for the last one only.
    #[serde(default)]
    pub export_every: u64,
}

fn sixteen_k() -> usize {
    16_384
}

fn ten_million() -> u64 {
    10_000_000
}

fn two() -> usize {
    2
}

fn twenty() -> u64 {
    20
}

impl RunSpec {
    /// Steps of the whole run.
    pub fn steps(&self) -> u64 {
        self.positions.div_ceil(self.batch as u64)
    }

    /// Steps of a round.
    pub fn round_steps(&self) -> u64 {
        self.round.div_ceil(self.batch as u64).max(1)
    }
}

/// A file that describes no run.
#[derive(Debug, Error, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ConfigError {
    #[error("{0}")]
    Syntax(String),
    #[error("line {line}: {key}: {message}")]
    Value { line: usize, key: String, message: String },
}

impl Config {
    /// How much later scores of a game count, if they do.
    pub(crate) fn hindsight(&self) -> Option<Hindsight> {
        let (share, LossSpec { scale, target_scale, .. }) = (self.data.hindsight, self.loss);
        (share > 0.0).then(|| Hindsight { share, scale: target_scale.unwrap_or(scale) })
    }

    /// Reads and checks a configuration.
    pub fn parse(text: &str) -> Result<Config, ConfigError> {
        let config: Config = toml::from_str(text)
            .map_err(|error| ConfigError::Syntax(error.to_string().trim_end().to_owned()))?;
        check::check(&config).map_err(|(key, message)| ConfigError::Value {
            line: check::line_of(text, key),
            key: key.to_owned(),
            message,
        })?;
        Ok(config)
    }
}
