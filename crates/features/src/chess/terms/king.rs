// SPDX-License-Identifier: GPL-3.0-or-later
//! The king: the pawns around it, and the danger that the enemy's pieces bring.

use rules::{
    Color,
    chess::{Bitboard, Role, attacks},
};

use super::{Sink, Term, context::Context};

#[inline(always)]
pub(super) fn count(context: &Context<'_>, us: Color, sink: &mut impl Sink) {
    shelter(context, us, sink);
    danger(context, us, sink);
}

/// Own and enemy pawns on the files around the own king.
#[inline(always)]
fn shelter(context: &Context<'_>, us: Color, sink: &mut impl Sink) {
    let (own, enemy) = (context.side(us), context.side(!us));
    let king = own.king;
    let ahead = Bitboard::rank(king.rank()).fill_forward(us);
    let pawns = own.of(Role::Pawn) & ahead;
    let enemies = enemy.of(Role::Pawn) & ahead;
    let middle = king.file().clamp(1, 6);
    for file in middle - 1..=middle + 1 {
        let line = Bitboard::file(file);
        let rim = 8 * file.min(7 - file) as usize;
        let own_rank = nearest(pawns & line, us);
        let enemy_rank = nearest(enemies & line, us);
        sink.add(us, Term::Shelter, rim + own_rank, 1);
        let rammed = own_rank != 0 && own_rank + 1 == enemy_rank;
        sink.add(us, Term::Storm, 32 * usize::from(rammed) + rim + enemy_rank, 1);
    }
    let bare =
        usize::from(!own.pawn_files.contains(king)) + 2 * usize::from(!enemy.pawn_files.contains(king));
    sink.add(us, Term::KingFile, bare, 1);
    if context.pawns().is_disjoint(flank(king.file())) {
        sink.add(us, Term::KingFlank, 0, 1);
    }
}

/// The rank of the nearest pawn of a file as `us` counts, 0 if there is none.
#[inline(always)]
fn nearest(pawns: Bitboard, us: Color) -> usize {
    let pawn = match us {
        Color::White => pawns.first(),
        Color::Black => pawns.last(),
    };
    pawn.map_or(0, |square| square.relative_rank(us) as usize)
}

/// The files of a king's flank: the four or five files on its side of the board.
#[inline(always)]
const fn flank(file: u8) -> Bitboard {
    const QUEEN: u64 = 0x0707_0707_0707_0707;
    Bitboard(match file {
        0 => QUEEN,
        1 | 2 => QUEEN << 1 | QUEEN,
        3 | 4 => QUEEN << 2 | QUEEN << 3,
        5 | 6 => QUEEN << 5 | QUEEN << 4,
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

    let safe = !own.all & (!enemy.attacked | weak & own.twice);
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
        } else if !(squares - own.all).is_empty() {
            sink.add(us, Term::UnsafeCheck, role, 1);
        }
    }

    let snipers = attacks::rook(king, Bitboard::EMPTY) & (own.of(Role::Rook) | own.of(Role::Queen))
        | attacks::bishop(king, Bitboard::EMPTY) & (own.of(Role::Bishop) | own.of(Role::Queen));
    let mut pinned = 0;
    for sniper in snipers {
        let between = attacks::between(sniper, king) & context.occupied;
        pinned += i32::from(!between.is_empty() && !between.has_many());
    }
    sink.add(us, Term::Pinned, 0, pinned);

    let camp = flank(king.file())
        - (Bitboard::relative_rank(us, 0) | Bitboard::relative_rank(us, 1) | Bitboard::relative_rank(us, 2));
    sink.add(us, Term::FlankAttack, 0, (own.attacked & camp).len() as i32);
    sink.add(us, Term::FlankAttack, 1, (own.twice & camp).len() as i32);
    sink.add(us, Term::FlankDefence, 0, (enemy.attacked & camp).len() as i32);

    let escapes = enemy.by(Role::King) - enemy.all - own.attacked;
    sink.add(us, Term::KingEscape, escapes.len() as usize, 1);
    sink.add(
        us,
        Term::KnightGuard,
        0,
        i32::from(!(enemy.by(Role::King) & enemy.of(Role::Knight)).is_empty()),
    );
    sink.add(us, Term::NoQueen, 0, i32::from(own.of(Role::Queen).is_empty()));

    let middle = king.file().clamp(1, 6);
    let files = Bitboard::rank(0) & Bitboard(7 << (middle - 1));
    let (shut_in, shut_out) = (files - enemy.pawn_files, files - own.pawn_files);
    sink.add(us, Term::BareFile, 0, (shut_in - shut_out).len() as i32);
    sink.add(us, Term::BareFile, 1, (shut_out - shut_in).len() as i32);
    sink.add(us, Term::BareFile, 2, (shut_in & shut_out).len() as i32);

    let front = Bitboard::of(king) | enemy.by(Role::King);
    let front = front.forward(!us) - Bitboard::of(king);
    sink.add(us, Term::Cover, ((enemy.of(Role::Pawn) & front).len() as usize).min(3), 1);
    let near = front | front.forward(!us);
    sink.add(us, Term::Assault, ((own.of(Role::Pawn) & near).len() as usize).min(3), 1);
    sink.add(us, Term::DangerBase, 0, 1);
    sink.add(us, Term::DangerBase, 1, i32::from(context.board.turn() == us));
}
