// SPDX-License-Identifier: GPL-3.0-or-later
//! Sliding attacks by hyperbola quintessence: subtraction finds the first blocker of a ray.
//!
//! `o - 2s` on the masked occupancy flips every bit from the slider to its first blocker; the other
//! half of the line is done on the byte-swapped board, which reverses the order of ranks. A rank has
//! no such reversal and takes a small table. Small tables, no special instruction, all `const`.

use crate::chess::{Bitboard, Square};

#[derive(Copy, Clone)]
struct Lines {
    file: u64,
    diagonal: u64,
    antidiagonal: u64,
}

const fn lines(square: Square) -> Lines {
    let mut lines = Lines { file: 0, diagonal: 0, antidiagonal: 0 };
    let mut index = 0;
    while index < 64 {
        let other = Square::new(index);
        let bit = 1 << index;
        if other.index() != square.index() {
            if other.file() == square.file() {
                lines.file |= bit;
            }
            if other.rank() as i8 - other.file() as i8 == square.rank() as i8 - square.file() as i8 {
                lines.diagonal |= bit;
            }
            if other.rank() + other.file() == square.rank() + square.file() {
                lines.antidiagonal |= bit;
            }
        }
        index += 1;
    }
    lines
}

static LINES: [Lines; 64] = {
    let mut table = [Lines { file: 0, diagonal: 0, antidiagonal: 0 }; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = lines(Square::new(index as u8));
        index += 1;
    }
    table
};

/// Attacks along a rank by file of the slider and the six inner occupancy bits.
static RANK: [[u8; 64]; 8] = {
    let mut table = [[0; 64]; 8];
    let mut file = 0;
    while file < 8 {
        let mut inner = 0;
        while inner < 64 {
            let occupied = inner << 1;
            let mut attacks = 0u8;
            let mut east = file + 1;
            while east < 8 {
                attacks |= 1 << east;
                if occupied >> east & 1 != 0 {
                    break;
                }
                east += 1;
            }
            let mut west = file;
            while west > 0 {
                west -= 1;
                attacks |= 1 << west;
                if occupied >> west & 1 != 0 {
                    break;
                }
            }
            table[file][inner] = attacks;
            inner += 1;
        }
        file += 1;
    }
    table
};

#[inline(always)]
const fn along(line: u64, slider: u64, occupied: u64) -> u64 {
    let blockers = occupied & line;
    let ahead = blockers.wrapping_sub(slider);
    let behind = blockers.swap_bytes().wrapping_sub(slider.swap_bytes()).swap_bytes();
    (ahead ^ behind) & line
}

/// The squares a bishop attacks.
#[inline(always)]
pub const fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = &LINES[square.index()];
    let slider = 1 << square.index();
    Bitboard(along(lines.diagonal, slider, occupied.0) | along(lines.antidiagonal, slider, occupied.0))
}

/// The squares a rook attacks.
#[inline(always)]
pub const fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let shift = square.rank() as u32 * 8;
    let inner = (occupied.0 >> shift >> 1 & 63) as usize;
    let rank = (RANK[square.file() as usize][inner] as u64) << shift;
    Bitboard(along(LINES[square.index()].file, 1 << square.index(), occupied.0) | rank)
}
