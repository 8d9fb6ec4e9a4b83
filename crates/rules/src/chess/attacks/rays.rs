// SPDX-License-Identifier: GPL-3.0-or-later
//! Lines through two squares and the squares between them.

use super::hyperbola;
use crate::chess::{Bitboard, Square};

static BETWEEN: [[Bitboard; 64]; 64] = pairs(true);
static LINE: [[Bitboard; 64]; 64] = pairs(false);

const fn pairs(only_between: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            table[from][to] = pair(Square::new(from as u8), Square::new(to as u8), only_between);
            to += 1;
        }
        from += 1;
    }
    table
}

const fn pair(a: Square, b: Square, only_between: bool) -> Bitboard {
    let ends = Bitboard::of(a).with(b);
    let blockers = if only_between { ends } else { Bitboard::EMPTY };
    let straight = (hyperbola::rook(a, blockers), hyperbola::rook(b, blockers));
    let diagonal = (hyperbola::bishop(a, blockers), hyperbola::bishop(b, blockers));
    let shared = if straight.0.contains(b) {
        straight.0.0 & straight.1.0
    } else if diagonal.0.contains(b) {
        diagonal.0.0 & diagonal.1.0
    } else {
        return Bitboard::EMPTY;
    };
    Bitboard(if only_between { shared & !ends.0 } else { shared | ends.0 })
}

static RAYS: [(Bitboard, Bitboard); 64] = {
    let mut table = [(Bitboard::EMPTY, Bitboard::EMPTY); 64];
    let mut index = 0;
    while index < 64 {
        let square = Square::new(index as u8);
        table[index] = (hyperbola::rook(square, Bitboard::EMPTY), hyperbola::bishop(square, Bitboard::EMPTY));
        index += 1;
    }
    table
};

/// What a rook and what a bishop would attack on the empty board.
#[inline(always)]
pub(in crate::chess) fn rays_from(square: Square) -> (Bitboard, Bitboard) {
    RAYS[square.index()]
}

/// The squares strictly between two squares on one rank, file or diagonal; else none.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two different squares; else none.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}
