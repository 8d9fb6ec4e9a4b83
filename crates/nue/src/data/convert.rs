// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue data convert`: the same in another kind of file.

use clap::Args;

use super::common::{Inputs, Target, Work};

/// Write games or positions in another format.
///
/// From games to positions every position in which a move was made is written; from positions to games each becomes a
/// game of one move. What the target cannot do without (a score, a result, a move) makes a position skipped.
#[derive(Args)]
#[command(after_help = "Examples:
  nue data convert games.vf -o games.nga
  nue data convert stage1.binpack -o stage1.vf
  nue data convert games.vf -o triplets.nsam --triplets")]
pub(crate) struct Convert {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    target: Target,

    /// Give each position another legal move, drawn at random (PQR triplets)
    #[arg(long)]
    triplets: bool,

    /// What chance depends on
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    work: Work,
}

impl Convert {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let convert = data::Convert {
            command: "convert",
            output: self.target.output.clone(),
            filter: data::Filter::default(),
            triplets: self.triplets,
            seed: self.seed,
            force: self.target.force,
        };
        self.work.on_files(&self.inputs, |source, effort, watch| convert.run(source, effort, watch))
    }
}
