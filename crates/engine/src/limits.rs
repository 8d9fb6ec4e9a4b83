// SPDX-License-Identifier: GPL-3.0-or-later
//! What a search is told: settings, limits, and the switches that end it from outside.

use std::{
    convert::Infallible,
    fmt,
    path::PathBuf,
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use rules::chess::Move;

/// Who judges positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// The network that comes with the engine.
    #[default]
    BuiltIn,
    /// Counted terms, each with a coefficient.
    HandCrafted,
    /// A network in a file.
    File(PathBuf),
}

impl FromStr for Evaluation {
    type Err = Infallible;

    /// `built-in` (or nothing), `hand-crafted`, with or without the angle brackets that UCI has for words that are
    /// no text; everything else is the path of a file.
    fn from_str(text: &str) -> Result<Evaluation, Infallible> {
        let word = text.strip_prefix('<').and_then(|text| text.strip_suffix('>')).unwrap_or(text);
        Ok(match word {
            "" | "empty" | "built-in" => Evaluation::BuiltIn,
            "hand-crafted" => Evaluation::HandCrafted,
            _ => Evaluation::File(text.into()),
        })
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluation::BuiltIn => f.write_str("built-in"),
            Evaluation::HandCrafted => f.write_str("hand-crafted"),
            Evaluation::File(path) => path.display().fmt(f),
        }
    }
}

/// Settings that stay from search to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Size of the transposition table in MiB.
    pub hash_mb: usize,
    /// Threads that search together.
    pub threads: usize,
    /// How many best lines to find.
    pub multi_pv: usize,
    /// Whether castling is printed as king takes rook.
    pub chess960: bool,
    /// Whether reports show win, draw and loss chances.
    pub show_wdl: bool,
    /// Whether to play at `elo` rather than at full strength.
    pub limit_strength: bool,
    /// The strength to play at when limited.
    pub elo: u32,
    /// Folders with Syzygy tables, separated as in `PATH`.
    pub syzygy_path: Option<PathBuf>,
    /// Who judges positions.
    pub evaluation: Evaluation,
    /// Time kept back on each move for the way to the opponent and back.
    pub move_overhead: Duration,
}

impl Options {
    /// The range of [`Options::elo`].
    pub const ELO_RANGE: std::ops::RangeInclusive<u32> = 400..=3000;
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash_mb: 16,
            threads: 1,
            multi_pv: 1,
            chess960: false,
            show_wdl: false,
            limit_strength: false,
            elo: *Options::ELO_RANGE.end(),
            syzygy_path: None,
            evaluation: Evaluation::default(),
            move_overhead: Duration::from_millis(10),
        }
    }
}

/// The clock of the side to move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until more time is given; the rest of the game if unknown.
    pub moves_to_go: Option<u32>,
}

/// When a search ends; without any limit it goes on until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Finish this iteration, then stop.
    pub depth: Option<u32>,
    /// Stop after exactly this many nodes.
    pub nodes: Option<u64>,
    /// Start no iteration after this many nodes.
    pub soft_nodes: Option<u64>,
    /// Stop when a mate in at most this many moves is found.
    pub mate: Option<u32>,
    /// Search for this long.
    pub movetime: Option<Duration>,
    /// Share out the time of a clock.
    pub clock: Option<Clock>,
    /// Think on the opponent's time: no limit applies before [`Controls::ponder_hit`].
    pub ponder: bool,
    /// Consider only these moves; all if empty.
    pub search_moves: Vec<Move>,
    /// When the clock began to run; the start of the search if not known.
    pub since: Option<Instant>,
}

impl Limits {
    /// Whether nothing but a stop ends the search.
    pub(crate) fn is_unlimited(&self) -> bool {
        let Limits { search_moves, since, .. } = self.clone();
        *self == Limits { search_moves, since, ..Limits::default() }
    }
}

/// Switches to end a running search from another thread; clones work the same switches.
#[derive(Clone, Debug, Default)]
pub struct Controls {
    shared: Arc<Switches>,
}

#[derive(Debug, Default)]
struct Switches {
    stop: AtomicBool,
    pondering: AtomicBool,
}

impl Controls {
    /// Fresh switches: not stopped, not pondering.
    pub fn new() -> Controls {
        Controls::default()
    }

    /// Prepares the switches for the next search.
    pub fn reset(&self, pondering: bool) {
        self.shared.stop.store(false, Ordering::SeqCst);
        self.shared.pondering.store(pondering, Ordering::SeqCst);
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        self.shared.pondering.store(false, Ordering::SeqCst);
    }

    /// The opponent played the expected move: from now on the limits apply.
    pub fn ponder_hit(&self) {
        self.shared.pondering.store(false, Ordering::SeqCst);
    }

    /// Whether the search has been told to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
    }

    /// Whether the opponent is still to move.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.shared.pondering.load(Ordering::Relaxed)
    }
}
