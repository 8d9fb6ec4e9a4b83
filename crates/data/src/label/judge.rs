// SPDX-License-Identifier: GPL-3.0-or-later
//! The seam between those who want scores and those who give them.

use rules::chess::{Board, Game, Move};

use crate::score::Opinion;

/// Positions that follow each other in a game, or one alone, of which some or all are to be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The first position.
    pub start: Board,
    /// The moves that lead on.
    pub moves: Vec<Move>,
    /// Which positions are to be judged: the first one and that after each move, so one more than there are moves.
    pub wanted: Vec<bool>,
}

impl Line {
    /// One position, to be judged.
    pub fn single(board: Board) -> Line {
        Line { start: board, moves: Vec::new(), wanted: vec![true] }
    }

    /// How many positions are to be judged.
    pub fn asked(&self) -> usize {
        self.wanted.iter().filter(|&&wanted| wanted).count()
    }

    /// The positions to be judged.
    pub fn boards(&self) -> impl Iterator<Item = Board> + '_ {
        let mut board = self.start;
        let all = std::iter::once(self.start).chain(self.moves.iter().map(move |&m| {
            board.play(m);
            board
        }));
        all.zip(&self.wanted).filter(|&(_, &wanted)| wanted).map(|(board, _)| board)
    }

    /// Calls `visit` with every position to be judged as a game, and the moves that led there.
    pub fn try_for_each<E>(&self, mut visit: impl FnMut(&Game, &[Move]) -> Result<(), E>) -> Result<(), E> {
        let mut game = Game::new(self.start);
        for (played, &wanted) in self.wanted.iter().enumerate() {
            if played > 0 {
                game.play(self.moves[played - 1]);
            }
            if wanted {
                visit(&game, &self.moves[..played])?;
            }
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
    /// Judges the wanted positions of some lines, as one that has seen nothing else before: what it says must not
    /// depend on what it was asked earlier.
    ///
    /// # Errors
    /// When it cannot, in words.
    fn judge(&mut self, lines: &[Line]) -> Result<Vec<Vec<Judgement>>, String>;
}
