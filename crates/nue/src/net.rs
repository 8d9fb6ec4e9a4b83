// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue net`: network files, described, converted, mixed and made up.

mod convert;
mod info;
mod mean;
mod random;

use std::process::ExitCode;

use clap::{Args, Subcommand};

use self::{convert::Convert, info::Info, mean::Mean, random::Random};

/// Describe, convert, mix and make up network files.
#[derive(Args)]
#[command(after_help = "Examples:
  nue net info halfkp.nnue
  nue net convert halfkp.nnue halfkp.net --zstd
  nue net convert halfkp.net halfkp.nnue --format sf12
  nue net convert halfkp.nnue faster.nnue --order positions.fen
  nue net convert nn-ad9b42354671.nnue stronger.net --pawn 3328
  nue net mean refined-1.net refined-2.net refined-3.net mean.net --zstd
  nue net random toy.net --features 'RelativeFile x RelativeRank x Role5 x Colour' --width 128")]
pub(crate) struct Net {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Info(Info),
    Convert(Convert),
    Mean(Mean),
    Random(Random),
}

impl Net {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {
            Command::Info(info) => info.run()?,
            Command::Convert(convert) => convert.run()?,
            Command::Mean(mean) => mean.run()?,
            Command::Random(random) => random.run()?,
        }
        Ok(ExitCode::SUCCESS)
    }
}
