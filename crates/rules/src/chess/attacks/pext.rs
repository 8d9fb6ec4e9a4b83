// SPDX-License-Identifier: GPL-3.0-or-later
//! Sliding attacks by PEXT: the blockers on a square's lines, gathered into a table index.
#![allow(unsafe_code, reason = "the PEXT instruction and a table whose bounds its mask proves")]
#![allow(long_running_const_eval, reason = "107,648 table entries are computed by the compiler")]

use std::arch::x86_64::_pext_u64;

use super::hyperbola;
use crate::chess::{Bitboard, Square};

const BISHOP_SIZE: usize = 5_248;
const ROOK_SIZE: usize = 102_400;

#[derive(Copy, Clone)]
struct Entry {
    mask: u64,
    offset: usize,
}

struct Table<const SIZE: usize> {
    entries: [Entry; 64],
    attacks: [Bitboard; SIZE],
}

/// The squares whose occupancy changes what a slider on `square` attacks: its lines without their ends.
const fn relevant(square: Square, straight: bool) -> u64 {
    if straight {
        let file = Bitboard::file(square.file()).0 & !(Bitboard::rank(0).0 | Bitboard::rank(7).0);
        let rank = Bitboard::rank(square.rank()).0 & !(Bitboard::FILE_A.0 | Bitboard::FILE_H.0);
        (file | rank) & !(1 << square.index())
    } else {
        let rim = Bitboard::rank(0).0 | Bitboard::rank(7).0 | Bitboard::FILE_A.0 | Bitboard::FILE_H.0;
        hyperbola::bishop(square, Bitboard::EMPTY).0 & !rim
    }
}

const fn build<const SIZE: usize>(straight: bool) -> Table<SIZE> {
    let mut table = Table { entries: [Entry { mask: 0, offset: 0 }; 64], attacks: [Bitboard::EMPTY; SIZE] };
    let mut next = 0;
    let mut index = 0;
    while index < 64 {
        let square = Square::new(index as u8);
        let mask = relevant(square, straight);
        table.entries[index] = Entry { mask, offset: next };
        // `blockers - mask` steps through the subsets of the mask in the order PEXT numbers them.
        let mut blockers = 0u64;
        loop {
            let occupied = Bitboard(blockers);
            table.attacks[next] = if straight {
                hyperbola::rook(square, occupied)
            } else {
                hyperbola::bishop(square, occupied)
            };
            next += 1;
            blockers = blockers.wrapping_sub(mask) & mask;
            if blockers == 0 {
                break;
            }
        }
        index += 1;
    }
    assert!(next == SIZE);
    table
}

static BISHOP: Table<BISHOP_SIZE> = build(false);
static ROOK: Table<ROOK_SIZE> = build(true);

#[inline(always)]
fn look_up<const SIZE: usize>(table: &Table<SIZE>, square: Square, occupied: Bitboard) -> Bitboard {
    let entry = table.entries[square.index()];
    // SAFETY: this module is compiled only where the build's target CPU has BMI2.
    let index = entry.offset + unsafe { _pext_u64(occupied.0, entry.mask) } as usize;
    debug_assert!(index < SIZE);
    // SAFETY: PEXT yields less than 2^(bits of the mask), and `build` laid out that many entries
    // from each offset on, asserting that the last one is the last of the table.
    unsafe { *table.attacks.get_unchecked(index) }
}

/// The squares a bishop attacks.
#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    look_up(&BISHOP, square, occupied)
}

/// The squares a rook attacks.
#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    look_up(&ROOK, square, occupied)
}
