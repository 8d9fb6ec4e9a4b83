// SPDX-License-Identifier: GPL-3.0-or-later
//! The contract of a feature set: what is active in a position, and what a move changes.

use rules::{
    Color,
    chess::{Board, Piece, Square},
};

use super::{Delta, FeatureSet, Sight};

/// The indices that a move changes in one view. An index in both lists stays as it was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Indices that become active, or count one more.
    pub added: Vec<u32>,
    /// Indices that were active, or count one less.
    pub removed: Vec<u32>,
}

impl Changes {
    /// Empties both lists and keeps their memory.
    pub fn clear(&mut self) {
        self.added.clear();
        self.removed.clear();
    }
}

/// How to get from the features of a position to those of the next.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Update {
    /// By the changes that were noted.
    Increment,
    /// From scratch: the changes are not worth noting.
    Refresh,
}

/// What every feature set can do, whether compiled from an expression or written by hand because it looks
/// at more than one piece.
///
/// Indices of either view are those that the other would have with colours exchanged.
pub trait Features {
    /// The number of indices.
    fn size(&self) -> usize;

    /// A bound of the active indices of one view, repetitions included.
    fn max_active(&self) -> usize;

    /// Appends the active indices of a view in any order: each once, or as often as it counts.
    fn active(&self, board: &Board, view: Color, into: &mut Vec<u32>);

    /// Appends what changes in a view between two positions that `delta` sets apart, or asks for a refresh.
    fn changed(
        &self,
        before: &Board,
        after: &Board,
        delta: &Delta,
        view: Color,
        into: &mut Changes,
    ) -> Update;
}

impl Features for FeatureSet {
    fn size(&self) -> usize {
        FeatureSet::size(self)
    }

    fn max_active(&self) -> usize {
        FeatureSet::max_active(self)
    }

    fn active(&self, board: &Board, view: Color, into: &mut Vec<u32>) {
        let start = into.len();
        into.extend(all_rows(self.seen_by(view, board.king(view)), board));
        if self.needs_counts() {
            let mut active = into.split_off(start);
            make_distinct(&mut active);
            into.append(&mut active);
        }
    }

    fn changed(
        &self,
        before: &Board,
        after: &Board,
        delta: &Delta,
        view: Color,
        into: &mut Changes,
    ) -> Update {
        let king = after.king(view);
        if self.class(view, before.king(view)) != self.class(view, king) {
            return Update::Refresh;
        }
        let sight = self.seen_by(view, king);
        if self.needs_counts() {
            let mut touched: Vec<u32> =
                rows(sight, delta.removed()).chain(rows(sight, delta.added())).collect();
            make_distinct(&mut touched);
            let active = |board, index| all_rows(sight, board).any(|row| row == index);
            for index in touched {
                match (active(before, index), active(after, index)) {
                    (true, false) => into.removed.push(index),
                    (false, true) => into.added.push(index),
                    _ => {}
                }
            }
        } else {
            into.removed.extend(rows(sight, delta.removed()));
            into.added.extend(rows(sight, delta.added()));
        }
        Update::Increment
    }
}

/// The rows of some pieces.
fn rows<'a>(sight: Sight<'a>, pieces: &'a [(Piece, Square)]) -> impl Iterator<Item = u32> + 'a {
    pieces.iter().flat_map(move |&(piece, square)| sight.rows(piece, square)).copied()
}

/// The rows of every piece on the board.
fn all_rows<'a>(sight: Sight<'a>, board: &'a Board) -> impl Iterator<Item = u32> + 'a {
    let rows = move |square| board.piece_on(square).map_or(&[][..], |piece| sight.rows(piece, square));
    board.occupied().into_iter().flat_map(rows).copied()
}

fn make_distinct(indices: &mut Vec<u32>) {
    indices.sort_unstable();
    indices.dedup();
}
