// SPDX-License-Identifier: GPL-3.0-or-later
//! Knights to queens: how many squares they have, and whether they stand well.
//!
//! Counting mobility also records what each side attacks, for the terms counted later.

use rules::{
    Color,
    chess::{Bitboard, Role, attacks},
};

use super::{Sink, Term, context::Context};

const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

#[inline(always)]
pub(super) fn count(context: &mut Context<'_>, us: Color, sink: &mut impl Sink) {
    mobility(context, us, sink);
    minors(context, us, sink);
    rooks(context, us, sink);
}

/// Mobility by safe squares, and the pieces that attack the enemy king.
#[inline(always)]
fn mobility(context: &mut Context<'_>, us: Color, sink: &mut impl Sink) {
    let occupied = context.occupied;
    let (own, enemy) = (context.side(us), context.side(!us));
    let (king, knights, bishops) = (own.king, own.of(Role::Knight), own.of(Role::Bishop));
    let (rooks, queens) = (own.of(Role::Rook), own.of(Role::Queen));
    let (ring, beside) = (enemy.ring, attacks::king(enemy.king));
    // Squares that enemy pawns guard are no squares, nor those that own stuck pawns and king block.
    let stuck = own.of(Role::Pawn) & occupied.forward(!us);
    let area = !(enemy.by(Role::Pawn) | stuck | Bitboard::of(king));
    let may_castle = context.board.castling().any(us);

    let mut reach = |role: Role, squares: Bitboard| -> usize {
        context.side_mut(us).attack(role, squares);
        if !squares.is_disjoint(ring) {
            sink.add(us, Term::Attacker, role.index() - 1, 1);
            sink.add(us, Term::RingAttack, 0, (squares & beside).len() as i32);
        }
        let n = (squares & area).len() as usize;
        let term = match role {
            Role::Knight => Term::KnightMobility,
            Role::Bishop => Term::BishopMobility,
            Role::Rook => Term::RookMobility,
            _ => Term::QueenMobility,
        };
        sink.add(us, term, n, 1);
        n
    };

    for square in knights {
        reach(Role::Knight, attacks::knight(square));
    }
    // Sliders see through the pieces of their own side that slide along with them.
    let behind_queens = occupied ^ queens;
    for square in bishops {
        reach(Role::Bishop, attacks::bishop(square, behind_queens));
    }
    let mut trapped = 0;
    for square in rooks {
        let n = reach(Role::Rook, attacks::rook(square, behind_queens ^ rooks));
        let outside = (king.file() < 4) == (square.file() < king.file());
        trapped += i32::from(n <= 3 && outside);
    }
    for square in queens {
        reach(Role::Queen, attacks::queen(square, occupied));
    }
    if trapped != 0 {
        sink.add(us, Term::RookTrapped, usize::from(!may_castle), trapped);
    }
}

#[inline(always)]
fn minors(context: &Context<'_>, us: Color, sink: &mut impl Sink) {
    let (own, enemy) = (context.side(us), context.side(!us));
    let (knights, bishops, pawns) = (own.of(Role::Knight), own.of(Role::Bishop), own.of(Role::Pawn));

    let middle =
        Bitboard::relative_rank(us, 3) | Bitboard::relative_rank(us, 4) | Bitboard::relative_rank(us, 5);
    let outposts = middle - enemy.pawn_span;
    let firm = outposts & own.by(Role::Pawn);
    sink.add(us, Term::Outpost, 0, (knights & (outposts - firm)).len() as i32);
    sink.add(us, Term::Outpost, 1, (knights & firm).len() as i32);
    sink.add(us, Term::Outpost, 2, (bishops & (outposts - firm)).len() as i32);
    sink.add(us, Term::Outpost, 3, (bishops & firm).len() as i32);
    let free = firm - own.all;
    sink.add(us, Term::OutpostReach, 0, (own.by(Role::Knight) & free).len() as i32);
    sink.add(us, Term::OutpostReach, 1, (own.by(Role::Bishop) & free).len() as i32);

    let behind = context.pawns().forward(!us);
    sink.add(us, Term::MinorBehindPawn, 0, (knights & behind).len() as i32);
    sink.add(us, Term::MinorBehindPawn, 1, (bishops & behind).len() as i32);

    for colour in [Bitboard::LIGHT, Bitboard::DARK] {
        if !bishops.is_disjoint(colour) {
            let rammed = pawns & context.occupied.forward(!us);
            sink.add(us, Term::BishopPawns, (pawns & colour).len() as usize, 1);
            sink.add(us, Term::BishopRammed, 0, (rammed & colour).len() as i32);
        }
    }
    for bishop in bishops {
        if (attacks::bishop(bishop, context.pawns()) & CENTRE).has_many() {
            sink.add(us, Term::BishopDiagonal, 0, 1);
        }
    }
}

#[inline(always)]
fn rooks(context: &Context<'_>, us: Color, sink: &mut impl Sink) {
    let (own, enemy) = (context.side(us), context.side(!us));
    let free = own.of(Role::Rook) - own.pawn_files;
    sink.add(us, Term::RookFile, 0, (free & enemy.pawn_files).len() as i32);
    sink.add(us, Term::RookFile, 1, (free - enemy.pawn_files).len() as i32);

    if let Some(queen) = enemy.of(Role::Queen).first() {
        let lines = own.of(Role::Rook) & attacks::rook(queen, Bitboard::EMPTY)
            | own.of(Role::Bishop) & attacks::bishop(queen, Bitboard::EMPTY);
        for slider in lines {
            let between = attacks::between(slider, queen) & context.occupied;
            if !between.is_empty() && !between.has_many() {
                sink.add(us, Term::QueenExposed, 0, 1);
            }
        }
    }
}
