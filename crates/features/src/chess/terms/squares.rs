// SPDX-License-Identifier: GPL-3.0-or-later
//! Material and where it stands, as both kings see it.

use rules::{
    Color,
    chess::{Bitboard, Role},
};

use super::{Sink, Term, context::Context};

#[inline(always)]
pub(super) fn count(context: &Context<'_>, us: Color, sink: &mut impl Sink) {
    let (own, enemy) = (context.side(us), context.side(!us));
    for role in Role::ALL {
        let own_row = (own.eye.zone() * 6 + role.index()) * 64;
        let enemy_row = (enemy.eye.zone() * 6 + role.index()) * 64;
        for square in own.of(role) {
            sink.add(us, Term::OwnSquare, own_row + own.eye.sees(square).index(), 1);
            sink.add(!us, Term::EnemySquare, enemy_row + enemy.eye.sees(square).index(), 1);
        }
        if role != Role::King {
            sink.add(us, Term::Material, role.index(), own.of(role).len() as i32);
        }
    }
    let pawns = own.of(Role::Pawn).len() as usize;
    let (knights, rooks) = (own.of(Role::Knight).len() as i32, own.of(Role::Rook).len() as i32);
    sink.add(us, Term::KnightPawns, pawns, knights);
    sink.add(us, Term::RookPawns, pawns, rooks);
    sink.add(us, Term::Twins, 0, i32::from(knights == 2));
    sink.add(us, Term::Twins, 1, i32::from(rooks == 2));
    let bishops = own.of(Role::Bishop);
    if !bishops.is_disjoint(Bitboard::LIGHT) && !bishops.is_disjoint(Bitboard::DARK) {
        sink.add(us, Term::BishopPair, 0, 1);
    }
}
