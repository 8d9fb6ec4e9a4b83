// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue data filter`: only the positions worth training on.

use clap::Args;

use super::common::{Inputs, Target, Work};

/// Keep the positions worth training on.
///
/// Without an option of its own the filter keeps what trainers usually keep: quiet positions from half-move 16 on with
/// at least four pieces and a score within 10,000. Games are taken apart, so the output is a file of positions.
#[derive(Args)]
#[command(after_help = "Examples:
  nue data filter games.vf -o quiet.nsam
  nue data filter games.vf -o some.bullet --max-score 2000 --consistent 600 --share 0.25
  nue data filter games.nga -o late.nsam --loud --min-ply 40 --max-pieces 12")]
pub(crate) struct Filter {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    target: Target,

    /// Also positions in check, or whose move captures or promotes
    #[arg(long)]
    loud: bool,

    /// The largest score of either side, in centipawns; 0 for any or none
    #[arg(long, value_name = "CP", default_value_t = 10_000)]
    max_score: u16,

    /// The fewest half-moves since the beginning of the game
    #[arg(long, value_name = "N", default_value_t = 16)]
    min_ply: u32,

    /// The most half-moves
    #[arg(long, value_name = "N", default_value_t = u32::MAX, hide_default_value = true)]
    max_ply: u32,

    /// The fewest pieces on the board
    #[arg(long, value_name = "N", default_value_t = 4)]
    min_pieces: u32,

    /// The most pieces on the board
    #[arg(long, value_name = "N", default_value_t = 32)]
    max_pieces: u32,

    /// No positions of a side that is ahead by so much and lost the game
    #[arg(long, value_name = "CP")]
    consistent: Option<u16>,

    /// Keep this share of all positions, chosen at random
    #[arg(long, value_name = "SHARE", default_value_t = 1.0)]
    share: f64,

    /// Give each position another legal move, drawn at random (PQR triplets)
    #[arg(long)]
    triplets: bool,

    /// What chance depends on
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    work: Work,
}

impl Filter {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let filter = data::Filter {
            quiet: !self.loud,
            max_score: (self.max_score > 0).then_some(self.max_score),
            plies: self.min_ply..=self.max_ply,
            pieces: self.min_pieces..=self.max_pieces,
            consistent: self.consistent,
            share: self.share,
        };
        let convert = data::Convert {
            command: "filter",
            output: self.target.output.clone(),
            filter,
            triplets: self.triplets,
            seed: self.seed,
            force: self.target.force,
        };
        self.work.on_files(&self.inputs, |source, effort, watch| convert.run(source, effort, watch))
    }
}
