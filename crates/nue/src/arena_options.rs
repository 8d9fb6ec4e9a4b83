// SPDX-License-Identifier: GPL-3.0-or-later
//! The options that `nue match` and `nue sprt` share, and what becomes of them.

use std::{path::PathBuf, time::Duration};

use anyhow::{Context, ensure};
use arena::{Conditions, EngineSpec, Files, Patience, Settings};
use clap::{Args, ValueEnum};
use contest::{
    TimeControl,
    adjudicate::{self, DrawRule, ResignRule},
};
use engine::Tablebases;
use formats::book::{Book, Order};
use serde_json::json;

/// The end of `--help`, for both commands.
pub(crate) const ENGINES_HELP: &str = "\
Engines are described by parts with commas between them (\\, is a comma inside a part):
  cmd=PATH             the program; or the single word own: the engine inside nue, without a pipe (which is
                       an advantage on the clock, so rather for games by nodes or depth)
  name=NAME            its name in tables and games
  arg=ARGUMENT         an argument of the program; may be repeated
  dir=FOLDER           the folder it is started in
  tc=CONTROL           its own time control, for odds
  option.NAME=VALUE    a UCI option; may be repeated

Time controls: 8+0.08 (seconds and increment), 40/60 (moves and seconds), 40/60+1, movetime=0.1 (seconds for
each move), nodes=5000, depth=9.

Books: .epd or .fen (a position on each line), .pgn (the moves of each game) or .bin (Polyglot), plain or
compressed (zstd, gzip, bzip2). Every opening is played with both colours.";

/// Who plays, and how.
#[derive(Args)]
pub(crate) struct ArenaOptions {
    /// An engine, see below; give the option once for each
    #[arg(long = "engine", value_name = "SPEC", required = true)]
    pub(crate) engines: Vec<EngineSpec>,

    /// Time control of all engines without one of their own
    #[arg(long = "tc", value_name = "CONTROL", default_value = "8+0.08")]
    pub(crate) time_control: TimeControl,

    /// Opening book; without one all games begin with the start position
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    /// Order of the openings
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = BookOrder::Random)]
    order: BookOrder,

    /// Cut the lines of a PGN or Polyglot book after so many half-moves
    #[arg(long, value_name = "N")]
    plies: Option<usize>,

    /// What decides the random order
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Games played at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) concurrency: usize,

    /// Where to write the games; what is in the file stays
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// State file, from which an interrupted run goes on [default: the PGN file with .state at its end]
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// Begin anew: delete the state file and the PGN file
    #[arg(long)]
    fresh: bool,

    /// Milliseconds by which a clock may be overdrawn
    #[arg(long, value_name = "MS", default_value_t = 10)]
    margin: u64,

    /// Seconds to wait for answers that no clock limits [default: 30, and 120 for a move]
    #[arg(long, value_name = "SECONDS")]
    patience: Option<u64>,

    /// Draw when, from move MOVE on, both engines stay within SCORE centipawns for COUNT moves
    #[arg(long, value_name = "MOVE,COUNT,SCORE", default_value = "40,8,8")]
    draw: DrawRule,

    /// Win when both engines, or only the loser, see one side behind by SCORE centipawns for COUNT moves
    #[arg(long, value_name = "COUNT,SCORE[,one-sided]", default_value = "4,600")]
    resign: ResignRule,

    /// Moves by each side after which a game is a draw
    #[arg(long, value_name = "N", default_value_t = 400)]
    max_moves: u32,

    /// Ignore --draw, --resign and --max-moves: only the rules and --syzygy end games
    #[arg(long)]
    no_adjudication: bool,

    /// Folders with Syzygy tables that end games whose outcome they know, separated as in PATH
    #[arg(long, value_name = "PATH")]
    syzygy: Option<PathBuf>,

    /// Play by the rules of Chess960
    #[arg(long)]
    chess960: bool,

    /// What the match is called in the PGN file
    #[arg(long, value_name = "NAME", default_value = "Engine match")]
    pub(crate) event: String,

    /// Print the result as JSON, and the course of the match on standard error
    #[arg(long)]
    pub(crate) json: bool,
}

/// In which order openings are drawn.
#[derive(Copy, Clone, ValueEnum)]
enum BookOrder {
    /// As they stand in the book
    Sequential,
    /// Shuffled by the seed
    Random,
}

impl ArenaOptions {
    /// Refuses what makes no match.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        ensure!(self.concurrency > 0, "no game could be played at a concurrency of 0");
        for (index, engine) in self.engines.iter().enumerate() {
            let again = self.engines[..index].iter().any(|other| other.name == engine.name);
            ensure!(!again, "two engines are called '{}': give one another name=", engine.name);
        }
        Ok(())
    }

    /// The names of the engines.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.engines.iter().map(|engine| engine.name.as_str()).collect()
    }

    pub(crate) fn book(&self) -> anyhow::Result<Option<Book>> {
        let order = match self.order {
            BookOrder::Sequential => Order::Sequential,
            BookOrder::Random => Order::Random(self.seed),
        };
        Ok(self.book.as_deref().map(|path| Book::read(path, self.plies, order)).transpose()?)
    }

    pub(crate) fn conditions(&self) -> anyhow::Result<Conditions> {
        let tablebases = match &self.syzygy {
            Some(path) => {
                Some(Tablebases::open(path).with_context(|| format!("Syzygy tables in {}", path.display()))?)
            }
            None => None,
        };
        let patience = self.patience.map(Duration::from_secs).map_or_else(Patience::default, |time| {
            Patience { start: time, ready: time, thought: time, ..Patience::default() }
        });
        Ok(Conditions {
            margin: Duration::from_millis(self.margin),
            patience,
            adjudication: self.adjudication(),
            tablebases,
            chess960: self.chess960,
        })
    }

    fn adjudication(&self) -> adjudicate::Rules {
        if self.no_adjudication {
            return adjudicate::Rules::default();
        }
        let max_moves = Some(self.max_moves);
        adjudicate::Rules { draw: Some(self.draw), resign: Some(self.resign), max_moves }
    }

    /// The files of the match, cleared away first if it is to begin anew.
    pub(crate) fn files(&self) -> anyhow::Result<Files> {
        let beside = |pgn: &PathBuf| {
            let mut name = pgn.clone().into_os_string();
            name.push(".state");
            PathBuf::from(name)
        };
        let state = self.state.clone().or_else(|| self.pgn.as_ref().map(beside));
        let files = Files { state, pgn: self.pgn.clone() };
        if self.fresh {
            arena::Ledger::remove(&files)?;
        }
        Ok(files)
    }

    /// Everything that the results depend on: a run goes on only with the same.
    pub(crate) fn settings(&self) -> Settings {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let adjudication = self.adjudication();
        let value = json!({
            "engines": self.engines.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "tc": self.time_control.to_string(),
            "book": path(&self.book),
            "order": match self.order {
                BookOrder::Sequential => "sequential".to_owned(),
                BookOrder::Random => format!("random {}", self.seed),
            },
            "plies": self.plies,
            "margin": self.margin,
            "draw": adjudication.draw.map(|rule| [rule.from_move, rule.count, rule.score]),
            "resign": adjudication.resign.map(|rule| json!([rule.count, rule.score, rule.two_sided])),
            "max_moves": adjudication.max_moves,
            "syzygy": path(&self.syzygy),
            "chess960": self.chess960,
            "pgn": path(&self.pgn),
        });
        value.as_object().cloned().unwrap_or_default()
    }
}
