// SPDX-License-Identifier: GPL-3.0-or-later
//! Analysis: what to search, and what was found.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// A position to analyse.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct Analyse {
    /// A number of this page's analyses; the same number again replaces the analysis.
    pub job: u32,
    /// Where the line begins.
    pub fen: String,
    /// The moves from there to the position, in UCI form: repetitions count.
    pub moves: Vec<String>,
    /// How many best lines, 1 to 5.
    pub lines: u32,
    /// How many threads, at most as many as the server allows.
    pub threads: u32,
    /// The size of the hash table in MiB, at most as much as the server allows.
    pub hash_mb: u32,
    /// When to end.
    pub limit: Limit,
    /// Whether castling is written as the king taking its rook.
    pub chess960: bool,
    /// Whether to look for what the other side would play if it were to move.
    pub threat: bool,
}

/// When an analysis ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Limit {
    /// After this depth.
    Depth {
        /// In half-moves.
        depth: u32,
    },
    /// After this time.
    Time {
        /// In milliseconds of searching; waiting for a turn does not count.
        ms: u32,
    },
    /// When it is stopped.
    Infinite,
}

/// A score, seen by White.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Score {
    /// Hundredths of a pawn.
    Cp {
        /// Positive if White is better.
        value: i32,
    },
    /// Mate in so many moves.
    Mate {
        /// Positive if White mates; 0 if the side to move is mated already.
        value: i32,
    },
}

/// What is known about a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Lines {
    /// The number given in [`Analyse::job`].
    pub job: u32,
    /// The number of the request that began it, by which a page drops lines of a position that it has left.
    pub request: u32,
    /// The position searched; with [`Analyse::threat`] the other side is to move in it.
    pub fen: String,
    /// Whether these are threats, as in [`Analyse::threat`].
    pub threat: bool,
    /// Whether this was found earlier and comes from the disk, while the search begins.
    pub stored: bool,
    /// Depth in half-moves.
    pub depth: u32,
    /// Deepest half-move looked at.
    pub seldepth: u32,
    /// Positions searched.
    pub nodes: f64,
    /// Positions per second.
    pub nps: f64,
    /// Milliseconds spent searching.
    pub time_ms: f64,
    /// Permille of the hash table in use.
    pub hashfull: u32,
    /// The lines, best first.
    pub lines: Vec<Line>,
}

/// What is known about a position of a study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Evaluation {
    /// The node.
    pub node: String,
    /// The score.
    pub score: Score,
    /// The depth of the search.
    pub depth: u32,
}

/// A line and its worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Line {
    /// Its score.
    pub score: Score,
    /// Permille of White's win, draw and Black's win.
    pub wdl: [u32; 3],
    /// The moves in UCI form.
    pub uci: Vec<String>,
    /// The moves in standard algebraic notation.
    pub san: Vec<String>,
}
