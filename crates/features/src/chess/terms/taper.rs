// SPDX-License-Identifier: GPL-3.0-or-later
//! How far the game is, and what kind of ending it is heading for.

use rules::{
    Color,
    chess::{Bitboard, Board, Role},
};

/// What a piece of each role adds to the phase, knight to queen; rounded from a fit.
const PHASE: [i32; 4] = [3, 4, 6, 18];
/// So much is the endgame: a piece or two each make no middlegame.
const ENDGAME_PHASE: i32 = 6;
/// The phase of a game with all its pieces; 0 is the endgame.
pub const FULL_PHASE: i32 = 4 * (PHASE[0] + PHASE[1] + PHASE[2]) + 2 * PHASE[3] - ENDGAME_PHASE;

/// How much is left of the middlegame, 0 to [`FULL_PHASE`].
#[inline(always)]
pub fn phase(board: &Board) -> i32 {
    let part = |role: Role| PHASE[role.index() - 1] * board.role(role).len() as i32;
    let sum = part(Role::Knight) + part(Role::Bishop) + part(Role::Rook) + part(Role::Queen);
    (sum - ENDGAME_PHASE).clamp(0, FULL_PHASE)
}

/// The danger of a king counts by its square, divided by this.
pub const DANGER_DIVISOR: i32 = 256;

/// The number of classes that [`scale_class`] tells apart.
pub const SCALE_CLASSES: usize = 13 * 9;

/// The class of endings a position belongs to if `strong` has the better of it.
///
/// Some endings are drawn although a side is ahead. How much of an advantage counts is learnt for each
/// class: kind of material (18), pawns on both wings (9), number of the stronger side's pawns. Without
/// such pawns its surplus in pieces takes their place, for nothing else can win.
#[inline(always)]
pub fn scale_class(board: &Board, strong: Color) -> usize {
    const LEFT_WING: Bitboard = Bitboard(0x0F0F_0F0F_0F0F_0F0F);
    let pawns = board.pieces(strong, Role::Pawn).len() as usize;
    if pawns == 0 {
        let surplus = piece_points(board, strong) - piece_points(board, !strong);
        return 12 * 9 + surplus.clamp(0, 8) as usize;
    }
    let all = board.role(Role::Pawn);
    let both_wings = !all.is_disjoint(LEFT_WING) && !all.is_subset(LEFT_WING);
    (2 * kind(board) + usize::from(both_wings)) * 9 + pawns.min(8)
}

/// The kind of material left, below 6.
#[inline(always)]
fn kind(board: &Board) -> usize {
    let [knights, bishops, rooks, queens] =
        [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(|role| board.role(role));
    let (minors, majors) = (knights | bishops, rooks | queens);
    if has_opposite_bishops(board) {
        return usize::from(!(knights | majors).is_empty()); // bishops alone, or among others
    }
    match (minors.is_empty(), majors.is_empty()) {
        (true, true) => 2,
        (true, false) if queens.is_empty() => 3, // rooks alone
        (false, true) => 4,
        _ => 5,
    }
}

/// Whether each side has one bishop and they stand on squares of different colours.
#[inline(always)]
fn has_opposite_bishops(board: &Board) -> bool {
    let bishops = board.role(Role::Bishop);
    let single = |color| board.pieces(color, Role::Bishop).len() == 1;
    single(Color::White)
        && single(Color::Black)
        && !bishops.is_disjoint(Bitboard::LIGHT)
        && !bishops.is_disjoint(Bitboard::DARK)
}

/// The pieces of a side at their customary worth in pawns.
#[inline(always)]
fn piece_points(board: &Board, side: Color) -> i32 {
    let count = |role| board.pieces(side, role).len() as i32;
    3 * (count(Role::Knight) + count(Role::Bishop)) + 5 * count(Role::Rook) + 9 * count(Role::Queen)
}
