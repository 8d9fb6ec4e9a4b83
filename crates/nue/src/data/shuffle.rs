// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue data shuffle`: an exact shuffle of files larger than memory.

use clap::Args;

use super::common::{Inputs, Target, Work};

/// Put records into a random order, every order being equally likely.
///
/// Files may be larger than memory: records are spread over bucket files beside the output, which need as much room
/// again, and these are sorted one by one. The order depends on the input and the seed alone. Games (.vf) are moved as
/// wholes; into a file of positions they are taken apart, and the positions shuffled.
#[derive(Args)]
#[command(after_help = "Examples:
  nue data shuffle quiet.nsam -o train.nsam --memory 1024
  nue data shuffle a.vf b.vf.zst -o positions.bullet --seed 7")]
pub(crate) struct Shuffle {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    target: Target,

    /// MiB of records in memory at once
    #[arg(long, value_name = "MB", default_value_t = 512)]
    memory: usize,

    /// What the order depends on
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    work: Work,
}

impl Shuffle {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let shuffle = data::Shuffle {
            output: self.target.output.clone(),
            memory: self.memory,
            seed: self.seed,
            force: self.target.force,
        };
        self.work.on_files(&self.inputs, |source, effort, watch| shuffle.run(source, effort, watch))
    }
}
