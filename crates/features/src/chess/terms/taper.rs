// SPDX-License-Identifier: GPL-3.0-or-later
//! How far the game is, and what kind of ending it is heading for.

use rules::{
    Color,
    chess::{Bitboard, Board, Role},
};

/// The phase of a game with all its pieces; 0 is a pawn ending.
pub const FULL_PHASE: i32 = 24;

/// How much is left of the middlegame, 0 to [`FULL_PHASE`].
#[inline(always)]
pub fn phase(board: &Board) -> i32 {
    let minors = (board.role(Role::Knight) | board.role(Role::Bishop)).len();
    let phase = minors + 2 * board.role(Role::Rook).len() + 4 * board.role(Role::Queen).len();
    (phase as i32).min(FULL_PHASE)
}

/// The danger of a king counts by its square, divided by this.
pub const DANGER_DIVISOR: i32 = 256;

/// The number of classes that [`scale_class`] tells apart.
pub const SCALE_CLASSES: usize = 13 * 9;

/// The class of endings a position belongs to if `strong` has the better of it.
///
/// Some endings are drawn although a side is ahead. How much of an advantage counts is learnt for each
/// class: kind of material (9), then number of the stronger side's pawns, or of its surplus in pieces
/// if it has no pawn.
#[inline(always)]
pub fn scale_class(board: &Board, strong: Color) -> usize {
    let pawns = board.pieces(strong, Role::Pawn).len() as usize;
    let bishops = board.role(Role::Bishop);
    let (minors, majors) =
        (board.role(Role::Knight) | bishops, board.role(Role::Rook) | board.role(Role::Queen));
    if pawns == 0 {
        let surplus = piece_points(board, strong) - piece_points(board, !strong);
        return 12 * 9 + surplus.clamp(0, 8) as usize;
    }
    let single = |set: Bitboard| !set.is_empty() && !set.has_many();
    let opposite = single(bishops & board.color(strong))
        && single(bishops & board.color(!strong))
        && !bishops.is_disjoint(Bitboard::LIGHT)
        && !bishops.is_disjoint(Bitboard::DARK);
    let kind = if opposite && (minors | majors) == bishops {
        0
    } else if opposite {
        1
    } else if (minors | majors).is_empty() {
        2
    } else if minors.is_empty() && majors.is_subset(board.role(Role::Rook)) {
        3
    } else if majors.is_empty() {
        4
    } else {
        5
    };
    const LEFT: Bitboard = Bitboard(0x0F0F_0F0F_0F0F_0F0F);
    let all = board.role(Role::Pawn);
    let both = !all.is_disjoint(LEFT) && !all.is_subset(LEFT);
    (2 * kind + usize::from(both)) * 9 + pawns.min(8)
}

/// The pieces of a side at their customary worth in pawns.
#[inline(always)]
fn piece_points(board: &Board, side: Color) -> i32 {
    let count = |role| board.pieces(side, role).len() as i32;
    3 * (count(Role::Knight) + count(Role::Bishop)) + 5 * count(Role::Rook) + 9 * count(Role::Queen)
}
