// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue crosscheck`: does the engine play what was trained?

use std::{path::PathBuf, process::ExitCode};

use anyhow::{Context, ensure};
use clap::Args;
use trainer::{
    CrossCheck, crosscheck, read_records,
    run::{Folder, Learned, Run, some_of},
};

use crate::net_file;

/// Compare the trained network with its integers over many positions.
///
/// Both values become win rates. The network is good if the mean error is under 1 % and not one position in a
/// thousand is off by 3 % or more; otherwise the command fails. What counts is the network as it was trained: with
/// fake_quantisation that is the rounded one, and what the rounding itself changes is told besides.
#[derive(Args)]
pub(crate) struct Crosscheck {
    /// The folder of the run
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// A file of games or positions with scores; without it the run's own: those held out, and others where they are few
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,

    /// The network to compare with; without it the last checkpoint, rounded
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,

    /// How many positions to compare
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    positions: usize,
}

impl Crosscheck {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let (learned, records) = match &self.data {
            Some(path) => {
                let learned = Learned::open(&Folder::open(&self.folder)?)?;
                (
                    learned,
                    some_of(&super::reading(|mut reading| read_records(path, &mut reading))?, self.positions),
                )
            }
            None => super::reading(|reading| Run::look(&self.folder, self.positions, reading))?,
        };
        let net = match &self.net {
            Some(path) => net_file::load(path)?,
            None => learned.net()?,
        };
        ensure!(!records.is_empty(), "no positions to compare");
        let scale = learned.config.loss.scale;
        let check = crosscheck(&learned.layout, net.clone(), &records, &learned.outputs(&records)?, scale)
            .context("comparing")?;
        let percent = |share: f64| format!("{:.3} %", 100.0 * share);
        say!("positions        {}", check.positions);
        say!("mean error       {} (under {})", percent(check.mean), percent(CrossCheck::MEAN));
        say!("99.9th percentile {} (under {})", percent(check.high), percent(CrossCheck::HIGH));
        say!("largest error    {} at position {}", percent(check.worst), check.worst_at);
        if learned.config.network.fake_quantisation {
            let plain =
                crosscheck(&learned.layout, net, &records, &learned.outputs_with(&records, false)?, scale)
                    .context("comparing without rounding")?;
            let (mean, high) = (percent(plain.mean), percent(plain.high));
            say!("of the rounding  mean {mean}, 99.9th percentile {high}");
        }
        say!("verdict          {}", if check.is_good() { "good" } else { "not good" });
        Ok(if check.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
