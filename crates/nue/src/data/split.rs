// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue data split`: training and test sets that share no game.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::common::{Inputs, Work};

/// Divide games into parts that share none.
///
/// A hash of start and moves decides where a game goes, so that copies of a game go the same way and a later run agrees
/// with an earlier one. Files of positions are refused: positions of one game are alike and must stay together.
#[derive(Args)]
#[command(after_help = "Examples:
  nue data split games.vf --part train.vf=95 --part valid.vf=5
  nue data split games.pgn.zst --part train.nsam=0.9 --part valid.nsam=0.1")]
pub(crate) struct Split {
    #[command(flatten)]
    inputs: Inputs,

    /// A file and its share, at least two of them; shares are compared with each other
    #[arg(long = "part", value_name = "FILE=SHARE", required = true, value_parser = parse_part)]
    parts: Vec<(PathBuf, f64)>,

    /// What the division depends on; 0 divides as `nue data import --part` does
    #[arg(long, value_name = "N", default_value_t = data::import::PART_SEED)]
    seed: u64,

    /// Replace the output, or begin anew what was interrupted
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    work: Work,
}

fn parse_part(text: &str) -> anyhow::Result<(PathBuf, f64)> {
    let expected = || format!("'{text}' is no part, expected FILE=SHARE");
    let (file, share) = text.rsplit_once('=').with_context(expected)?;
    Ok((file.into(), share.parse().with_context(expected)?))
}

impl Split {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let split = data::Split { parts: self.parts.clone(), seed: self.seed, force: self.force };
        self.work.on_files(&self.inputs, |source, effort, watch| split.run(source, effort, watch))
    }
}
