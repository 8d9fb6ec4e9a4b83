// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue data selfplay`: games of our engine against itself.

use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use contest::adjudicate::{self, DrawRule, ResignRule};
use data::selfplay::Openings;
use engine::Evaluation;
use formats::book::{Book, Order};

use super::common::{Target, Work};

/// Play games of the engine against itself and keep moves, scores and results.
///
/// Games begin with random moves from the start position, a position of Chess960 or a book; an opening that is already
/// decided is drawn again. A game depends on the settings, the seed and its number alone. The result is viriformat
/// (.vf), which `nue data convert` turns into other formats.
#[derive(Args)]
#[command(after_help = "Examples:
  nue data selfplay --games 10000 -o games.vf
  nue data selfplay --games 10000 -o games.vf --net best.nnue --nodes 10000 --chess960 0.3 --double
  nue data selfplay --games 10000 -o games.vf --book UHO.epd.zst --random-plies 0..3")]
pub(crate) struct Selfplay {
    #[command(flatten)]
    target: Target,

    /// How many games
    #[arg(long, value_name = "N")]
    games: u64,

    /// Start no iteration of a search after this many nodes
    #[arg(long, value_name = "N", default_value_t = 5000)]
    nodes: u64,

    /// End a search at this many nodes whatever happens
    #[arg(long, value_name = "N")]
    hard_nodes: Option<u64>,

    /// What to judge positions with: the file of a network, built-in or hand-crafted
    #[arg(long, value_name = "FILE", default_value = "built-in")]
    net: Evaluation,

    /// MiB of hash table for each thread
    #[arg(long, value_name = "MB", default_value_t = 16)]
    hash: usize,

    /// Openings in EPD, PGN or Polyglot form
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    /// Random moves at the beginning, or behind a book opening [default: 8..9; with a book 0..3]
    #[arg(long, value_name = "MIN..MAX", value_parser = parse_plies)]
    random_plies: Option<[usize; 2]>,

    /// The share of games that begin with a position of Chess960
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, conflicts_with = "book")]
    chess960: f64,

    /// Let the two sides of Chess960 positions differ
    #[arg(long)]
    double: bool,

    /// Refuse openings whose first score is larger, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 400)]
    first_score: u16,

    /// The share of later moves that are random too: a network must judge positions after mistakes as well
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    random_moves: f64,

    /// Adjudicate a draw: from move MOVE on, within SCORE for COUNT moves by each side
    #[arg(long, value_name = "MOVE,COUNT,SCORE", default_value = "36,5,10")]
    draw: DrawRule,

    /// Adjudicate a win: one side ahead by SCORE for COUNT moves by each side
    #[arg(long, value_name = "COUNT,SCORE", default_value = "3,2000")]
    resign: ResignRule,

    /// Call games drawn after so many moves by each side
    #[arg(long, value_name = "N", default_value_t = 400)]
    max_moves: u32,

    /// Play every game to its end on the board
    #[arg(long)]
    no_adjudication: bool,

    /// What chance depends on
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    work: Work,
}

fn parse_plies(text: &str) -> anyhow::Result<[usize; 2]> {
    let range = text
        .split_once("..")
        .and_then(|(from, to)| Some([from.trim().parse().ok()?, to.trim().parse().ok()?]));
    match range {
        Some([from, to]) if from <= to && to <= 200 => Ok([from, to]),
        _ => anyhow::bail!("'{text}' is no range of half-moves, expected MIN..MAX"),
    }
}

impl Selfplay {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        ensure!((0.0..=1.0).contains(&self.chess960), "--chess960 {}, expected 0 to 1", self.chess960);
        ensure!(
            (0.0..=1.0).contains(&self.random_moves),
            "--random-moves {}, expected 0 to 1",
            self.random_moves
        );
        ensure!(self.nodes > 0, "--nodes 0, expected at least 1");
        ensure!(self.first_score < 15_000, "--first-score {}, expected less than 15000", self.first_score);
        let book = self.book.as_deref().map(|path| Book::read(path, None, Order::Sequential)).transpose()?;
        let [min_plies, max_plies] =
            self.random_plies.unwrap_or(if book.is_some() { [0, 3] } else { [8, 9] });
        let rules = if self.no_adjudication {
            adjudicate::Rules::default()
        } else {
            adjudicate::Rules {
                draw: Some(self.draw),
                resign: Some(self.resign),
                max_moves: Some(self.max_moves),
            }
        };
        let selfplay = data::Selfplay {
            output: self.target.output.clone(),
            games: self.games,
            soft_nodes: self.nodes,
            hard_nodes: self.hard_nodes,
            openings: Openings { book, chess960: self.chess960, double: self.double, min_plies, max_plies },
            book: self.book.clone(),
            first_score: self.first_score as i16,
            random_moves: self.random_moves,
            rules,
            net: self.net.clone(),
            hash_mb: self.hash,
            seed: self.seed,
            force: self.target.force,
        };
        self.work.on_games(self.games, |effort, watch| selfplay.run(effort, watch))
    }
}
