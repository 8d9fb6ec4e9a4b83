// SPDX-License-Identifier: GPL-3.0-or-later
//! The refresh cache ("Finny table"): for each view and class of king squares the last accumulator and its pieces.
//!
//! When a king changes its class, every feature of its view changes and the accumulator before the move is of
//! no use. The last one seen with the new class is: it differs by a few pieces only.

use features::chess::{Counts, FeatureSet};
use rules::{
    Color,
    chess::{Bitboard, Board, Piece},
};

use crate::{
    Network,
    lines::{I16s, I32s},
};

/// The last accumulator of every view and class.
pub(crate) struct Cache {
    entries: Vec<Entry>,
    classes: usize,
    added: Vec<u32>,
    removed: Vec<u32>,
}

struct Entry {
    /// The pieces whose features are summed up.
    pieces: [Bitboard; Piece::COUNT],
    values: Vec<I16s>,
    psqt: I32s,
    /// How many pieces give each feature, where several may and only the first counts.
    counts: Option<Counts>,
}

impl Entry {
    fn empty(net: &Network) -> Entry {
        Entry {
            pieces: [Bitboard::EMPTY; Piece::COUNT],
            values: net.bias.clone(),
            psqt: I32s::ZERO,
            counts: net.features.needs_counts().then(|| Counts::new(net.features.size())),
        }
    }

    /// Collects the features that the board has and the entry has not, and those it has not any more.
    fn compare(
        &mut self,
        features: &FeatureSet,
        board: &Board,
        view: Color,
        added: &mut Vec<u32>,
        removed: &mut Vec<u32>,
    ) {
        added.clear();
        removed.clear();
        let sight = features.seen_by(view, board.king(view));
        for (piece, before) in Piece::ALL.into_iter().zip(&mut self.pieces) {
            let now = board.pieces(piece.color(), piece.role());
            for square in now - *before {
                for &feature in sight.rows(piece, square) {
                    if self.counts.as_mut().is_none_or(|counts| counts.add(feature)) {
                        added.push(feature);
                    }
                }
            }
            for square in *before - now {
                for &feature in sight.rows(piece, square) {
                    if self.counts.as_mut().is_none_or(|counts| counts.remove(feature)) {
                        removed.push(feature);
                    }
                }
            }
            *before = now;
        }
    }
}

impl Cache {
    pub(crate) fn new(net: &Network) -> Cache {
        let classes = net.features.classes();
        Cache {
            entries: (0..2 * classes).map(|_| Entry::empty(net)).collect(),
            classes,
            added: Vec::new(),
            removed: Vec::new(),
        }
    }

    /// Writes the accumulator of a view of the board to `values` and `psqt`.
    pub(crate) fn refresh(
        &mut self,
        net: &Network,
        board: &Board,
        view: Color,
        values: &mut [I16s],
        psqt: &mut I32s,
    ) {
        let Cache { entries, classes, added, removed } = self;
        let class = net.features.class(view, board.king(view));
        let entry = &mut entries[view.index() * *classes + class];
        entry.compare(&net.features, board, view, added, removed);
        net.paths.refresh(&net.rows, &mut entry.values, values, [added, removed]);
        entry.psqt = net.shifted_psqt(&entry.psqt, [added, removed]);
        *psqt = entry.psqt;
    }
}
