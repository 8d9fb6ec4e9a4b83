// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue net convert`: the same network in another format.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use clap::Args;
use rules::chess::Board;

use crate::net_file::{self, OutputArgs};

/// Write a network in another format, compressed or not.
///
/// The weights stay as they are (with --order in another order). A network that the format cannot hold is refused.
#[derive(Args)]
pub(crate) struct Convert {
    /// A network file of any format, compressed or not
    #[arg(value_name = "IN")]
    source: PathBuf,

    /// Rearrange the neurons by what they do in the positions of this file (a FEN per line, also as
    /// `fen | score | result`; a few thousand of real games are enough), so that more work can be passed
    /// over; the network computes the same, faster
    #[arg(long, value_name = "FENS")]
    order: Option<PathBuf>,

    /// Let so many units of the raw output be worth a pawn; with fewer the engine takes everything for worth more. Networks
    /// from elsewhere may need it: the search plays best with 3328 for that of Stockfish 15.1, which says 5776 (only our
    /// format has a place for it)
    #[arg(long, value_name = "UNITS")]
    pawn: Option<i32>,

    #[command(flatten)]
    output: OutputArgs,
}

impl Convert {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut net = net_file::load(&self.source)?;
        if let Some(path) = &self.order {
            nnue::order_neurons(&mut net, &positions(path)?)?;
        }
        if let Some(units) = self.pawn {
            net.arch.scales.pawn = units;
            net.check().context("--pawn")?;
        }
        self.output.save(&net, &[self.source])
    }
}

fn positions(path: &Path) -> anyhow::Result<Vec<Board>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let position = |(number, line): (usize, &str)| {
        let fen = line.split('|').next().unwrap_or(line);
        Board::from_fen(fen.trim()).with_context(|| format!("{} line {}", path.display(), number + 1))
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(position).collect()
}
