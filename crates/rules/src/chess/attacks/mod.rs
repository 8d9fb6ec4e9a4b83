// SPDX-License-Identifier: GPL-3.0-or-later
//! Where pieces attack, from any square, with any occupancy.
//!
//! Sliders use PEXT tables where the CPU the build is made for has the instruction, and hyperbola
//! quintessence elsewhere; `benches/sliders.rs` compares them. All tables are built by the compiler.

pub mod hyperbola;
mod leapers;
#[cfg(target_feature = "bmi2")]
mod pext;
mod rays;

pub use leapers::{king, knight, pawn};
pub(super) use rays::rays_from;
pub use rays::{between, line};

#[cfg(not(target_feature = "bmi2"))]
pub use hyperbola::{bishop, rook};
#[cfg(target_feature = "bmi2")]
pub use pext::{bishop, rook};

use super::{Bitboard, Role, Square};
use crate::Color;

/// The squares a queen attacks.
#[inline(always)]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// The squares a piece attacks.
#[inline(always)]
pub fn of(role: Role, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn(color, square),
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
    }
}

/// The squares attacked by all pawns of a set.
#[inline(always)]
pub fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = pawns.forward(color);
    ahead.east() | ahead.west()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks square by square: slow and obviously right.
    fn walk(square: Square, occupied: Bitboard, steps: &[(i8, i8)]) -> Bitboard {
        let mut reached = Bitboard::EMPTY;
        for &(df, dr) in steps {
            let (mut file, mut rank) = (square.file() as i8 + df, square.rank() as i8 + dr);
            while (0..8).contains(&file) && (0..8).contains(&rank) {
                let here = Square::at(file as u8, rank as u8);
                reached = reached.with(here);
                if occupied.contains(here) {
                    break;
                }
                (file, rank) = (file + df, rank + dr);
            }
        }
        reached
    }

    #[test]
    fn sliders_agree_with_walking() {
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        for round in 0..2000 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let occupied = Bitboard(if round % 2 == 0 { seed } else { seed & seed.rotate_left(23) });
            for square in Square::all() {
                let straight = walk(square, occupied, &[(1, 0), (-1, 0), (0, 1), (0, -1)]);
                let diagonal = walk(square, occupied, &[(1, 1), (-1, 1), (1, -1), (-1, -1)]);
                assert_eq!(rook(square, occupied), straight);
                assert_eq!(bishop(square, occupied), diagonal);
                assert_eq!(hyperbola::rook(square, occupied), straight);
                assert_eq!(hyperbola::bishop(square, occupied), diagonal);
            }
        }
    }

    #[test]
    fn between_and_line_fit_together() {
        for a in Square::all() {
            for b in Square::all() {
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(line(a, b), line(b, a));
                assert!(between(a, b).is_subset(line(a, b)));
                assert_eq!(line(a, b).contains(a), !line(a, b).is_empty());
            }
        }
        assert_eq!(between(Square::A1, Square::H8).len(), 6);
        assert_eq!(line(Square::A1, Square::H8).len(), 8);
        assert_eq!(line(Square::A1, Square::G8), Bitboard::EMPTY);
    }
}
