// SPDX-License-Identifier: GPL-3.0-or-later
//! Castling rights, as the start squares of the rooks that may still castle.

use super::{Bitboard, Square};
use crate::Color;

/// The side of the board a king castles to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Wing {
    /// Towards the h-file: the king goes to g, the rook to f.
    King = 0,
    /// Towards the a-file: the king goes to c, the rook to d.
    Queen = 1,
}

impl Wing {
    /// Both wings, the king's first.
    pub const ALL: [Wing; 2] = [Wing::King, Wing::Queen];

    /// 0 for the king's wing, 1 for the queen's.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The wing of a king and a rook on one rank.
    #[inline(always)]
    pub const fn of(king: Square, rook: Square) -> Wing {
        if rook.index() > king.index() { Wing::King } else { Wing::Queen }
    }

    /// Where the king stands after castling.
    #[inline(always)]
    pub const fn king_destination(self, color: Color) -> Square {
        [Square::G1, Square::C1][self.index()].relative(color)
    }

    /// Where the rook stands after castling.
    #[inline(always)]
    pub const fn rook_destination(self, color: Color) -> Square {
        [Square::F1, Square::D1][self.index()].relative(color)
    }
}

/// The castling rights of both sides.
///
/// The rook squares stay known after a right is lost only as leftovers; equality looks at live rights.
#[derive(Copy, Clone, Debug)]
pub struct CastlingRights {
    rooks: [Square; 4],
    alive: u8,
}

impl CastlingRights {
    /// Nobody may castle.
    pub const NONE: CastlingRights = CastlingRights { rooks: [Square::A1; 4], alive: 0 };

    #[inline(always)]
    const fn slot(color: Color, wing: Wing) -> usize {
        color.index() * 2 + wing.index()
    }

    /// The start square of the rook with which `color` may castle to this wing.
    #[inline(always)]
    pub const fn rook(self, color: Color, wing: Wing) -> Option<Square> {
        let slot = Self::slot(color, wing);
        if self.alive >> slot & 1 != 0 { Some(self.rooks[slot]) } else { None }
    }

    /// Grants a right.
    pub fn set(&mut self, color: Color, wing: Wing, rook: Square) {
        let slot = Self::slot(color, wing);
        self.rooks[slot] = rook;
        self.alive |= 1 << slot;
    }

    /// Takes a right away.
    #[inline(always)]
    pub fn remove(&mut self, color: Color, wing: Wing) {
        self.alive &= !(1 << Self::slot(color, wing));
    }

    /// Takes both rights of a side away.
    #[inline(always)]
    pub(super) fn remove_all(&mut self, color: Color) {
        self.alive &= !(3 << (2 * color.index()));
    }

    /// Takes every right away whose rook starts on one of `squares`.
    #[inline(always)]
    pub(super) fn remove_rooks(&mut self, squares: Bitboard) {
        for (slot, &rook) in self.rooks.iter().enumerate() {
            self.alive &= !(u8::from(squares.contains(rook)) << slot);
        }
    }

    /// Whether nobody may castle.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.alive == 0
    }

    /// Whether `color` may castle to either wing.
    #[inline(always)]
    pub const fn any(self, color: Color) -> bool {
        self.alive >> (2 * color.index()) & 3 != 0
    }

    /// The four rights as bits: White's king and queen wing, then Black's.
    #[inline(always)]
    pub(super) const fn bits(self) -> usize {
        (self.alive & 15) as usize
    }
}

impl PartialEq for CastlingRights {
    fn eq(&self, other: &CastlingRights) -> bool {
        self.alive == other.alive
            && Color::ALL
                .iter()
                .all(|&color| Wing::ALL.iter().all(|&wing| self.rook(color, wing) == other.rook(color, wing)))
    }
}

impl Eq for CastlingRights {}
