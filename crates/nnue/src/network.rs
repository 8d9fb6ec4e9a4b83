// SPDX-License-Identifier: GPL-3.0-or-later
//! A network laid out for one CPU, shared by all threads.

use features::chess::FeatureSet;
use rules::{
    Color,
    chess::{Board, Piece, Role, Square},
};

use crate::{
    Arch, Level, Net, NetError, Weights,
    forward::{Scratch, Shape},
    head::{Layers, lines_i16},
    lines::{I16s, I32s, Line},
    pages::Pages,
    paths::{self, Paths},
};

/// A network ready to run.
pub struct Network {
    pub(crate) features: FeatureSet,
    pub(crate) arch: Arch,
    run: String,
    level: Level,
    pub(crate) bias: Vec<I16s>,
    pub(crate) rows: Pages<I16s>,
    /// A line of direct weights per feature, one number per bucket; empty without them.
    pub(crate) psqt: Pages<I32s>,
    pub(crate) layers: Vec<Layers>,
    pub(crate) shape: Shape,
    pub(crate) paths: Box<dyn Paths>,
}

/// Room for what lies between the pieces of a diagram and the output.
pub struct Room {
    active: Vec<u32>,
    views: [Vec<I16s>; 2],
    scratch: Box<Scratch>,
}

impl Room {
    /// Room for the diagrams of any network, one after the other.
    pub fn new() -> Room {
        Room { active: Vec::new(), views: [Vec::new(), Vec::new()], scratch: Scratch::new() }
    }
}

impl Default for Room {
    fn default() -> Self {
        Room::new()
    }
}

impl Network {
    /// Checks a network and lays it out for an instruction set, usually [`Level::best`].
    pub fn new(net: Net, level: Level) -> Result<Network, NetError> {
        net.check()?;
        let Net { features, arch, run, weights } = net;
        let paths = paths::choose(arch.width, level)?;
        let packed = paths.packed();
        Ok(Network {
            bias: lines_i16(&weights.bias),
            rows: feature_rows(&weights)?,
            psqt: direct_rows(&arch, &weights)?,
            layers: weights.heads.iter().map(|head| Layers::new(&arch, head, packed)).collect(),
            shape: Shape::of(&arch),
            features,
            arch,
            run,
            level,
            paths,
        })
    }

    /// What the network sees.
    pub fn features(&self) -> &FeatureSet {
        &self.features
    }

    /// The shape.
    pub fn arch(&self) -> &Arch {
        &self.arch
    }

    /// Text about the training run.
    pub fn run(&self) -> &str {
        &self.run
    }

    /// The instruction set in use.
    pub fn level(&self) -> Level {
        self.level
    }

    /// A raw output in hundredths of a pawn, rounded toward zero.
    pub fn centipawns(&self, raw: i32) -> i32 {
        (i64::from(raw) * 100 / i64::from(self.arch.scales.pawn)) as i32
    }

    /// The value in hundredths of a pawn: what a raw output says, and its share of the hand-crafted evaluation.
    #[inline]
    pub fn value(&self, raw: i32, hand_crafted: impl FnOnce() -> i32) -> i32 {
        self.centipawns(raw).saturating_add(self.share_by_hand(hand_crafted))
    }

    /// What the network wants of a hand-crafted evaluation beside it; 0 without asking if it stands alone.
    #[inline]
    pub fn share_by_hand(&self, hand_crafted: impl FnOnce() -> i32) -> i32 {
        match i32::from(self.arch.hand_crafted) {
            0 => 0,
            percent => hand_crafted() * percent / 100,
        }
    }

    /// The output bucket of a position.
    #[inline]
    pub fn bucket(&self, board: &Board) -> usize {
        self.arch.bucket(board.occupied().len())
    }

    /// The raw output for the side to move, computed from nothing.
    pub fn evaluate(&self, board: &Board) -> i32 {
        let piece = |square| board.piece_on(square).map(|piece| (piece, square));
        let pieces: Vec<_> = Square::all().filter_map(piece).collect();
        self.evaluate_pieces(&pieces, board.turn()).unwrap_or(0)
    }

