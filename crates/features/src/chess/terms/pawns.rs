// SPDX-License-Identifier: GPL-3.0-or-later
//! Pawn structure: who stands beside, behind and against whom.

use rules::{
    Color,
    chess::{Bitboard, Role, attacks},
};

use super::{Sink, Term, context::Context};

#[inline(always)]
pub(super) fn count(context: &Context<'_>, us: Color, sink: &mut impl Sink) {
    let (own, enemy) = (context.side(us), context.side(!us));
    let pawns = own.of(Role::Pawn);
    let enemies = enemy.of(Role::Pawn);
    let opposed = pawns & enemies.fill_forward(!us);
    let beside = pawns & (pawns.east() | pawns.west());
    let supported = pawns & own.by(Role::Pawn);
    let rammed = pawns & enemies.forward(!us);
    let attacking = pawns & attacks::pawns(!us, enemies);
    let isolated = pawns - (own.pawn_files.east() | own.pawn_files.west());

    for pawn in pawns {
        let flag = |set: Bitboard| usize::from(set.contains(pawn));
        let form =
            16 * flag(rammed) + 8 * flag(opposed) + 4 * flag(attacking) + 2 * flag(supported) + flag(beside);
        sink.add(us, Term::PawnForm, 8 * form + pawn.relative_rank(us) as usize, 1);
    }

    let doubled = pawns & pawns.forward(!us).fill_forward(!us);
    sink.add(us, Term::DoubledPawn, 0, (doubled - isolated).len() as i32);
    sink.add(us, Term::DoubledPawn, 1, (doubled & isolated).len() as i32);
}
