// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue export`: the network of a training run as it is at its last checkpoint.

use std::{path::PathBuf, process::ExitCode};

use anyhow::{Context, ensure};
use clap::Args;
use trainer::run::{Folder, Learned};

use crate::net_file::OutputArgs;

/// Write the network of a training run, rounded to integers.
///
/// The last checkpoint counts, whether the run is finished or not. A weight that does not fit is an error.
#[derive(Args)]
pub(crate) struct Export {
    /// The folder of the run
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    #[command(flatten)]
    output: OutputArgs,
}

impl Export {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let learned = Learned::open(&Folder::open(&self.folder)?)?;
        ensure!(learned.steps() > 0, "{}: has no checkpoint yet", self.folder.display());
        let net = learned.net().with_context(|| self.folder.display().to_string())?;
        self.output.save(&net, &[])?;
        Ok(ExitCode::SUCCESS)
    }
}
