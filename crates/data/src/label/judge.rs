// SPDX-License-Identifier: GPL-3.0-or-later
//! The seam between those who want scores and those who give them.

use rules::chess::{Board, Game, Move};

use crate::score::Opinion;

/// Positions to be judged that follow each other in a game, or one alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The first position.
    pub start: Board,
    /// The moves that lead on.
    pub moves: Vec<Move>,
}

impl Line {
    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.moves.len() + 1
    }

    /// Always false: there is at least the first position.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The positions.
    pub fn boards(&self) -> impl Iterator<Item = Board> + '_ {
        let mut board = self.start;
        std::iter::once(self.start).chain(self.moves.iter().map(move |&m| {
            board.play(m);
            board
        }))
    }

    /// Calls `visit` with every position as a game, and the moves that led there.
    pub fn try_for_each<E>(&self, mut visit: impl FnMut(&Game, &[Move]) -> Result<(), E>) -> Result<(), E> {
        let mut game = Game::new(self.start);
        visit(&game, &[])?;
        for (index, &m) in self.moves.iter().enumerate() {
            game.play(m);
            visit(&game, &self.moves[..=index])?;
        }
        Ok(())
    }
}

/// What a judge says about a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What it is worth to the side to move.
    pub opinion: Opinion,
    /// The best move, if the judge looked for one.
    pub best: Option<Move>,
}

impl Judgement {
    /// What everybody knows about a position without legal moves.
    pub fn of_the_end(board: &Board) -> Option<Judgement> {
        if board.has_legal_move() {
            return None;
        }
        let opinion = if board.in_check() { Opinion::Mate(0) } else { Opinion::Centipawns(0) };
        Some(Judgement { opinion, best: None })
    }
}

/// Somebody who gives scores.
pub trait Judge {
    /// Judges all positions of some lines, as one that has seen nothing else before: what it says must not
    /// depend on what it was asked earlier.
    ///
    /// # Errors
    /// When it cannot, in words.
    fn judge(&mut self, lines: &[Line]) -> Result<Vec<Vec<Judgement>>, String>;
}
