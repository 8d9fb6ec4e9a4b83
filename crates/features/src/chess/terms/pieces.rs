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
pub(super) fn count(context: &Context<'_>, us: Color, sink: &mut impl Sink) {
    minors(context, us, sink);
    lines(context, us, sink);
}

/// Mobility of one role by safe squares, and which of its pieces attack the enemy king.
///
/// A square counts unless an enemy of less worth guards it, or own stuck pawns and king block it; the
/// roles are to be counted in order, both sides in turn.
#[inline(always)]
pub(super) fn mobility(context: &mut Context<'_>, us: Color, role: Role, sink: &mut impl Sink) {
    let occupied = context.occupied;
    let (own, enemy) = (context.side(us), context.side(!us));
    let stuck = own.of(Role::Pawn) & occupied.forward(!us);
    let (term, guarded, seen_through) = match role {
        Role::Knight => (Term::KnightMobility, enemy.by(Role::Pawn), Bitboard::EMPTY),
        Role::Bishop => (Term::BishopMobility, enemy.by(Role::Pawn), own.of(Role::Queen)),
        Role::Rook => {
            let minors = enemy.by(Role::Knight) | enemy.by(Role::Bishop);
            (Term::RookMobility, enemy.by(Role::Pawn) | minors, own.of(Role::Queen) | own.of(Role::Rook))
        }
        _ => {
            let less = enemy.by(Role::Knight) | enemy.by(Role::Bishop) | enemy.by(Role::Rook);
            (Term::QueenMobility, enemy.by(Role::Pawn) | less, Bitboard::EMPTY)
        }
    };
    let area = !(guarded | stuck | Bitboard::of(own.king));
    let mut attacked = [Bitboard::EMPTY, own.attacked, own.twice];
    let mut special = 0;
    for square in own.of(role) {
        let squares = attacks::of(role, us, square, occupied ^ seen_through);
        attacked = [attacked[0] | squares, attacked[1] | squares, attacked[2] | attacked[1] & squares];
        let n = (squares & area).len() as usize;
        sink.add(us, term, n, 1);
        sink.add(us, Term::Attacker, role.index() - 1, i32::from(!squares.is_disjoint(enemy.ring)));
        special += match role {
            Role::Bishop => i32::from((squares & CENTRE).has_many()),
            Role::Rook => {
                let outside = (own.king.file() < 4) == (square.file() < own.king.file());
                i32::from(n <= 3 && outside)
            }
            _ => 0,
        };
    }
    match role {
        Role::Bishop => sink.add(us, Term::BishopDiagonal, 0, special),
        Role::Rook => {
            sink.add(us, Term::RookTrapped, usize::from(!context.board.castling().any(us)), special);
        }
        _ => {}
    }
    let own = context.side_mut(us);
    [own.attacks[role.index()], own.attacked, own.twice] = attacked;
}

/// Outposts, and minors among their own pawns.
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

    let rammed = pawns & context.occupied.forward(!us);
    for colour in [Bitboard::LIGHT, Bitboard::DARK] {
        if !bishops.is_disjoint(colour) {
            sink.add(us, Term::BishopRammed, 0, (rammed & colour).len() as i32);
        }
    }
}

/// Files of the rooks, and lines on which enemy queens could be hit.
#[inline(always)]
fn lines(context: &Context<'_>, us: Color, sink: &mut impl Sink) {
    let (own, enemy) = (context.side(us), context.side(!us));
    let (rooks, bishops) = (own.of(Role::Rook), own.of(Role::Bishop));
    let free = rooks - own.pawn_files;
    sink.add(us, Term::RookFile, 0, (free & enemy.pawn_files).len() as i32);
    sink.add(us, Term::RookFile, 1, (free - enemy.pawn_files).len() as i32);

    for queen in enemy.of(Role::Queen) {
        let sliders = (rooks & attacks::rook(queen, Bitboard::EMPTY))
            | (bishops & attacks::bishop(queen, Bitboard::EMPTY));
        sink.add(us, Term::QueenExposed, 0, context.count_veiled(sliders, queen));
    }
}
