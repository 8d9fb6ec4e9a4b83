// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue net mean`: one network from several.

use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;

use crate::net_file::{self, OutputArgs};

/// Write the mean of networks, number by number.
///
/// They must have the same features and shape, and come from one: the same network refined in several ways, with other data or
/// another rate. Such a mean can be better than each of them. Of networks trained apart it is good for nothing; let
/// those teach another one (data.teachers).
#[derive(Args)]
pub(crate) struct Mean {
    /// Network files of any format, two or more
    #[arg(value_name = "IN", required = true, num_args = 2..)]
    sources: Vec<PathBuf>,

    #[command(flatten)]
    output: OutputArgs,
}

impl Mean {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let first = net_file::load(&self.sources[0])?;
        let mut others = Vec::new();
        for path in &self.sources[1..] {
            let net = net_file::load(path)?;
            let (here, there) = (path.display(), self.sources[0].display());
            ensure!(net.is_like(&first), "{here}: other features or another shape than {there}");
            others.push(net);
        }
        self.output.save(&nnue::mean(&first, &others)?, &self.sources)
    }
}
