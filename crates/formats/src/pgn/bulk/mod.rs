// SPDX-License-Identifier: GPL-3.0-or-later
//! PGN by the gigabyte: `stream -> chunks of whole games -> games`, with the speed of `pgn-reader`.
//!
//! [`Chunks`] cuts a stream where games begin, so that several threads can read; a [`BulkReader`] reads the
//! games of a chunk with ratings, time control, clocks and evaluations, and leaves out the rest: glyphs,
//! variations and other comments. Each game is read by itself, so whatever is wrong with one costs it alone.
//! The [`Reader`](super::Reader) next door is slower and keeps everything.
//!
//! A word that is no move at all is passed over by `pgn-reader`; the next move then belongs to the wrong side and
//! is an error in almost every case, unless the game ends there.

mod chunks;
mod comment;
mod cut;
mod reader;
mod tags;
mod visitor;

use rules::{
    Outcome,
    chess::{Board, Move},
};

use crate::games::{GameRecord, NO_SCORE};

pub use chunks::{Chunk, Chunks};
pub use reader::BulkReader;
pub use tags::{BulkTags, TimeControl};

/// A game with what training wants to know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BulkGame {
    /// The line of the file on which the game begins.
    pub line: u64,
    /// The tags.
    pub tags: BulkTags,
    /// Where it begins: the start position, or what the tag `FEN` says.
    pub start: Board,
    /// The moves, all legal.
    pub moves: Vec<BulkMove>,
    /// Who won, by the end of the game or else by the tag `Result`.
    pub outcome: Option<Outcome>,
}

/// A move and what its comments say.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BulkMove {
    /// The move.
    pub m: Move,
    /// Hundredths of a second on the mover's clock after the move: `%clk`.
    pub clock: Option<u32>,
    /// What the position after the move is worth: `%eval`.
    pub eval: Option<Eval>,
}

/// What an engine said about a position, White's view.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Eval {
    /// Hundredths of a pawn.
    Centipawns(i16),
    /// Somebody mates in so many moves: White if positive, Black if negative.
    Mate(i16),
}

impl Eval {
    /// A mate in no time.
    pub const MATE: i16 = 32_000;

    /// One number for both; a mate counts [`Eval::MATE`] less its length.
    pub fn score(self) -> i16 {
        match self {
            Eval::Centipawns(score) => score,
            Eval::Mate(moves) if moves < 0 => -Eval::MATE - moves.max(-Eval::MATE),
            Eval::Mate(moves) => Eval::MATE - moves.min(Eval::MATE),
        }
    }
}

impl BulkGame {
    /// The game as a record; a position has the score that was given after the move that led to it.
    pub fn record(&self, outcome: Outcome) -> GameRecord {
        let mut game = GameRecord::new(self.start, outcome);
        let before = std::iter::once(None).chain(self.moves.iter().map(|ply| ply.eval));
        game.moves = self
            .moves
            .iter()
            .zip(before)
            .map(|(ply, eval)| (ply.m, eval.map_or(NO_SCORE, Eval::score)))
            .collect();
        game
    }
}
