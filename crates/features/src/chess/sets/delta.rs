// SPDX-License-Identifier: GPL-3.0-or-later
//! What a move takes off the board and puts on it.

use rules::{
    Color,
    chess::{Board, Move, Observer, Piece, Role, Square},
};

/// A piece on a square.
type Placed = (Piece, Square);

/// The pieces that a move takes off the board and puts on it; none for a passed turn.
///
/// The board itself tells what a move does: this is an [`Observer`] that remembers. Nothing that leaves a
/// square comes after something that arrives on one.
#[derive(Copy, Clone)]
pub struct Delta {
    removed: [Placed; 2],
    added: [Placed; 2],
    removals: u8,
    additions: u8,
}

impl Delta {
    /// Nothing changes.
    pub const NONE: Delta = Delta {
        removed: [(Piece::WhitePawn, Square::A1); 2],
        added: [(Piece::WhitePawn, Square::A1); 2],
        removals: 0,
        additions: 0,
    };

    /// What a legal move does to a position. Whoever plays the move anyway has it for less from
    /// [`Delta::play`].
    pub fn of(board: &Board, m: Move) -> Delta {
        Delta::play(&mut board.clone(), m)
    }

    /// Plays a legal move and tells what it did.
    #[inline]
    pub fn play(board: &mut Board, m: Move) -> Delta {
        let mut delta = Delta::NONE;
        board.play_observed(m, &mut delta);
        delta
    }

    /// What left its square: the piece that moved, and a captured piece or the castling rook.
    #[inline(always)]
    pub fn removed(&self) -> &[(Piece, Square)] {
        &self.removed[..usize::from(self.removals)]
    }

    /// What arrived: the piece that moved, or became another, and the castling rook.
    #[inline(always)]
    pub fn added(&self) -> &[(Piece, Square)] {
        &self.added[..usize::from(self.additions)]
    }

    /// Whether a side's king moved.
    #[inline]
    pub fn moves_king(&self, color: Color) -> bool {
        self.added().iter().any(|&(piece, _)| piece == Piece::new(color, Role::King))
    }
}

impl Default for Delta {
    fn default() -> Delta {
        Delta::NONE
    }
}

impl Observer for Delta {
    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        self.added[usize::from(self.additions)] = (piece, square);
        self.additions += 1;
    }

    #[inline(always)]
    fn take(&mut self, piece: Piece, square: Square) {
        self.removed[usize::from(self.removals)] = (piece, square);
        self.removals += 1;
    }
}

impl PartialEq for Delta {
    fn eq(&self, other: &Delta) -> bool {
        (self.removed(), self.added()) == (other.removed(), other.added())
    }
}

impl Eq for Delta {}

impl std::fmt::Debug for Delta {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Delta").field("removed", &self.removed()).field("added", &self.added()).finish()
    }
}
