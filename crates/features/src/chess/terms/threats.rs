// SPDX-License-Identifier: GPL-3.0-or-later
//! Threats: what a side could take, chase or restrict on its next moves.
//!
//! A threat of the side to move is another thing than one that can still be parried, so most of these
//! terms have entries of their own for it.

use rules::{
    Color,
    chess::{Bitboard, Role, attacks},
};

use super::{Sink, Term, context::Context};

const VICTIMS: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

#[inline(always)]
pub(super) fn count(context: &Context<'_>, us: Color, sink: &mut impl Sink) {
    let turn = usize::from(context.board.turn() == us);
    captures(context, us, turn, sink);
    loose_pieces(context, us, turn, sink);
    pushes(context, us, turn, sink);
    restriction(context, us, sink);
}

/// Enemy pieces that stand attacked, by attacker and defence.
#[inline(always)]
fn captures(context: &Context<'_>, us: Color, turn: usize, sink: &mut impl Sink) {
    let (own, enemy) = (context.side(us), context.side(!us));
    let guarded = enemy.by(Role::Pawn);
    let defended = enemy.attacked - guarded;
    let minors = own.by(Role::Knight) | own.by(Role::Bishop);
    let attackers = [
        (Term::MinorThreat, minors),
        (Term::RookThreat, own.by(Role::Rook)),
        (Term::QueenThreat, own.by(Role::Queen)),
    ];
    for (term, attacks) in attackers {
        for victim in VICTIMS {
            let hit = enemy.of(victim) & attacks;
            let entry = 15 * turn + victim.index();
            if !hit.is_empty() {
                sink.add(us, term, entry, (hit - enemy.attacked).len() as i32);
                sink.add(us, term, entry + 5, (hit & defended).len() as i32);
                sink.add(us, term, entry + 10, (hit & guarded).len() as i32);
            }
        }
    }
    for victim in VICTIMS {
        let hit = enemy.of(victim) & own.by(Role::Pawn);
        sink.add(us, Term::PawnThreat, 5 * turn + victim.index(), hit.len() as i32);
    }

    // Two threats at once are harder to meet than one.
    let pieces = enemy.all - enemy.of(Role::Pawn);
    let majors = enemy.of(Role::Rook) | enemy.of(Role::Queen);
    let serious = (pieces & own.by(Role::Pawn))
        | (majors & minors)
        | (enemy.of(Role::Queen) & own.by(Role::Rook))
        | (pieces & (own.attacked - enemy.attacked));
    sink.add(us, Term::ThreatCount, 4 * turn + (serious.len() as usize).min(3), 1);
}

/// Enemy pieces that nobody defends.
#[inline(always)]
fn loose_pieces(context: &Context<'_>, us: Color, turn: usize, sink: &mut impl Sink) {
    let (own, enemy) = (context.side(us), context.side(!us));
    let loose = enemy.all - enemy.attacked;
    let minors = enemy.of(Role::Knight) | enemy.of(Role::Bishop);
    sink.add(us, Term::Loose, 3 * turn, (minors & loose).len() as i32);
    sink.add(us, Term::Loose, 3 * turn + 1, (enemy.of(Role::Rook) & loose).len() as i32);
    sink.add(us, Term::Loose, 3 * turn + 2, (enemy.of(Role::Queen) & loose).len() as i32);

    let for_king = loose & own.by(Role::King);
    let pawns = enemy.of(Role::Pawn);
    sink.add(us, Term::KingThreat, 2 * turn, (for_king & pawns).len() as i32);
    sink.add(us, Term::KingThreat, 2 * turn + 1, (for_king - pawns).len() as i32);
}

/// Enemy pieces that a pawn could attack by a safe step.
#[inline(always)]
fn pushes(context: &Context<'_>, us: Color, turn: usize, sink: &mut impl Sink) {
    let (own, enemy) = (context.side(us), context.side(!us));
    let empty = !context.occupied;
    let single = own.of(Role::Pawn).forward(us) & empty;
    let double = (single & Bitboard::relative_rank(us, 2)).forward(us) & empty;
    let safe = (own.attacked | !enemy.attacked) - enemy.by(Role::Pawn);
    let attacked = attacks::pawns(us, (single | double) & safe) - own.by(Role::Pawn);
    for victim in &VICTIMS[1..] {
        let hit = enemy.of(*victim) & attacked;
        sink.add(us, Term::PushThreat, 4 * turn + victim.index() - 1, hit.len() as i32);
    }
}

/// Squares the enemy does not hold firmly, and safe squares from which its queens could be attacked.
#[inline(always)]
fn restriction(context: &Context<'_>, us: Color, sink: &mut impl Sink) {
    let (own, enemy) = (context.side(us), context.side(!us));
    let firm = enemy.by(Role::Pawn) | (enemy.twice - own.twice);
    let contested = own.attacked & (enemy.attacked - firm);
    sink.add(us, Term::Restricted, 0, contested.len() as i32);

    let safe = (own.twice | !enemy.attacked) - own.all - enemy.by(Role::Pawn);
    for queen in enemy.of(Role::Queen) {
        let leaps = attacks::knight(queen) & own.by(Role::Knight);
        let slides = (attacks::bishop(queen, context.occupied) & own.by(Role::Bishop))
            | (attacks::rook(queen, context.occupied) & own.by(Role::Rook));
        sink.add(us, Term::QueenHit, 0, (leaps & safe).len() as i32);
        sink.add(us, Term::QueenHit, 1, (slides & safe & own.twice).len() as i32);
    }
}