    /// The raw output of any diagram with one king a side, even one that no game reaches; none without kings.
    ///
    /// What a piece contributes is the output with it less the output without it.
    pub fn evaluate_pieces(&self, pieces: &[(Piece, Square)], turn: Color) -> Option<i32> {
        self.evaluate_pieces_in(&mut Room::new(), pieces, turn)
    }

    /// The same in a room that is kept: without new memory for each diagram.
    pub fn evaluate_pieces_in(
        &self,
        room: &mut Room,
        pieces: &[(Piece, Square)],
        turn: Color,
    ) -> Option<i32> {
        let mut direct = [I32s::ZERO; 2];
        for (at, view) in [turn, !turn].into_iter().enumerate() {
            self.find_active(pieces, view, &mut room.active)?;
            room.views[at].resize(self.bias.len(), I16s::ZERO);
            self.paths.update(&self.rows, &self.bias, &mut room.views[at], [&room.active, &[]]);
            direct[at] = self.shifted_psqt(&I32s::ZERO, [&room.active, &[]]);
        }
        let bucket = self.arch.bucket(pieces.len() as u32);
        let [ours, theirs] = &room.views;
        Some(self.forward([ours, theirs], [&direct[0], &direct[1]], bucket, &mut room.scratch))
    }

    /// The active features of one view; none without its king.
    fn find_active(&self, pieces: &[(Piece, Square)], view: Color, active: &mut Vec<u32>) -> Option<()> {
        let own_king = Piece::new(view, Role::King);
        let &(_, king) = pieces.iter().find(|&&(piece, _)| piece == own_king)?;
        let sight = self.features.seen_by(view, king);
        active.clear();
        active.extend(pieces.iter().flat_map(|&(piece, square)| sight.rows(piece, square).iter().copied()));
        if self.features.needs_counts() {
            active.sort_unstable();
            active.dedup();
        }
        Some(())
    }

    /// The raw output from the accumulators and direct sums of the side to move and the other.
    #[inline]
    pub(crate) fn forward(
        &self,
        views: [&[I16s]; 2],
        psqt: [&I32s; 2],
        bucket: usize,
        scratch: &mut Scratch,
    ) -> i32 {
        let raw = self.paths.forward(&self.shape, &self.layers[bucket], views, scratch);
        raw + (psqt[0].0[bucket] - psqt[1].0[bucket]) / 2
    }

    /// Direct sums with rows added and removed; nothing without direct weights.
    #[inline]
    pub(crate) fn shifted_psqt(&self, from: &I32s, [added, removed]: [&[u32]; 2]) -> I32s {
        let mut sums = *from;
        if !self.psqt.is_empty() {
            for &feature in added {
                let row = &self.psqt[feature as usize].0;
                sums.0.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
            for &feature in removed {
                let row = &self.psqt[feature as usize].0;
                sums.0.iter_mut().zip(row).for_each(|(sum, weight)| *sum -= weight);
            }
        }
        sums
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} on {}", self.arch, self.features, self.level)
    }
}

fn feature_rows(weights: &Weights) -> Result<Pages<I16s>, NetError> {
    // The width is a multiple of a line, so rows follow each other without gaps.
    let (lines, rest) = weights.rows.as_chunks::<{ I16s::LEN }>();
    debug_assert!(rest.is_empty());
    let mut rows = Pages::zeroed(lines.len()).ok_or(NetError::Memory(size_of_val(lines) as u64))?;
    rows.iter_mut().zip(lines).for_each(|(row, &line)| *row = Line(line));
    Ok(rows)
}

fn direct_rows(arch: &Arch, weights: &Weights) -> Result<Pages<I32s>, NetError> {
    let rows = weights.psqt.chunks_exact(arch.buckets);
    let bytes = (rows.len() * size_of::<I32s>()) as u64;
    let mut lines: Pages<I32s> = Pages::zeroed(rows.len()).ok_or(NetError::Memory(bytes))?;
    for (line, row) in lines.iter_mut().zip(rows) {
        line.0[..row.len()].copy_from_slice(row);
    }
    Ok(lines)
}
