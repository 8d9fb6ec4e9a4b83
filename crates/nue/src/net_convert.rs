// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue net convert`: the same network in another format.

use std::path::PathBuf;

use clap::Args;

use crate::net_file::{self, OutputArgs};

/// Write a network in another format, compressed or not.
///
/// The weights stay as they are: a network that the format cannot hold is refused.
#[derive(Args)]
pub(crate) struct Convert {
    /// A network file of any format, compressed or not
    #[arg(value_name = "IN")]
    source: PathBuf,

    #[command(flatten)]
    output: OutputArgs,
}

impl Convert {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        self.output.save(&net_file::load(&self.source)?, Some(&self.source))
    }
}
