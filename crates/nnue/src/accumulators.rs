// SPDX-License-Identifier: GPL-3.0-or-later
//! The accumulators of a search: one per ply and view, computed when somebody asks.
//!
//! ```text
//! push(delta)       notes what a move changes, and computes nothing
//! evaluate(board)   walks back to the last ply that is known, applies the moves since, runs the network
//! pop()             forgets the ply; the one below is still there
//! ```
//!
//! A king move that changes all features of a view ends the walk: then the refresh cache helps.

use std::sync::Arc;

use features::chess::{Delta, FeatureSet, Sight};
use rules::{
    Color,
    chess::{Board, Piece, Role, Square},
};

use crate::{
    Network,
    cache::Cache,
    forward::Scratch,
    lines::{I16s, I32s},
};

/// How many plies there is room for at first.
const PLIES: usize = 128;

/// The accumulators of one thread; see the module.
pub struct Accumulators {
    net: Arc<Network>,
    /// What led to each ply, up to the current one.
    plies: Vec<Ply>,
    /// Two accumulators of `lines` lines for each ply.
    values: Vec<I16s>,
    psqt: Vec<[I32s; 2]>,
    lines: usize,
    cache: Cache,
    scratch: Box<Scratch>,
    changes: [Change; 2],
}

/// What a move changes in a view.
struct Change {
    added: Rows,
    removed: Rows,
}

impl Change {
    const NONE: Change = Change { added: Rows::NONE, removed: Rows::NONE };

    #[inline(always)]
    fn set(&mut self, sight: Sight<'_>, delta: &Delta) {
        self.added.set(sight, delta.added());
        self.removed.set(sight, delta.removed());
    }

    #[inline(always)]
    fn as_slices(&self) -> [&[u32]; 2] {
        [self.added.as_slice(), self.removed.as_slice()]
    }
}

/// Rows of weights that a move adds or takes away: those of two pieces at most.
struct Rows {
    list: [u32; 2 * FeatureSet::MAX_ROWS],
    count: usize,
}

impl Rows {
    const NONE: Rows = Rows { list: [0; 2 * FeatureSet::MAX_ROWS], count: 0 };

    /// Lists the rows of some pieces in place of what was there.
    #[inline(always)]
    fn set(&mut self, sight: Sight<'_>, pieces: &[(Piece, Square)]) {
        self.count = 0;
        for &(piece, square) in pieces {
            for &row in sight.rows(piece, square) {
                self.list[self.count] = row;
                self.count += 1;
            }
        }
    }

    #[inline(always)]
    fn as_slice(&self) -> &[u32] {
        &self.list[..self.count]
    }
}

#[derive(Copy, Clone, Default)]
struct Ply {
    delta: Delta,
    /// Whether the accumulator of a view is computed.
    ready: [bool; 2],
    /// Whether the move changed the class of a view's king.
    reclassed: [bool; 2],
}

impl Accumulators {
    /// Accumulators for a search that begins at any position.
    pub fn new(net: Arc<Network>) -> Accumulators {
        let lines = net.arch.width / I16s::LEN;
        let mut accumulators = Accumulators {
            plies: Vec::with_capacity(PLIES),
            values: Vec::new(),
            psqt: Vec::new(),
            lines,
            cache: Cache::new(&net),
            scratch: Scratch::new(),
            changes: [Change::NONE; 2],
            net,
        };
        accumulators.push_ply(Ply::default());
        accumulators
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.net
    }

    /// Starts over from a position that is not a move away from the last.
    ///
    /// Which one, `evaluate` will say; the refresh cache stays useful.
    pub fn reset(&mut self) {
        self.plies.truncate(1);
        self.plies[0] = Ply::default();
    }

    /// Notes what a move changes, as [`Delta::play`] tells when it is played; nothing for a passed turn.
    #[inline]
    pub fn push(&mut self, delta: Delta) {
        let mut ply = Ply { delta, ..Ply::default() };
        for view in Color::ALL {
            if delta.moves_king(view) {
                let king = |list| square_of(list, Piece::new(view, Role::King));
                let class = |square| self.net.features.class(view, square);
                ply.reclassed[view.index()] =
                    king(delta.removed()).map(class) != king(delta.added()).map(class);
            }
        }
        self.push_ply(ply);
    }

