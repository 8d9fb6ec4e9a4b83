// SPDX-License-Identifier: GPL-3.0-or-later
//! Is this move legal, does it give check: questions about single moves, without generating any.

use super::{Bitboard, Board, Move, MoveKind, Role, Square, Wing, attacks};
use crate::Color;

impl Board {
    /// Whether a move, which may be any 16 bits, can be played here.
    pub fn is_legal(&self, m: Move) -> bool {
        let (us, from, to) = (self.turn, m.from(), m.to());
        let Some(piece) = self.piece_on(from).filter(|piece| piece.color() == us) else {
            return false;
        };
        if m.is_castle() {
            return piece.role() == Role::King && self.is_castling_legal(us, from, to);
        }
        match piece.role() {
            Role::Pawn if m.is(MoveKind::EnPassant) => {
                self.en_passant == Some(to)
                    && attacks::pawn(us, from).contains(to)
                    && self.is_en_passant_safe(from, to)
            }
            Role::Pawn => self.is_pawn_move(us, m) && self.is_king_safe_after(us, from, to),
            role => {
                self.fits_target(us, m)
                    && attacks::of(role, us, from, self.occupied()).contains(to)
                    && if role == Role::King {
                        let occupied = self.occupied().without(from);
                        (self.attackers_to(to, occupied) & self.color(!us)).is_empty()
                    } else {
                        self.is_king_safe_after(us, from, to)
                    }
            }
        }
    }

    /// Whether a piece move says rightly that it captures or does not.
    fn fits_target(&self, us: Color, m: Move) -> bool {
        if m.is(MoveKind::Capture) {
            self.color(!us).contains(m.to())
        } else {
            m.is(MoveKind::Quiet) && !self.occupied().contains(m.to())
        }
    }

    /// Whether a pawn could make this move if its king did not matter.
    fn is_pawn_move(&self, us: Color, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        if m.is_promotion() != (to.relative_rank(us) == 7) {
            return false;
        }
        if m.is_capture() {
            return (m.is(MoveKind::Capture) || m.is_promotion())
                && attacks::pawn(us, from).contains(to)
                && self.color(!us).contains(to);
        }
        let ahead = from.forward(us);
        if self.occupied().contains(ahead) || self.occupied().contains(to) {
            return false;
        }
        if m.is(MoveKind::DoublePush) {
            from.relative_rank(us) == 1 && to == ahead.forward(us)
        } else {
            (m.is(MoveKind::Quiet) || m.is_promotion()) && to == ahead
        }
    }

    /// Whether a piece other than the king answers every check and keeps to the line of its pin.
    #[inline]
    fn is_king_safe_after(&self, us: Color, from: Square, to: Square) -> bool {
        let king = self.king(us);
        if self.pinned.contains(from) && !attacks::line(king, from).contains(to) {
            return false;
        }
        match self.checkers.first() {
            None => true,
            Some(checker) => {
                !self.checkers.has_many() && attacks::between(king, checker).with(checker).contains(to)
            }
        }
    }

    fn is_castling_legal(&self, us: Color, king: Square, rook: Square) -> bool {
        let wing = Wing::of(king, rook);
        self.checkers.is_empty() && self.castling.rook(us, wing) == Some(rook) && {
            let danger = self.attacked_by(!us, self.occupied().without(king));
            self.is_castling_safe(us, wing, rook, danger)
        }
    }

    /// Whether the squares of a castling move are empty and the king's path is not attacked.
    ///
    /// `danger` is what the enemy attacks through the own king, which must not be in check.
    pub(super) fn is_castling_safe(&self, us: Color, wing: Wing, rook: Square, danger: Bitboard) -> bool {
        let king = self.king(us);
        let king_to = wing.king_destination(us);
        let rook_to = wing.rook_destination(us);
        let king_path = attacks::between(king, king_to).with(king_to);
        let rook_path = attacks::between(rook, rook_to).with(rook_to);
        let others = self.occupied().without(king).without(rook);
        (king_path | rook_path).is_disjoint(others)
            && king_path.is_disjoint(danger)
            // In Chess960 the rook may be what shields the king's rank.
            && !self.pinned.contains(rook)
    }

    /// Whether a legal move gives check.
    #[inline]
    pub fn gives_check(&self, m: Move) -> bool {
        let (us, from, to) = (self.turn, m.from(), m.to());
        let king = self.king(!us);
        if m.is_castle() {
            let wing = Wing::of(from, to);
            let (king_to, rook_to) = (wing.king_destination(us), wing.rook_destination(us));
            let occupied = self.occupied().without(from).without(to).with(king_to).with(rook_to);
            return attacks::rook(rook_to, occupied).contains(king);
        }
        let Some(piece) = self.piece_on(from) else { return false };
        let mut occupied = self.occupied().without(from).with(to);
        let role = m.promoted().unwrap_or(piece.role());
        if attacks::of(role, us, to, occupied).contains(king) && role != Role::King {
            return true;
        }
        let en_passant = m.is(MoveKind::EnPassant);
        if en_passant {
            occupied = occupied.without(to.forward(!us));
        }
        // A piece that leaves the king's lines, or takes a pawn off them, may discover a slider.
        let (straight, diagonal) = attacks::rays_from(king);
        if !en_passant && !(straight | diagonal).contains(from) {
            return false;
        }
        let ours = self.color(us).without(from);
        let behind = (attacks::rook(king, occupied) & self.straight_sliders())
            | (attacks::bishop(king, occupied) & self.diagonal_sliders());
        !(behind & ours).is_empty()
    }
}
