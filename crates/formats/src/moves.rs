// SPDX-License-Identifier: GPL-3.0-or-later
//! Moves that come as two squares and a special kind: the board says what they are, and whether they are legal.

use rules::chess::{Board, Move, MoveKind, Role, Square};

use crate::error::Problem;

/// What the short forms of a move say besides its two squares.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    None,
    EnPassant,
    /// The destination is the square of the rook.
    Castle,
    Promotion(Role),
}

impl Special {
    /// What is special about a move.
    pub(crate) fn of(m: Move) -> Special {
        match m.promoted() {
            Some(role) => Special::Promotion(role),
            None if m.is_castle() => Special::Castle,
            None if m.is(MoveKind::EnPassant) => Special::EnPassant,
            None => Special::None,
        }
    }
}

/// The legal move of a board between two squares.
pub(crate) fn legal(board: &Board, from: Square, to: Square, special: Special) -> Result<Move, Problem> {
    let capture = board.piece_on(to).is_some();
    let m = match special {
        Special::Promotion(role) => Move::promotion(from, to, role, capture),
        Special::Castle => Move::new(from, to, MoveKind::Castle),
        Special::EnPassant => Move::new(from, to, MoveKind::EnPassant),
        Special::None if capture => Move::new(from, to, MoveKind::Capture),
        Special::None => {
            let pawn = board.role(Role::Pawn).contains(from);
            let double = pawn && from.rank().abs_diff(to.rank()) == 2;
            Move::new(from, to, if double { MoveKind::DoublePush } else { MoveKind::Quiet })
        }
    };
    if board.is_legal(m) {
        return Ok(m);
    }
    Err(illegal(board, m))
}

/// The complaint about a move that cannot be played.
pub(crate) fn illegal(board: &Board, m: Move) -> Problem {
    Problem::IllegalMove { text: m.to_uci(true), fen: board.to_string() }
}

/// A role that pawns become, by the number 0 for a knight up to 3 for a queen.
pub(crate) fn promoted(number: u16) -> Role {
    Role::ALL[1 + usize::from(number & 3)]
}
