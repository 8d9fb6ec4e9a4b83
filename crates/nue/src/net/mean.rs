// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue net mean`: one network from several.

use std::path::PathBuf;

use clap::Args;
use nnue::NetError;

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
        let (first, others) = (&self.sources[0], &self.sources[1..]);
        let nets = others.iter().map(|path| net_file::load(path)).collect::<anyhow::Result<Vec<_>>>()?;
        let mean = nnue::mean(&net_file::load(first)?, &nets).map_err(|error| match error {
            NetError::Unlike(at) => anyhow::Error::new(error).context(others[at].display().to_string()),
            error => error.into(),
        })?;
        self.output.save(&mean, &self.sources)
    }
}
