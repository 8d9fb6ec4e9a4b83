// SPDX-License-Identifier: GPL-3.0-or-later
//! A game as training needs it: a start, moves with scores, a result.

use rules::{
    Outcome,
    chess::{Board, Move},
};

use crate::sample::Sample;

/// The score of a move that nobody scored, as in games between humans.
pub const NO_SCORE: i16 = i16::MIN;

/// Longer games are refused by every reader: no real one comes near, and a damaged file must not fill memory.
pub const MAX_PLIES: usize = 16_384;

/// A game with a score for every position in which a move was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// Where the game begins.
    pub start: Board,
    /// The moves, all legal, each with the score of the position before it: centipawns, White's view.
    pub moves: Vec<(Move, i16)>,
    /// Who won.
    pub outcome: Outcome,
    /// The score of the start, which some formats keep besides that of the first move; usually 0.
    pub start_score: i16,
    /// A byte that viriformat leaves to its users; usually 0.
    pub extra: u8,
}

impl GameRecord {
    /// A game without moves.
    pub fn new(start: Board, outcome: Outcome) -> GameRecord {
        GameRecord { start, moves: Vec::new(), outcome, start_score: 0, extra: 0 }
    }

    /// Every position in which a move was made, with the move and the score.
    pub fn boards(&self) -> impl Iterator<Item = (Board, Move, i16)> + '_ {
        let mut board = self.start;
        self.moves.iter().map(move |&(m, score)| {
            let before = board;
            board.play(m);
            (before, m, score)
        })
    }

    /// The positions as samples.
    pub fn samples(&self) -> impl Iterator<Item = Sample> + '_ {
        self.boards().map(|(board, m, score)| Sample {
            score: (score != NO_SCORE).then_some(score),
            outcome: Some(self.outcome),
            played: Some(m),
            ..Sample::new(board)
        })
    }
}
