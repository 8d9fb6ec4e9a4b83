// SPDX-License-Identifier: GPL-3.0-or-later
//! Single positions in a row, of which the last will be held out: as they are, and as they are learned from.

use super::intake::Piece;
use crate::Record;

/// Positions and what there is to learn from them.
#[derive(Default)]
pub(super) struct Stretch {
    /// The positions as they are.
    pub(super) own: Vec<Record>,
    /// What there is to learn from them: judged, and with those beside them.
    pub(super) learn: Vec<Record>,
    /// How many of these there are up to each position.
    ends: Vec<usize>,
}

impl Stretch {
    pub(super) fn extend(&mut self, piece: Piece) {
        let before = self.learn.len();
        self.own.extend(piece.check);
        self.learn.extend(piece.learn);
        self.ends.extend(piece.ends.into_iter().map(|end| before + end));
    }

    /// How many records there are to learn from in front of a position.
    pub(super) fn learned_before(&self, position: usize) -> usize {
        position.checked_sub(1).map_or(0, |last| self.ends[last])
    }

    /// Keeps so many positions and returns the others.
    pub(super) fn split_off(&mut self, positions: usize) -> Stretch {
        let learned = self.learned_before(positions);
        let (own, learn) = (self.own.split_off(positions), self.learn.split_off(learned));
        let ends = self.ends.split_off(positions).into_iter().map(|end| end - learned).collect();
        Stretch { own, learn, ends }
    }
}
