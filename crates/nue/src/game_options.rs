// SPDX-License-Identifier: GPL-3.0-or-later
//! How games are played: the options that all commands with games share, and what becomes of them.

use std::{path::PathBuf, str::FromStr, time::Duration};

use anyhow::{Context, bail, ensure};
use arena::{Conditions, Patience, Settings, fingerprint};
use clap::{Args, ValueEnum};
use contest::{
    TimeControl,
    adjudicate::{self, DrawRule, ResignRule},
};
use engine::Tablebases;
use formats::book::{Book, BookError, Order};
use serde_json::json;

/// The end of `--help` wherever games are played.
pub(crate) const ENGINES_HELP: &str = "\
Engines are described by parts with commas between them (\\, is a comma inside a part, \\\\ a backslash):
  cmd=PATH             the program; or the single word own: the engine inside nue, without a pipe (which is
                       an advantage on the clock, so rather for games by nodes or depth)
                       A script should exec its engine: what it starts otherwise outlives it.
  name=NAME            its name in tables and games
  arg=ARGUMENT         an argument of the program; may be repeated
  dir=FOLDER           the folder it is started in; PATH is looked for from here all the same
  tc=CONTROL           its own time control, for odds
  option.NAME=VALUE    a UCI option; may be repeated

Time controls: 8+0.08 (seconds and increment), 40/60 (moves and seconds), 40/60+1, movetime=0.1 (seconds for
each move), nodes=5000, depth=9.

Books: .epd, .fen or .txt (a position on each line), .pgn (the moves of each game) or .bin (Polyglot), plain
or compressed (zstd, gzip, bzip2). Every opening is played with both colours.";

/// The longest patience in seconds: a year, which can still be added to any moment.
const MOST_PATIENCE: u64 = 365 * 24 * 3600;

/// A rule that may be switched off. Not called an `Option`, which clap takes for one that may be left out.
type Switchable<Rule> = Option<Rule>;

fn rule_or_none<Rule: FromStr>(text: &str) -> Result<Switchable<Rule>, Rule::Err> {
    match text {
        "none" => Ok(None),
        rule => rule.parse().map(Some),
    }
}

/// How games are played.
#[derive(Args)]
pub(crate) struct GameOptions {
    /// Time control of all engines without one of their own
    #[arg(long = "tc", value_name = "CONTROL", default_value = "8+0.08")]
    pub(crate) time_control: TimeControl,

    /// Opening book; without one all games begin with the start position, or with those of Chess960
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    /// Order of the openings
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = BookOrder::Random)]
    order: BookOrder,

    /// Cut the lines of a PGN or Polyglot book after so many half-moves
    #[arg(long, value_name = "N")]
    plies: Option<usize>,

    /// What decides everything that is random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Games played at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) concurrency: usize,

    /// Milliseconds by which a clock may be overdrawn
    #[arg(long, value_name = "MS", default_value_t = 10)]
    margin: u64,

    /// Seconds to wait for answers that no clock limits [default: 30, and 120 for a move]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(..=MOST_PATIENCE))]
    patience: Option<u64>,

    /// Draw when, from move MOVE on, both engines stay within SCORE centipawns for COUNT moves; or none
    #[arg(long, value_name = "MOVE,COUNT,SCORE", default_value = "40,8,8", value_parser = rule_or_none::<DrawRule>)]
    draw: Switchable<DrawRule>,

    /// Win when both engines, or only the loser, see one side behind by SCORE centipawns for COUNT moves; or none
    #[arg(long, value_name = "COUNT,SCORE[,one-sided]", default_value = "4,600", value_parser = rule_or_none::<ResignRule>)]
    resign: Switchable<ResignRule>,

    /// Moves by each side after which a game is a draw
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..))]
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
}

/// In which order openings are drawn.
#[derive(Copy, Clone, ValueEnum)]
enum BookOrder {
    /// As they stand in the book
    Sequential,
    /// Shuffled by the seed
    Random,
}

impl GameOptions {
    /// Refuses what makes no games.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        ensure!(self.concurrency > 0, "no game could be played at a concurrency of 0");
        Ok(())
    }

    pub(crate) fn book(&self) -> anyhow::Result<Option<Book>> {
        let order = match self.order {
            BookOrder::Sequential => Order::Sequential,
            BookOrder::Random => Order::Random(self.seed),
        };
        let Some(path) = &self.book else { return Ok(self.chess960.then(|| Book::chess960(order))) };
        let book = match Book::read(path, self.plies, order) {
            Err(error @ BookError::Decided { plies: 1.., .. }) => {
                bail!("{error}: --plies N cuts lines after N half-moves")
            }
            book => book?,
        };
        if let Some(line) = book.first_chess960_line().filter(|_| !self.chess960) {
            let book = path.display();
            bail!("opening book {book}, line {line}: castling from other squares is for --chess960");
        }
        Ok(Some(book))
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
        adjudicate::Rules { draw: self.draw, resign: self.resign, max_moves }
    }

    /// Everything here that results depend on.
    pub(crate) fn settings(&self) -> Settings {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let adjudication = self.adjudication();
        let value = json!({
            "tc": self.time_control.to_string(),
            "book": path(&self.book),
            "book_content": self.book.as_deref().and_then(|path| fingerprint(path).ok()),
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
        });
        value.as_object().cloned().unwrap_or_default()
    }
}
