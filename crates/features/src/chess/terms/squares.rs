// SPDX-License-Identifier: GPL-3.0-or-later
//! Material and where it stands, as both kings see it.

use rules::{
    Color,
    chess::{Bitboard, Role},
};

use super::{Sink, Term, context::Context, zones::Eye};

/// Every piece as either king sees it.
#[inline(always)]
pub(super) fn pieces(context: &Context<'_>, sink: &mut impl Sink) {
    let [white, black] = Color::ALL.map(|color| context.side(color).eye);
    for square in context.occupied {
        if let Some(piece) = context.board.piece_on(square) {
            // Piece numbers run white pawn, black pawn, white knight …: Black's view swaps each pair.
            let (seen_by_white, seen_by_black) = (64 * piece.index(), 64 * (piece.index() ^ 1));
            let entry = |eye: Eye, piece: usize| 12 * 64 * eye.zone() + piece + eye.sees(square).index();
            sink.add(Color::White, Term::PieceSquare, entry(white, seen_by_white), 1);
            sink.add(Color::Black, Term::PieceSquare, entry(black, seen_by_black), 1);
        }
    }
}

/// Material, and how pieces of a side go with each other.
#[inline(always)]
pub(super) fn material(context: &Context<'_>, us: Color, sink: &mut impl Sink) {
    let own = context.side(us);
    for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        sink.add(us, Term::Material, role.index(), own.of(role).len() as i32);
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
