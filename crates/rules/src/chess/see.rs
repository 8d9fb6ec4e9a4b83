// SPDX-License-Identifier: GPL-3.0-or-later
//! Static exchange evaluation: what a sequence of captures on one square is worth.

use super::{Bitboard, Board, Move, MoveKind, Role, Square, attacks};
use crate::Color;

/// What the exchange counts a piece as, by role; the king cannot be lost.
pub const SEE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 0];

impl Board {
    /// Whether the captures on the destination of `m`, best play by both sides, gain at least `threshold`.
    ///
    /// Each side captures with its least valuable piece and stops when going on would cost more. Pinned
    /// pieces take no part while their pinner is on the board. Castling, promotion gains and en passant
    /// count as the pieces that change hands.
    pub fn see_at_least(&self, m: Move, threshold: i32) -> bool {
        if m.is_castle() {
            return threshold <= 0;
        }
        let (from, to) = (m.from(), m.to());
        let Some(piece) = self.piece_on(from) else { return false };
        let mut occupied = self.occupied().without(from).with(to);
        let mut gain = match self.piece_on(to) {
            Some(captured) => SEE_VALUES[captured.role().index()],
            None if m.is(MoveKind::EnPassant) => {
                occupied = occupied.without(to.forward(!self.turn));
                SEE_VALUES[Role::Pawn.index()]
            }
            None => 0,
        };
        let mut at_risk = SEE_VALUES[piece.role().index()];
        if let Some(role) = m.promoted() {
            at_risk = SEE_VALUES[role.index()];
            gain += at_risk - SEE_VALUES[Role::Pawn.index()];
        }

        // `balance` is what the side that just captured has above the threshold.
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        balance -= at_risk;
        if balance >= 0 {
            return true;
        }

        let diagonal = self.diagonal_sliders();
        let straight = self.straight_sliders();
        let mut attackers = self.attackers_to(to, occupied) & occupied;
        let mut side = !self.turn;
        let mut holds = true;
        loop {
            let mut ours = attackers & self.color(side);
            ours = ours - self.held_back(side, to, occupied, ours);
            let Some((square, role)) = self.least_valuable(ours) else { break };
            holds = !holds;
            if role == Role::King {
                // The king may capture only what is not defended any more.
                return if (attackers & self.color(!side)).is_empty() { holds } else { !holds };
            }
            balance = -balance - 1 - SEE_VALUES[role.index()];
            if balance >= 0 {
                break;
            }
            occupied = occupied - square;
            if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
                attackers |= attacks::bishop(to, occupied) & diagonal;
            }
            if matches!(role, Role::Rook | Role::Queen) {
                attackers |= attacks::rook(to, occupied) & straight;
            }
            attackers &= occupied;
            side = !side;
        }
        holds
    }

    /// Of `candidates`, those that may not capture on `to`: a slider still in `occupied` pins them.
    #[inline]
    fn held_back(&self, side: Color, to: Square, occupied: Bitboard, candidates: Bitboard) -> Bitboard {
        let king = self.king(side);
        let (straight, diagonal) = attacks::rays_from(king);
        if candidates.is_disjoint(straight | diagonal) {
            return Bitboard::EMPTY;
        }
        let snipers = ((straight & self.straight_sliders()) | (diagonal & self.diagonal_sliders()))
            & self.color(!side)
            & occupied;
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & occupied;
            if !blockers.has_many() && !attacks::line(king, sniper).contains(to) {
                pinned |= blockers & candidates;
            }
        }
        pinned
    }

    #[inline]
    fn least_valuable(&self, candidates: Bitboard) -> Option<(Bitboard, Role)> {
        Role::ALL.into_iter().find_map(|role| {
            let first = (candidates & self.role(role)).first()?;
            Some((first.into(), role))
        })
    }
}
