// SPDX-License-Identifier: GPL-3.0-or-later
//! Pawn structure: who stands beside, behind and against whom.

use rules::{
    Color,
    chess::{Bitboard, Role},
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
    let isolated = pawns - (own.pawn_files.east() | own.pawn_files.west());

    for pawn in pawns {
        let form = 32 * usize::from(opposed.contains(pawn))
            + 16 * usize::from(supported.contains(pawn))
            + 8 * usize::from(beside.contains(pawn));
        sink.add(us, Term::PawnForm, form + pawn.relative_rank(us) as usize, 1);
    }

    for pawn in isolated {
        let rim = pawn.file().min(7 - pawn.file()) as usize;
        sink.add(us, Term::IsolatedPawn, 4 * usize::from(opposed.contains(pawn)) + rim, 1);
    }

    let doubled = pawns & pawns.forward(!us).fill_forward(!us);
    sink.add(us, Term::DoubledPawn, 0, (doubled - isolated).len() as i32);
    sink.add(us, Term::DoubledPawn, 1, (doubled & isolated).len() as i32);

    let unsafe_stops = pawns.forward(us) & (enemy.by(Role::Pawn) - own.pawn_span);
    let backward = unsafe_stops.forward(!us) - isolated;
    sink.add(us, Term::BackwardPawn, 0, (backward - opposed).len() as i32);
    sink.add(us, Term::BackwardPawn, 1, (backward & opposed).len() as i32);

    for pawn in pawns - opposed - own.passed - doubled {
        // On the neighbouring files: enemies who guard the way against friends who can help.
        let way = Bitboard::of(pawn).fill_forward(us);
        let behind = Bitboard::of(pawn).fill_forward(!us);
        let guards = (way.forward(us).east() | way.forward(us).west()) & enemies;
        let helpers = (behind.east() | behind.west()) & pawns;
        if helpers.len() >= guards.len() {
            sink.add(us, Term::Candidate, pawn.relative_rank(us) as usize, 1);
        }
    }
}
