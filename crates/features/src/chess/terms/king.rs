// SPDX-License-Identifier: GPL-3.0-or-later
//! The king: whether pawns are near it, and the danger that the enemy's pieces bring.

use rules::{
    Color,
    chess::{Bitboard, Role, attacks},
};

use super::{Sink, Term, context::Context};

#[inline(always)]
pub(super) fn count(context: &Context<'_>, us: Color, sink: &mut impl Sink) {
    let bare = context.pawns().is_disjoint(flank(context.side(us).king.file()));
    sink.add(us, Term::KingFlank, 0, i32::from(bare));
    danger(context, us, sink);
}

/// The five ranks farthest from each side.
const FAR_RANKS: [Bitboard; 2] = [Bitboard(0xFFFF_FFFF_FF00_0000), Bitboard(0x0000_00FF_FFFF_FFFF)];

/// The files of a king's flank: three at the rim, else four on its side of the board.
#[inline(always)]
const fn flank(file: u8) -> Bitboard {
    const QUEEN: u64 = 0x0707_0707_0707_0707;
    Bitboard(match file {
        0 => QUEEN,
        1 | 2 => QUEEN | (QUEEN << 1),
        3 | 4 => (QUEEN << 2) | (QUEEN << 3),
        5 | 6 => (QUEEN << 4) | (QUEEN << 5),
        _ => QUEEN << 5,
    })
}

/// What `us` brings against the enemy king.
#[inline(always)]
fn danger(context: &Context<'_>, us: Color, sink: &mut impl Sink) {
    let (own, enemy) = (context.side(us), context.side(!us));
    let king = enemy.king;

    // Squares that the enemy holds with king or queen at most.
    let held = enemy.by(Role::Pawn) | enemy.by(Role::Knight) | enemy.by(Role::Bishop) | enemy.by(Role::Rook);
    let weak = own.attacked - held - enemy.twice;
    sink.add(us, Term::WeakRing, 0, (weak & enemy.ring).len() as i32);

    let safe = !own.all & (!enemy.attacked | (weak & own.twice));
    let unblocked = context.occupied - enemy.of(Role::Queen);
    let straight = attacks::rook(king, unblocked);
    let diagonal = attacks::bishop(king, unblocked);
    let checks = [
        attacks::knight(king) & own.by(Role::Knight),
        diagonal & own.by(Role::Bishop),
        straight & own.by(Role::Rook),
        (straight | diagonal) & own.by(Role::Queen),
    ];
    for (role, squares) in checks.into_iter().enumerate() {
        let good = squares & safe;
        if !good.is_empty() {
            sink.add(us, Term::SafeCheck, role + 4 * usize::from(good.has_many()), 1);
        }
    }

    let queens = own.of(Role::Queen);
    let snipers = (attacks::rook(king, Bitboard::EMPTY) & (own.of(Role::Rook) | queens))
        | (attacks::bishop(king, Bitboard::EMPTY) & (own.of(Role::Bishop) | queens));
    sink.add(us, Term::Pinned, 0, context.count_veiled(snipers, king));

    let camp = flank(king.file()) & FAR_RANKS[us.index()];
    sink.add(us, Term::FlankAttack, 0, (own.attacked & camp).len() as i32);
    sink.add(us, Term::FlankAttack, 1, (own.twice & camp).len() as i32);
    sink.add(us, Term::FlankDefence, 0, (enemy.attacked & camp).len() as i32);

    let escapes = enemy.by(Role::King) - enemy.all - own.attacked;
    sink.add(us, Term::KingEscape, escapes.len() as usize, 1);

    let front = enemy.by(Role::King).with(king).forward(!us).without(king);
    sink.add(us, Term::Cover, ((enemy.of(Role::Pawn) & front).len() as usize).min(3), 1);
    sink.add(us, Term::DangerBase, 0, 1);
    sink.add(us, Term::DangerBase, 1, i32::from(context.board.turn() == us));
}
