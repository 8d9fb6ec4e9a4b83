// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue resume`: a training run that was interrupted goes on.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use trainer::run::Run;

/// Go on with an interrupted training run.
///
/// It goes on from the last checkpoint and ends with the same network as if it had never been interrupted.
#[derive(Args)]
pub(crate) struct Resume {
    /// The folder of the run
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

impl Resume {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        super::go(super::reading(|reading| Run::resume(&self.folder, reading))?)
    }
}
