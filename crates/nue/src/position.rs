// SPDX-License-Identifier: GPL-3.0-or-later
//! The position a subcommand works on.

use anyhow::Context;
use clap::Args;
use rules::chess::Board;

/// A position on the command line.
#[derive(Args)]
pub(crate) struct PositionArgs {
    /// The position in FEN, X-FEN or Shredder-FEN; the start position if not given.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
}

impl PositionArgs {
    pub(crate) fn board(&self) -> anyhow::Result<Board> {
        match &self.fen {
            Some(fen) => Board::from_fen(fen).context("--fen does not give a position"),
            None => Ok(Board::start()),
        }
    }
}
