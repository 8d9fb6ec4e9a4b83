// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue eval`: the static evaluation of a position.

use std::process::ExitCode;

use clap::Args;

use crate::position::PositionArgs;

/// Show the static evaluation of a position.
#[derive(Args)]
#[command(after_help = "Example:
  nue eval --fen '4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1'")]
pub(crate) struct Eval {
    #[command(flatten)]
    position: PositionArgs,
}

impl Eval {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let board = self.position.board()?;
        println!("{}", engine::eval::trace(&board));
        Ok(ExitCode::SUCCESS)
    }
}
