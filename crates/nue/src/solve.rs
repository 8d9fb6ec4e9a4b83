// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue epd`: searches every position of a suite and counts what was found.

mod puzzle;

use std::{fs, path::PathBuf, process::ExitCode, time::Duration};

use anyhow::{Context, bail};
use clap::Args;
use engine::{Controls, Engine, Limits, Options, Score};
use formats::epd::{self, Epd, EpdError};
use rules::chess::{Game, Move};

use self::puzzle::Puzzle;
use crate::workers;

/// Solve a suite of test positions.
///
/// Understands best moves (bm), moves to avoid (am), mates (bm #3) and points per move as the Strategic
/// Test Suite writes them (c0 "f5=10, Be5=2", or c8 and c9).
#[derive(Args)]
#[command(after_help = "Examples:
  nue epd wac.epd
  nue epd wac.epd --movetime 1000 --threads 4
  nue epd sts.epd --nodes 200000

Every position starts with empty tables, so a run with --nodes can be repeated exactly.")]
pub(crate) struct Solve {
    /// The suite
    file: PathBuf,

    /// Search each position for this many nodes [default: 1000000]
    #[arg(long, value_name = "N", conflicts_with = "movetime")]
    nodes: Option<u64>,

    /// Search each position for this many milliseconds
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,

    /// Positions to search side by side, each on one thread
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,

    /// Hash table of each thread in MiB
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: usize,
}

/// What the engine found.
struct Found {
    best: Option<Move>,
    score: Option<Score>,
    depth: u32,
}

/// Sums over the suite.
#[derive(Default)]
struct Tally {
    done: usize,
    solved: usize,
    points: u64,
    most_points: u64,
}

impl Solve {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let text = fs::read_to_string(&self.file)
            .with_context(|| format!("cannot read the suite {}", self.file.display()))?;
        let puzzles = read_puzzles(&text);
        if puzzles.is_empty() {
            bail!("{} has no position to solve", self.file.display());
        }
        let limits = match self.movetime {
            Some(ms) => Limits { movetime: Some(Duration::from_millis(ms)), ..Limits::default() },
            None => Limits { nodes: Some(self.nodes.unwrap_or(1_000_000)), ..Limits::default() },
        };
        let engine = || {
            let options = Options { hash_mb: self.hash, ..Options::default() };
            Engine::with_options(options).expect("only the path of endgame tables can be refused")
        };

        let mut tally = Tally::default();
        workers::run(
            &puzzles,
            self.threads,
            engine,
            |engine, puzzle| (puzzle, search(engine, puzzle, &limits)),
            |(puzzle, found)| tally.add(puzzle, &found, puzzles.len()),
        );
        tally.print();
        Ok(ExitCode::SUCCESS)
    }
}

/// The puzzles of a suite; lines that give none are named and left out.
fn read_puzzles(text: &str) -> Vec<Puzzle> {
    epd::parse_lines(text)
        .filter_map(|(number, epd)| match puzzle(epd, number) {
            Ok(puzzle) => Some(puzzle),
            Err(reason) => {
                say!("left out: {reason:#}");
                None
            }
        })
        .collect()
}

fn puzzle(epd: Result<Epd, EpdError>, line: usize) -> anyhow::Result<Puzzle> {
    Puzzle::new(&epd.with_context(|| format!("line {line}"))?, line)
}

fn search(engine: &mut Engine, puzzle: &Puzzle, limits: &Limits) -> Found {
    engine.clear();
    let (mut score, mut depth) = (None, 0);
    let choice = engine.search(&Game::new(puzzle.board), limits, &Controls::new(), &mut |report| {
        score = Some(report.score);
        depth = report.depth;
    });
    Found { best: choice.best, score, depth }
}

impl Tally {
    /// Counts a result and shows it.
    fn add(&mut self, puzzle: &Puzzle, found: &Found, total: usize) {
        let solved = puzzle.is_solved(found.best, found.score);
        self.done += 1;
        self.solved += usize::from(solved);
        self.points += u64::from(puzzle.points_of(found.best));
        self.most_points += u64::from(puzzle.most_points());

        let played = found.best.map_or_else(|| "no move".to_owned(), |m| puzzle.board.to_san(m));
        let score = match found.score {
            Some(Score::Cp(value)) => format!("{:+.2}", f64::from(value) / 100.0),
            Some(Score::Mate(moves)) => format!("mate {moves}"),
            None => "?".to_owned(),
        };
        let points = match puzzle.most_points() {
            0 => String::new(),
            most => format!("  {}/{most} points", puzzle.points_of(found.best)),
        };
        let verdict = if solved { "solved" } else { "missed" };
        let wanted = if solved { String::new() } else { format!(", wanted {}", puzzle.wanted()) };
        say!(
            "{:>width$}/{total}  {verdict}  {}  {played}{wanted}  ({score}, depth {}){points}",
            self.done,
            puzzle.name,
            found.depth,
            width = total.to_string().len(),
        );
    }

    fn print(&self) {
        if self.most_points > 0 {
            let share = 100.0 * self.points as f64 / self.most_points as f64;
            say!("points {} / {} ({share:.1} %)", self.points, self.most_points);
        }
        let share = 100.0 * self.solved as f64 / self.done.max(1) as f64;
        say!("solved {} / {} ({share:.1} %)", self.solved, self.done);
    }
}
