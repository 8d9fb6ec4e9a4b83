// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue perft`: counts the positions of the move tree, for one position or a suite of them.

mod suite;

use std::{
    path::PathBuf,
    process::ExitCode,
    time::{Duration, Instant},
};

use clap::Args;
use rules::perft::{self, Options};

use crate::position::PositionArgs;

/// Count the positions a number of half-moves away.
///
/// The counts are known for many positions, which makes them the proof of a move generator.
#[derive(Args)]
#[command(after_help = "Examples:
  nue perft 6
  nue perft 5 --divide --fen 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'
  nue perft 8 --threads 4 --hash 1024
  nue perft --suite standard.epd --max-nodes 10000000 --threads 4

A line of a suite reads: FEN ;D1 20 ;D2 400 ;D3 8902
The exit code is 1 if any count of a suite differs.")]
pub(crate) struct Perft {
    /// How many half-moves
    #[arg(required_unless_present = "suite", conflicts_with = "suite")]
    depth: Option<u32>,

    #[command(flatten)]
    position: PositionArgs,

    /// Show the count below every move
    #[arg(long)]
    divide: bool,

    /// Threads to use: they share the moves of the position, or the lines of a suite
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,

    /// Remember counts in a table of this many MiB (for a suite: one table per thread and count)
    #[arg(long, value_name = "MB", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1 << 20))]
    hash: u32,

    /// Compare with the counts of these EPD files instead
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["fen", "divide"])]
    suite: Vec<PathBuf>,

    /// With --suite: leave out counts above this
    #[arg(long, value_name = "N", requires = "suite")]
    max_nodes: Option<u64>,

    /// With --suite: leave out depths above this
    #[arg(long = "depth", value_name = "D", requires = "suite")]
    max_depth: Option<u32>,
}

impl Perft {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let hash_mb = self.hash as usize;
        let Some(depth) = self.depth else {
            let budget = suite::Budget { max_nodes: self.max_nodes, max_depth: self.max_depth };
            return suite::run(&self.suite, budget, self.threads, hash_mb);
        };
        let board = self.position.board()?;
        let start = Instant::now();
        let counts = perft::divide(&board, depth, Options { threads: self.threads, hash_mb });
        let time = start.elapsed();
        if self.divide {
            for (m, leaves) in &counts {
                say!("{}: {leaves}", m.to_uci(false));
            }
            say!("");
        }
        // Zero half-moves away there is the position itself, below no move.
        let nodes = if depth == 0 { 1 } else { counts.iter().map(|(_, leaves)| leaves).sum() };
        print_speed(nodes, time);
        Ok(ExitCode::SUCCESS)
    }
}

/// The three closing lines of every count.
pub(crate) fn print_speed(nodes: u64, time: Duration) {
    say!("nodes             {nodes}");
    say!("seconds           {:.3}", time.as_secs_f64());
    say!("nodes per second  {:.0}", nodes as f64 / time.as_secs_f64().max(1e-9));
}
