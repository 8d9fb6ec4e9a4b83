// SPDX-License-Identifier: GPL-3.0-or-later
//! Threats: what a side could take, chase or restrict on its next moves; and space.

use rules::{
    Color,
    chess::{Bitboard, Role, attacks},
};

use super::{Sink, Term, context::Context};

const VICTIMS: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

#[inline(always)]
pub(super) fn count(context: &Context<'_>, us: Color, sink: &mut impl Sink) {
    let (own, enemy) = (context.side(us), context.side(!us));
    let pieces = enemy.all - enemy.of(Role::Pawn);

    let turn = usize::from(context.board.turn() == us);
    // Firmly held: by a pawn, or twice where the attacker is not.
    let firm = enemy.by(Role::Pawn) | (enemy.twice - own.twice);
    let attackers = [
        (Term::MinorThreat, own.by(Role::Knight) | own.by(Role::Bishop)),
        (Term::RookThreat, own.by(Role::Rook)),
        (Term::QueenThreat, own.by(Role::Queen)),
    ];
    for (term, attacks) in attackers {
        for victim in VICTIMS {
            let hit = enemy.of(victim) & attacks;
            if !hit.is_empty() {
                sink.add(us, term, 10 * turn + victim.index(), (hit - enemy.attacked).len() as i32);
                sink.add(us, term, 10 * turn + 5 + victim.index(), (hit & enemy.attacked).len() as i32);
            }
        }
    }
    for victim in VICTIMS {
        sink.add(
            us,
            Term::PawnThreat,
            5 * turn + victim.index(),
            (enemy.of(victim) & own.by(Role::Pawn)).len() as i32,
        );
    }
    let loose = own.by(Role::King) - enemy.attacked;
    sink.add(us, Term::KingThreat, 2 * turn, (enemy.of(Role::Pawn) & loose).len() as i32);
    sink.add(us, Term::KingThreat, 2 * turn + 1, (pieces & loose).len() as i32);

    let empty = !context.occupied;
    let pawns = own.of(Role::Pawn);
    let step = pawns.forward(us) & empty;
    let double = (step & Bitboard::relative_rank(us, 2)).forward(us) & empty;
    let safe_step = ((step | double) - enemy.by(Role::Pawn)) & (own.attacked | !enemy.attacked);
    let pushed = attacks::pawns(us, safe_step);
    for victim in VICTIMS {
        let hit = enemy.of(victim) & (pushed - own.by(Role::Pawn));
        sink.add(us, Term::PushThreat, 5 * turn + victim.index(), hit.len() as i32);
    }

    let contested = own.attacked & (enemy.attacked - firm);
    sink.add(us, Term::Restricted, 0, contested.len() as i32);

    if let Some(queen) = enemy.of(Role::Queen).first() {
        let safe = !own.all & !enemy.by(Role::Pawn) & (!enemy.attacked | own.twice);
        let leap = attacks::knight(queen) & own.by(Role::Knight) & safe;
        let slide = attacks::bishop(queen, context.occupied) & own.by(Role::Bishop)
            | attacks::rook(queen, context.occupied) & own.by(Role::Rook);
        sink.add(us, Term::QueenHit, 0, leap.len() as i32);
        sink.add(us, Term::QueenHit, 1, (slide & safe & own.twice).len() as i32);
    }

    let centre = Bitboard(0x3C3C_3C3C_3C3C_3C3C)
        & (Bitboard::relative_rank(us, 1) | Bitboard::relative_rank(us, 2) | Bitboard::relative_rank(us, 3));
    let room = centre - pawns - enemy.by(Role::Pawn);
    sink.add(us, Term::Space, 0, (room.len() * own.all.len()) as i32);
}
