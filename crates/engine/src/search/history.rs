// SPDX-License-Identifier: GPL-3.0-or-later
//! What the search remembers about moves: how often they were good, in which company.
//!
//! Every table holds small counters with gravity: a bonus moves a counter towards its limit, the
//! slower the closer it is. A malus does the same downwards.
#![allow(unsafe_code, reason = "fresh memory as empty tables")]

use nnue::pages::Zeroed;
use rules::{
    Color,
    chess::{Bitboard, Board, Move, Piece, Role, Square},
};

use crate::params::history as params;

/// Counters stay within plus and minus this.
const LIMIT: i32 = 16_384;
/// Rows of the pawn history, selected by the pawn key.
const PAWN_ROWS: usize = 512;
/// A piece arriving on a square, as one index.
const ARRIVALS: usize = Piece::COUNT * Square::COUNT;

/// A piece and the square it went to; the last value stands for "no move".
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arrival(u16);

impl Arrival {
    /// No move was played: the root, or a null move.
    pub(crate) const NONE: Arrival = Arrival(ARRIVALS as u16);

    #[inline(always)]
    pub(crate) fn new(piece: Piece, to: Square) -> Arrival {
        Arrival((piece.index() * Square::COUNT + to.index()) as u16)
    }

    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Moves a counter towards its limit, the slower the closer it is.
#[inline(always)]
pub(super) fn pull<const LIMIT: i32>(counter: &mut i16, bonus: i32) {
    let value = i32::from(*counter);
    *counter = (value + bonus - value * bonus.abs() / LIMIT) as i16;
}

#[inline(always)]
fn nudge(counter: &mut i16, bonus: i32) {
    pull::<LIMIT>(counter, bonus);
}

/// The arrivals one, two and four half-moves ago: the company a quiet move is judged in.
pub(crate) type Company = [Arrival; 3];

/// All move histories of a thread.
pub(crate) struct Histories {
    /// By side, whether origin and destination are attacked, origin and destination.
    butterfly: [[i16; 4096]; 8],
    /// By arrival and captured role.
    captures: [[i16; 8]; ARRIVALS],
    /// By earlier arrival and arrival.
    continuation: [[i16; ARRIVALS]; ARRIVALS + 1],
    /// By pawn structure and arrival.
    pawns: [[i16; ARRIVALS]; PAWN_ROWS],
}

// SAFETY: nothing but numbers.
unsafe impl Zeroed for Histories {}

impl Histories {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.butterfly.as_flattened_mut().fill(0);
        self.captures.as_flattened_mut().fill(0);
        self.continuation.as_flattened_mut().fill(0);
        self.pawns.as_flattened_mut().fill(0);
    }

    #[inline(always)]
    fn butterfly_row(side: Color, threats: Bitboard, m: Move) -> usize {
        side.index() * 4 + usize::from(threats.contains(m.from())) * 2 + usize::from(threats.contains(m.to()))
    }

    #[inline(always)]
    fn pawn_row(board: &Board) -> usize {
        board.keys().pawns as usize % PAWN_ROWS
    }

    /// How a quiet move is judged for pruning and reduction.
    #[inline]
    pub(crate) fn quiet_stat(
        &self,
        board: &Board,
        threats: Bitboard,
        company: Company,
        m: Move,
        arrival: Arrival,
    ) -> i32 {
        let to = arrival.index();
        i32::from(self.butterfly[Self::butterfly_row(board.turn(), threats, m)][m.from_to()])
            + i32::from(self.continuation[company[0].index()][to])
            + i32::from(self.continuation[company[1].index()][to])
    }

    /// How a quiet move is ordered: as it is judged, and by the pawns and the move before last.
    #[inline]
    pub(crate) fn quiet_order(
        &self,
        board: &Board,
        threats: Bitboard,
        company: Company,
        m: Move,
        arrival: Arrival,
    ) -> i32 {
        let to = arrival.index();
        self.quiet_stat(board, threats, company, m, arrival)
            + i32::from(self.pawns[Self::pawn_row(board)][to])
            + i32::from(self.continuation[company[2].index()][to]) / 2
    }

    /// How a capture or promotion is judged.
    #[inline]
    pub(crate) fn capture(&self, arrival: Arrival, captured: Option<Role>) -> i32 {
        i32::from(self.captures[arrival.index()][captured.map_or(7, Role::index)])
    }

    /// Rewards or punishes a capture.
    pub(crate) fn update_capture(&mut self, arrival: Arrival, captured: Option<Role>, bonus: i32) {
        nudge(&mut self.captures[arrival.index()][captured.map_or(7, Role::index)], bonus);
    }

    /// Rewards or punishes a quiet move in everything that remembers it.
    pub(crate) fn update_quiet(
        &mut self,
        board: &Board,
        threats: Bitboard,
        company: Company,
        m: Move,
        arrival: Arrival,
        bonus: i32,
    ) {
        self.update_butterfly(board.turn(), threats, m, bonus);
        nudge(&mut self.pawns[Self::pawn_row(board)][arrival.index()], bonus);
        self.update_continuation(company, arrival, bonus);
    }

    /// Rewards or punishes a move regardless of its company.
    pub(crate) fn update_butterfly(&mut self, side: Color, threats: Bitboard, m: Move, bonus: i32) {
        nudge(&mut self.butterfly[Self::butterfly_row(side, threats, m)][m.from_to()], bonus);
    }

    /// Rewards or punishes an arrival after those before it.
    pub(crate) fn update_continuation(&mut self, company: Company, arrival: Arrival, bonus: i32) {
        for earlier in company {
            if earlier != Arrival::NONE {
                nudge(&mut self.continuation[earlier.index()][arrival.index()], bonus);
            }
        }
    }
}

/// Reward of a move that was best at `depth`.
pub(crate) fn bonus(depth: i32) -> i32 {
    (params::bonus_factor() * depth - params::bonus_base()).min(params::bonus_max())
}

/// Punishment of a move that another one beat at `depth`.
pub(crate) fn malus(depth: i32) -> i32 {
    (params::malus_factor() * depth - params::malus_base()).min(params::malus_max())
}

/// Punishment of an expected move that was refuted at `depth`.
pub(crate) fn refuted(depth: i32) -> i32 {
    malus(depth) * params::refuted_percent() / 100
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_stay_within_their_limit() {
        let mut counter = 0;
        for _ in 0..10_000 {
            nudge(&mut counter, 4_000);
        }
        assert!(i32::from(counter) <= LIMIT && i32::from(counter) > LIMIT * 9 / 10);
        for _ in 0..10_000 {
            nudge(&mut counter, -4_000);
        }
        assert!(i32::from(counter) >= -LIMIT && i32::from(counter) < -LIMIT * 9 / 10);
    }
}
