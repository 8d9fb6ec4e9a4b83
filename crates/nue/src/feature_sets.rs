// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue features`: what a feature set is, and how it fares in games.

mod stats;

use std::process::ExitCode;

use anyhow::{Context, ensure};
use clap::{Args, Subcommand};
use features::chess::{FeatureSet, Features, provided};
use rules::{
    Color,
    chess::{Board, Square},
};

use self::stats::Stats;

/// Show feature sets: what a network sees of a position.
///
/// A set is a name, or an expression of basic sets, products and sums: 'King x (Square x Role5 x Colour)'.
#[derive(Args)]
#[command(after_help = "Examples:
  nue features list
  nue features show 'Piece + File x Role x Colour'
  nue features show HalfKP --fen '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'
  nue features stats HalfKP games.pgn.zst --games 10000

Basic sets: File Rank Square Diagonal Antidiagonal · Role Role5 Role[PNB] Colour Own Enemy ·
  King KingFile KingRank Bucket[0 1 2 3 3 2 1 0/4 4 4 4 4 4 4 4] RelativeFile RelativeRank · Unused
Products: ×, x or *. Sums: ⊕ or +. Modifiers after a comma: rotate, mirror, fold a-d, fold e-h, counted")]
pub(crate) struct FeatureSets {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the sets that have a name
    List,
    Show(Show),
    Stats(Stats),
}

/// Describe a set, and what it sees of a position.
#[derive(Args)]
struct Show {
    /// A name or an expression
    #[arg(value_name = "EXPR")]
    set: String,

    /// A position of which to list the active features
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// An index to explain
    #[arg(long, value_name = "N")]
    index: Vec<u32>,
}

impl FeatureSets {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {
            Command::List => list(),
            Command::Show(show) => show.run()?,
            Command::Stats(stats) => stats.run()?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn list() {
    for provided in provided() {
        let set = FeatureSet::compile(provided.expression()).expect("a provided set is in range");
        say!("{}\n  {}", provided.name, provided.about);
        say!("  {}", provided.text);
        say!("  {} features, {} king classes\n", set.size(), set.classes());
    }
}

/// The set of a name or an expression.
pub(crate) fn parse(text: &str) -> anyhow::Result<FeatureSet> {
    FeatureSet::parse(text).with_context(|| format!("'{text}' is no feature set"))
}

impl Show {
    fn run(self) -> anyhow::Result<()> {
        let set = parse(&self.set)?;
        let size = set.size();
        if let Some(name) = set.name() {
            say!("name              {name}");
        }
        say!("expression        {set}");
        say!("features          {size}, {} of them dead", set.dead().len());
        say!("active            at most {} in a view, {} for a piece", set.max_active(), set.max_rows());
        let sharing = match (set.shares(), set.is_counted()) {
            (false, _) => "never",
            (true, false) => "yes, counted once",
            (true, true) => "yes, each counted",
        };
        say!("shared by pieces  {sharing}");
        say!("king classes      {}: a move to another class refreshes the view", set.classes());
        if set.classes() > 1 {
            print_classes(&set);
        }
        for index in self.index {
            ensure!((index as usize) < size, "index {index}, expected one below {size}");
            say!("{index:>8}  {}", set.describe(index));
        }
        if let Some(fen) = self.fen {
            print_active(&set, &Board::from_fen(&fen).context("--fen does not give a position")?);
        }
        Ok(())
    }
}

/// The classes of White's king as a diagram.
fn print_classes(set: &FeatureSet) {
    for rank in (0..8).rev() {
        let class = |file| format!("{:>3}", set.class(Color::White, Square::at(file, rank)));
        say!("  {} {}", rank + 1, (0..8).map(class).collect::<String>());
    }
    say!("      a  b  c  d  e  f  g  h");
}

fn print_active(set: &FeatureSet, board: &Board) {
    for view in Color::ALL {
        let mut indices = Vec::new();
        Features::active(set, board, view, &mut indices);
        indices.sort_unstable();
        say!("{view} sees {}", indices.len());
        for index in indices {
            say!("{index:>8}  {}", set.describe(index));
        }
    }
}
