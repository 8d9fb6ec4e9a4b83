// SPDX-License-Identifier: GPL-3.0-or-later
//! The view of a side: its own back rank below, its king on the right, and where that king stands.

use rules::{Color, chess::Square};

/// The number of zones of the own king.
pub(super) const ZONES: usize = 16;

/// The zone of a king on the right half of the board as its side sees it, file e first.
const ZONE: [[u8; 4]; 8] = [
    [0, 1, 2, 3],
    [4, 5, 6, 7],
    [8, 8, 9, 9],
    [10, 10, 11, 11],
    [12, 12, 13, 13],
    [14, 14, 14, 14],
    [15, 15, 15, 15],
    [15, 15, 15, 15],
];

/// How a side sees the squares, given its king: ranks from its own side, files so that its king is on
/// one of the files e to h.
#[derive(Copy, Clone)]
pub(super) struct Eye {
    flip: u8,
    zone: u8,
}

impl Eye {
    #[inline(always)]
    pub(super) fn of(color: Color, king: Square) -> Eye {
        let mirror = if king.file() < 4 { 7 } else { 0 };
        let flip = (56 * color as u8) ^ mirror;
        let seen = Square::new(king.index() as u8 ^ flip);
        Eye { flip, zone: ZONE[seen.rank() as usize][seen.file() as usize & 3] }
    }

    /// The square as this side sees it.
    #[inline(always)]
    pub(super) fn sees(self, square: Square) -> Square {
        Square::new(square.index() as u8 ^ self.flip)
    }

    /// Where the king stands, below [`ZONES`].
    #[inline(always)]
    pub(super) fn zone(self) -> usize {
        self.zone as usize
    }
}
