// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue data`: from games to training records.

mod common;
mod convert;
mod filter;
mod import;
mod label;
mod progress;
mod selfplay;
mod show;
mod shuffle;
mod split;
mod stats;
mod stats_plot;

use std::process::ExitCode;

use clap::{Args, Subcommand};

/// Make, change and look at training data.
///
/// Input is read by what it is, plain or compressed (.zst, .gz, .bz2): games as .pgn, .vf (viriformat), .nga (our
/// archive) or .binpack (Stockfish); positions as .nsam (our samples), .bullet, .marlin, .txt or .epd, .plain and
/// .csv (Lichess puzzles). What is written depends on the ending of its name. Interrupted work goes on where it
/// was when the same command is given again, and a manifest beside each output tells where it comes from.
#[derive(Args)]
pub(crate) struct Data {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Import(import::Import),
    Label(label::Label),
    Selfplay(Box<selfplay::Selfplay>),
    Filter(filter::Filter),
    Shuffle(shuffle::Shuffle),
    Split(split::Split),
    Stats(stats::Stats),
    Convert(convert::Convert),
    Show(show::Show),
}

impl Data {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {
            Command::Import(import) => import.run()?,
            Command::Label(label) => label.run()?,
            Command::Selfplay(selfplay) => selfplay.run()?,
            Command::Filter(filter) => filter.run()?,
            Command::Shuffle(shuffle) => shuffle.run()?,
            Command::Split(split) => split.run()?,
            Command::Stats(stats) => stats.run()?,
            Command::Convert(convert) => convert.run()?,
            Command::Show(show) => show.run()?,
        }
        Ok(ExitCode::SUCCESS)
    }
}
