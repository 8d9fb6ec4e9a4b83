// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue uci`, or plain `nue`: the engine on standard input and output.

use std::{
    io::{self, BufReader, IsTerminal},
    process::ExitCode,
};

use anyhow::Context;
use clap::Args;

/// Speak UCI on standard input and output (the default).
///
/// This is how chess programs and match runners use an engine. By hand, begin with "help".
#[derive(Args)]
pub(crate) struct Uci {}

impl Uci {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        if io::stdin().is_terminal() {
            say!("Nue speaks UCI here: type 'help' for its commands, or start it with --help.");
        }
        engine::uci::run(BufReader::new(io::stdin()), io::stdout()).context("the UCI session broke off")?;
        Ok(ExitCode::SUCCESS)
    }
}
