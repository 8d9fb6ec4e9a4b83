// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue bench`: searches a fixed set of positions.

use std::process::ExitCode;

use clap::Args;
use engine::{Evaluation, Options, bench};

/// Search the built-in positions and count nodes.
///
/// On one thread the node count is a signature of the search: it is the same on every machine, and changes
/// only when the engine plays differently.
#[derive(Args)]
#[command(after_help = "Examples:
  nue bench
  nue bench --depth 16 --threads 2
  nue bench --net halfkp.nnue

The last line reads: <nodes> nodes <nps> nps")]
pub(crate) struct Bench {
    /// Search each position this deep
    #[arg(long, value_name = "N", default_value_t = bench::DEPTH)]
    depth: u32,

    /// Threads that search together
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,

    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MB", default_value_t = 16)]
    hash: usize,

    /// What to evaluate with: the file of a network, built-in or hand-crafted
    #[arg(long, value_name = "FILE", default_value = "built-in")]
    net: Evaluation,
}

impl Bench {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let Bench { depth, threads, hash, net } = self;
        let options = Options { threads, hash_mb: hash, evaluation: net, ..Options::default() };
        say!("{}", bench::run(options, depth)?);
        Ok(ExitCode::SUCCESS)
    }
}
