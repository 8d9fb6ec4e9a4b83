// SPDX-License-Identifier: GPL-3.0-or-later
//! A game: a position with its past, and the rules that look at the past.

use super::{Board, Move};
use crate::Outcome;

/// Why a game is over.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The king is in check and cannot escape.
    Checkmate,
    /// No legal move, no check.
    Stalemate,
    /// Neither side could ever mate.
    InsufficientMaterial,
    /// The position occurred for the third time (a player may claim the draw).
    ThreefoldRepetition,
    /// The position occurred for the fifth time.
    FivefoldRepetition,
    /// Fifty moves by each side without capture or pawn move (a player may claim the draw).
    FiftyMoves,
    /// Seventy-five moves by each side without capture or pawn move.
    SeventyFiveMoves,
}

impl Reason {
    /// Whether the game ends only if a player claims it; match runners claim at once.
    pub const fn is_claim(self) -> bool {
        matches!(self, Reason::ThreefoldRepetition | Reason::FiftyMoves)
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::InsufficientMaterial => "insufficient material",
            Reason::ThreefoldRepetition => "threefold repetition",
            Reason::FivefoldRepetition => "fivefold repetition",
            Reason::FiftyMoves => "fifty-move rule",
            Reason::SeventyFiveMoves => "seventy-five-move rule",
        })
    }
}

/// A position and the keys of all positions before it.
#[derive(Clone)]
pub struct Game {
    board: Board,
    keys: Vec<u64>,
}

impl Game {
    /// A game that starts from a position.
    pub fn new(board: Board) -> Game {
        Game { keys: vec![board.key()], board }
    }

    /// The current position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The keys of all positions of the game, the current one last.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        self.board.play(m);
        self.keys.push(self.board.key());
    }

    /// How often the current position has occurred, this time included.
    pub fn occurrences(&self) -> usize {
        let key = self.board.key();
        let reach = usize::from(self.board.halfmoves()) + 1;
        self.keys.iter().rev().take(reach).filter(|&&past| past == key).count()
    }

    /// How the game ended, if it did; draws that need a claim count as claimed.
    pub fn outcome(&self) -> Option<(Outcome, Reason)> {
        let board = &self.board;
        if board.count_legal_moves() == 0 {
            return Some(if board.in_check() {
                (Outcome::Win(!board.turn()), Reason::Checkmate)
            } else {
                (Outcome::Draw, Reason::Stalemate)
            });
        }
        let occurrences = self.occurrences();
        let reason = if board.has_insufficient_material() {
            Reason::InsufficientMaterial
        } else if occurrences >= 5 {
            Reason::FivefoldRepetition
        } else if board.halfmoves() >= 150 {
            Reason::SeventyFiveMoves
        } else if occurrences >= 3 {
            Reason::ThreefoldRepetition
        } else if board.halfmoves() >= 100 {
            Reason::FiftyMoves
        } else {
            return None;
        };
        Some((Outcome::Draw, reason))
    }
}

impl From<Board> for Game {
    fn from(board: Board) -> Game {
        Game::new(board)
    }
}
