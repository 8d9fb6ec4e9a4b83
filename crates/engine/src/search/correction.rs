// SPDX-License-Identifier: GPL-3.0-or-later
//! Correction histories: how far searches ended from the static evaluation of similar positions.
#![allow(unsafe_code, reason = "fresh memory as empty tables")]

use nnue::pages::{self, Zeroed};
use rules::{
    Color,
    chess::{Board, Keys},
};

use super::history::{Arrival, pull};
use crate::params::correction as params;

const ROWS: usize = 16_384;
const LIMIT: i32 = 1024;
const ARRIVALS: usize = 12 * 64 + 1;

type Table = [[i16; ROWS]; 2];

/// Errors of the evaluation by pawns, minor pieces, each side's pieces, and the last two moves.
pub(crate) struct Corrections {
    pawns: Table,
    minors: Table,
    non_pawns: [Table; 2],
    continuation: [[i16; ARRIVALS]; ARRIVALS],
}

// SAFETY: nothing but numbers.
unsafe impl Zeroed for Corrections {}

impl Corrections {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.pawns.as_flattened_mut().fill(0);
        self.minors.as_flattened_mut().fill(0);
        self.non_pawns.as_flattened_mut().as_flattened_mut().fill(0);
        self.continuation.as_flattened_mut().fill(0);
    }

    fn row(key: u64) -> usize {
        key as usize % ROWS
    }

    /// What to add to the static evaluation of a position; `last` and `before` are the arrivals one and
    /// two half-moves ago.
    pub(crate) fn of(&self, board: &Board, last: Arrival, before: Arrival) -> i32 {
        let side = board.turn().index();
        let Keys { pawns, minors, non_pawns, .. } = board.keys();
        let sum = i32::from(self.pawns[side][Self::row(*pawns)]) * params::pawns()
            + i32::from(self.minors[side][Self::row(*minors)]) * params::minors()
            + Color::ALL
                .iter()
                .map(|color| {
                    let row = Self::row(non_pawns[color.index()]);
                    i32::from(self.non_pawns[color.index()][side][row]) * params::non_pawns()
                })
                .sum::<i32>()
            + i32::from(self.continuation[before.index()][last.index()]) * params::continuation();
        sum / 1024
    }

    /// Asks the CPU to fetch what [`Corrections::of`] will read soon.
    #[inline]
    pub(crate) fn prefetch(&self, board: &Board, last: Arrival, before: Arrival) {
        let side = board.turn().index();
        let Keys { pawns, minors, non_pawns, .. } = board.keys();
        pages::prefetch(&self.pawns[side][Self::row(*pawns)]);
        pages::prefetch(&self.minors[side][Self::row(*minors)]);
        for color in Color::ALL {
            pages::prefetch(&self.non_pawns[color.index()][side][Self::row(non_pawns[color.index()])]);
        }
        pages::prefetch(&self.continuation[before.index()][last.index()]);
    }

    /// Learns from a search that ended `error` away from the evaluation at this depth.
    pub(crate) fn update(&mut self, board: &Board, last: Arrival, before: Arrival, error: i32, depth: i32) {
        let bonus = (error * depth / 8).clamp(-LIMIT / 4, LIMIT / 4);
        let side = board.turn().index();
        let Keys { pawns, minors, non_pawns, .. } = board.keys();
        nudge(&mut self.pawns[side][Self::row(*pawns)], bonus);
        nudge(&mut self.minors[side][Self::row(*minors)], bonus);
        for color in Color::ALL {
            nudge(&mut self.non_pawns[color.index()][side][Self::row(non_pawns[color.index()])], bonus);
        }
        nudge(&mut self.continuation[before.index()][last.index()], bonus);
    }
}

fn nudge(counter: &mut i16, bonus: i32) {
    pull::<LIMIT>(counter, bonus);
}
