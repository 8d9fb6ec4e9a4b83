// SPDX-License-Identifier: GPL-3.0-or-later
//! Passed pawns: how far, how free, and which king is near.

use rules::{
    Color,
    chess::{Bitboard, Role, attacks},
};

use super::{Sink, Term, context::Context};

#[inline(always)]
pub(super) fn count(context: &Context<'_>, us: Color, sink: &mut impl Sink) {
    let (own, enemy) = (context.side(us), context.side(!us));
    let lone_king = !context.board.has_non_pawns(!us);
    for pawn in own.passed {
        let rank = pawn.relative_rank(us) as usize;
        let stop = pawn.forward(us);
        sink.add(us, Term::Passed, rank, 1);
        sink.add(us, Term::PassedEnemyKing, rank * 8 + enemy.king.distance(stop) as usize, 1);

        let path = Bitboard::of(stop).fill_forward(us);
        if context.occupied.contains(stop) {
            sink.add(us, Term::PassedBlocked, rank, 1);
        } else if path.is_disjoint(context.occupied | enemy.attacked) {
            sink.add(us, Term::PassedSafePath, rank, 1);
        }
        if own.attacked.contains(stop) {
            sink.add(us, Term::PassedSupport, rank, 1);
        }

        let behind = Bitboard::of(pawn).fill_forward(!us).without(pawn);
        let seen = attacks::rook(pawn, context.occupied) & behind;
        if !seen.is_disjoint(own.of(Role::Rook)) {
            sink.add(us, Term::PassedRook, 0, 1);
        }
        if !seen.is_disjoint(enemy.of(Role::Rook)) {
            sink.add(us, Term::PassedRook, 1, 1);
        }

        if lone_king && path.is_disjoint(context.occupied) {
            // The rule of the square; a double step counts as one.
            let steps = path.len().min(5) as u8;
            let goal = path & Bitboard::relative_rank(us, 7);
            let reach = goal.first().map_or(0, |goal| enemy.king.distance(goal));
            if reach > steps + u8::from(context.board.turn() != us) {
                sink.add(us, Term::PassedSquare, 0, 1);
            }
        }
    }
}