    #[inline]
    fn push_ply(&mut self, ply: Ply) {
        self.plies.push(ply);
        if self.plies.len() > self.psqt.len() {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let plies = self.psqt.len() + PLIES;
        self.values.resize(2 * plies * self.lines, I16s::ZERO);
        self.psqt.resize(plies, [I32s::ZERO; 2]);
    }

    /// Takes the last move back.
    ///
    /// # Panics
    /// Without a move to take back.
    #[inline]
    pub fn pop(&mut self) {
        assert!(self.plies.len() > 1, "no move to take back");
        self.plies.pop();
    }

    /// The raw output for the side to move of `board`, the position after all moves noted.
    #[inline]
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        self.update(board);
        let (top, turn) = (self.plies.len() - 1, board.turn());
        let views = [turn, !turn].map(|view| &self.values[range(self.lines, top, view)]);
        let psqt = [turn, !turn].map(|view| &self.psqt[top][view.index()]);
        self.net.forward(views, psqt, self.net.bucket(board), &mut self.scratch)
    }

    /// Computes the accumulators of `board`, the position after all moves noted, without running the network.
    #[inline]
    pub fn update(&mut self, board: &Board) {
        if let [.., before, last] = self.plies.as_slice()
            && before.ready == [true; 2]
            && last.ready == [false; 2]
            && last.reclassed == [false; 2]
            && !self.net.features.needs_counts()
        {
            return self.advance_both(board);
        }
        self.prepare(board, Color::White);
        self.prepare(board, Color::Black);
    }

    /// The accumulator of a view of `board`, the position after all moves noted.
    pub fn values(&mut self, board: &Board, view: Color) -> Vec<i16> {
        self.prepare(board, view);
        let range = range(self.lines, self.plies.len() - 1, view);
        self.values[range].iter().flat_map(|line| line.0).collect()
    }

    /// Sees to it that the accumulator of a view is computed for the current ply.
    #[inline]
    fn prepare(&mut self, board: &Board, view: Color) {
        let top = self.plies.len() - 1;
        let mut known = top;
        loop {
            let ply = &self.plies[known];
            if ply.ready[view.index()] {
                break;
            }
            if known == 0 || ply.reclassed[view.index()] || self.net.features.needs_counts() {
                return self.refresh(board, view);
            }
            known -= 1;
        }
        for ply in known + 1..=top {
            self.advance(board, view, ply);
        }
    }

    /// Computes a ply from the one before it; `board` is of the same class of king squares.
    #[inline]
    fn advance(&mut self, board: &Board, view: Color, ply: usize) {
        let net = &*self.net;
        let Ply { delta, ready, .. } = &mut self.plies[ply];
        let change = &mut self.changes[view.index()];
        change.set(net.features.seen_by(view, board.king(view)), delta);
        let (before, after) = self.values.split_at_mut(2 * ply * self.lines);
        let from = &before[range(self.lines, ply - 1, view)];
        let to = &mut after[range(self.lines, 0, view)];
        net.paths.update(&net.rows, from, to, change.as_slices());
        if net.arch.psqt {
            let from = &self.psqt[ply - 1][view.index()];
            self.psqt[ply][view.index()] = net.shifted_psqt(from, change.as_slices());
        }
        ready[view.index()] = true;
    }

    /// Computes both views of the current ply from the one before it: what a search asks for most of the time.
    #[inline]
    fn advance_both(&mut self, board: &Board) {
        let net = &*self.net;
        let ply = self.plies.len() - 1;
        let Ply { delta, ready, .. } = &mut self.plies[ply];
        for view in Color::ALL {
            self.changes[view.index()].set(net.features.seen_by(view, board.king(view)), delta);
        }
        let changes = [self.changes[0].as_slices(), self.changes[1].as_slices()];
        let (before, after) = self.values.split_at_mut(2 * ply * self.lines);
        let from = &before[2 * (ply - 1) * self.lines..];
        let to = &mut after[..2 * self.lines];
        net.paths.update_both(&net.rows, from, to, changes);
        if net.arch.psqt {
            let (before, after) = self.psqt.split_at_mut(ply);
            for view in 0..2 {
                after[0][view] = net.shifted_psqt(&before[ply - 1][view], changes[view]);
            }
        }
        *ready = [true; 2];
    }

    #[cold]
    fn refresh(&mut self, board: &Board, view: Color) {
        let top = self.plies.len() - 1;
        let values = &mut self.values[range(self.lines, top, view)];
        let psqt = &mut self.psqt[top][view.index()];
        self.cache.refresh(&self.net, board, view, values, psqt);
        self.plies[top].ready[view.index()] = true;
    }
}

/// Where the accumulator of a ply and view stands.
#[inline(always)]
fn range(lines: usize, ply: usize, view: Color) -> std::ops::Range<usize> {
    let start = (2 * ply + view.index()) * lines;
    start..start + lines
}

fn square_of(list: &[(Piece, Square)], piece: Piece) -> Option<Square> {
    list.iter().find(|&&(candidate, _)| candidate == piece).map(|&(_, square)| square)
}
