// SPDX-License-Identifier: GPL-3.0-or-later
//! What a search tells: a report for each line it found, and its choice at the end.

use std::time::Duration;

use rules::chess::Move;

/// A score from the view of the side to move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Mate in so many moves; negative if the side to move is mated.
    Mate(i32),
}

/// Whether a score is exact or a bound.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// One line of a search at some depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Depth of the iteration.
    pub depth: u32,
    /// Deepest half-move reached.
    pub seldepth: u32,
    /// Rank of the line, 1 = best.
    pub multipv: usize,
    /// Its score.
    pub score: Score,
    /// What the score means.
    pub bound: Bound,
    /// Chances of win, draw and loss in permille.
    pub wdl: [u32; 3],
    /// Positions searched by all threads.
    pub nodes: u64,
    /// Successful endgame table probes by all threads.
    pub tb_hits: u64,
    /// Permille of the transposition table in use.
    pub hashfull: u32,
    /// Time since the start of the search.
    pub time: Duration,
    /// The line itself.
    pub pv: Vec<Move>,
}

/// What a search decided.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move to play; none if there is no legal move.
    pub best: Option<Move>,
    /// The answer the engine expects.
    pub ponder: Option<Move>,
}
