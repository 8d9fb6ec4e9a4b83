// SPDX-License-Identifier: GPL-3.0-or-later
//! A strand: a share of every batch, and the gradients that come of it.
//!
//! Where the table of rows is small, a batch is spun from several strands. Each works on its pieces one after the other,
//! from the records to the gradients of the rows: the slopes between the layers are used by the core that made them,
//! and threads wait for each other once in a step. A large table there is only once: then one strand has the whole
//! batch, and threads share the work within it. Which positions a strand has does not depend on the number of
//! threads.

use std::ops::Range;

use rayon::prelude::*;

use super::{
    GROUP,
    batch::{Batch, UNIT},
    dense::Weights,
    direct::DirectGradients,
    head::{Group, Pass},
    inverse::{self, Inverse},
    lanes::{Lanes, Line},
    memory,
    panels::{Panels, SlopeOrder},
    sparse::Rows,
};
use crate::{Dropout, Grid, Layout, Loss, Record};

/// Positions of a batch for each strand.
const SHARE: usize = 2048;
/// More strands would mean more tables to add up.
const MOST: usize = 32;
/// Lines of the largest table that every strand has for itself: four megabytes.
const SMALL_TABLE: usize = 1 << 16;
/// Positions that are sorted by bucket together; a multiple of a group.
const BUCKETS_PIECE: usize = 8 * GROUP;

/// What all strands read.
#[derive(Copy, Clone)]
pub(crate) struct Common<'a> {
    pub(crate) layout: &'a Layout,
    /// By bucket and layer.
    pub(crate) weights: &'a [Weights],
    /// The first layer.
    pub(crate) rows: Rows<'a>,
    pub(crate) loss: &'a Loss,
    /// What the slope of each loss is multiplied with: one over the size of the batch.
    pub(crate) share: f32,
    /// The direct weights of every row by bucket.
    pub(crate) direct: Option<&'a [f32]>,
    pub(crate) dropout: Dropout,
    /// By layer: how its inputs are rounded down.
    pub(crate) grids: &'a [Grid],
    /// By class: the rows that its views can have.
    pub(crate) ranges: &'a [Range<u32>],
    pub(crate) records: &'a [Record],
}

/// Whether all kings share their rows.
fn kings_share_rows(layout: &Layout) -> bool {
    layout.features.classes() == 1
}

/// See the module.
pub(crate) struct Strand {
    /// The first position of its first piece, and the way from each piece to the next.
    first: usize,
    step: usize,
    /// Positions that are prepared together.
    piece: usize,
    /// Positions of a piece that are worked on together.
    chunk: usize,
    batch: Batch,
    inverses: Vec<Inverse>,
    /// Accumulators; none where every tile computes its own.
    sums: Vec<Line>,
    slopes: Vec<Line>,
    pub(crate) groups: Vec<Group>,
    /// Gradients of the rows.
    pub(crate) panels: Panels,
    /// By row: whether it had a gradient in this step.
    pub(crate) touched: Vec<bool>,
    /// Rows that had their first one of this step just now.
    fresh: Vec<u32>,
    /// Gradients of the direct weights.
    pub(crate) direct: Option<DirectGradients>,
}

/// The strands for batches of that size.
pub(crate) fn strands(layout: &Layout, size: usize, threads: usize) -> Vec<Strand> {
    let lines = layout.arch.width / Line::LEN;
    let alike = kings_share_rows(layout);
    let (count, piece, chunk) = match layout.arch.buckets {
        // Rows of one king fit the cache for the whole batch.
        _ if !alike || layout.arch.inputs * lines > SMALL_TABLE => (1, size, size),
        1 => ((size / SHARE).clamp(1, MOST), UNIT, GROUP),
        _ => ((size / SHARE).clamp(1, MOST), BUCKETS_PIECE, GROUP),
    };
    let strand = |number: usize| Strand {
        first: number * piece,
        step: count * piece,
        piece,
        chunk,
        batch: Batch::default(),
        inverses: Vec::new(),
        sums: Vec::new(),
        slopes: Vec::new(),
        groups: (0..chunk.div_ceil(GROUP)).map(|_| Group::new(&layout.arch)).collect(),
        panels: Panels::new(layout.arch.inputs, lines, if alike { 4 } else { 8 }, threads),
        touched: vec![false; layout.arch.inputs],
        fresh: Vec::new(),
        direct: layout.direct().map(|direct| DirectGradients::new(layout.tensors[direct].len)),
    };
    (0..count).map(strand).collect()
}

impl Strand {
    /// Learns from its share of a batch of `size` positions; `locate` finds their records.
    pub(crate) fn learn(
        &mut self,
        common: &Common<'_>,
        size: usize,
        locate: &(impl Fn(usize) -> usize + Sync),
    ) {
        self.touched.fill(false);
        self.direct.iter_mut().for_each(DirectGradients::forget);
        self.panels.forget_bias();
        self.groups.iter_mut().for_each(Group::begin);
        for start in (self.first..size).step_by(self.step) {
            let count = self.piece.min(size - start);
            self.prepare(common, count, |at| locate(start + at));
            inverse::invert(&self.batch, common.ranges, &mut self.inverses);
            for from in (0..count).step_by(self.chunk) {
                self.backpropagate(common, from..(from + self.chunk).min(count));
            }
        }
    }

    /// Prepares records and, where kings matter, computes the accumulators.
    fn prepare(&mut self, common: &Common<'_>, count: usize, locate: impl Fn(usize) -> usize + Sync) {
        self.batch.fill(common.layout, common.loss, &common.dropout, common.records, count, locate);
        // Where all kings share their rows, each tile computes its own accumulators.
        let lines = common.layout.arch.width / Line::LEN;
        let count = if kings_share_rows(common.layout) { 0 } else { 2 * count * lines };
        memory::resize(&mut self.sums, Line::ZERO, count);
        common.rows.accumulate_all(&self.batch, &mut self.sums);
    }

    /// Losses and gradients of some of the prepared positions.
    fn backpropagate(&mut self, common: &Common<'_>, positions: Range<usize>) {
        let lines = common.layout.arch.width / Line::LEN;
        let count = positions.len();
        let alike = kings_share_rows(common.layout);
        let order = SlopeOrder {
            lines,
            width: self.panels.width,
            first: 2 * positions.start,
            views: 2 * count,
            group: alike.then_some(2 * GROUP),
        };
        memory::resize(&mut self.slopes, Line::ZERO, 2 * count * lines);
        let pass = Pass { common, batch: &self.batch, sums: &self.sums };
        let slopes = self.slopes.par_chunks_mut(GROUP * 2 * lines);
        self.groups.par_iter_mut().zip(slopes).enumerate().for_each(|(number, (group, slopes))| {
            let start = positions.start + number * GROUP;
            group.learn(&pass, start..start + slopes.len() / (2 * lines), slopes, order);
        });
        // Segments lie within chunks, wherever there are several.
        let from = self.batch.segments.partition_point(|segment| segment.start < 2 * positions.start);
        let to = self.batch.segments.partition_point(|segment| segment.start < 2 * positions.end);
        let (segments, inverses) = (&self.batch.segments[from..to], &self.inverses[from..to]);
        self.fresh.clear();
        for inverse in inverses {
            inverse.mark(&mut self.touched, &mut self.fresh);
        }
        self.panels.add(&self.batch, segments, inverses, &self.fresh, &self.slopes, order);
        if let Some(direct) = &mut self.direct {
            let slopes = self.groups.iter().flat_map(|group| &group.output_slopes).copied();
            direct.add(&self.batch, positions, slopes);
        }
    }

    /// Adds the gradients of another strand's rows to these.
    pub(crate) fn add_rows(&mut self, other: &Strand) {
        let width = self.panels.width;
        let touched = &self.touched;
        let panels = self.panels.panels.par_iter_mut().zip(&other.panels.panels);
        panels.for_each(|(panel, more)| {
            let rows = panel.chunks_exact_mut(width).zip(more.chunks_exact(width));
            for ((row, more), (&here, &there)) in rows.zip(touched.iter().zip(&other.touched)) {
                match (here, there) {
                    (_, false) => {}
                    (false, true) => row.copy_from_slice(more),
                    (true, true) => add(row, more),
                }
            }
        });
        for (bias, more) in self.panels.bias.iter_mut().zip(&other.panels.bias) {
            add(bias, more);
        }
        for (here, there) in self.touched.iter_mut().zip(&other.touched) {
            *here |= there;
        }
        if let (Some(direct), Some(more)) = (&mut self.direct, &other.direct) {
            add(&mut direct.0, &more.0);
        }
    }

    /// The outputs for some records.
    pub(crate) fn outputs(&mut self, common: &Common<'_>, records: &[Record], outputs: &mut [f32]) {
        // The batch sorts its records; the numbers tell where each came from.
        let mut order: Vec<usize> = (0..records.len()).collect();
        for order in order.chunks_mut(super::batch::unit(common.layout, common.loss.kind)) {
            order.sort_by_key(|&at| records[at].piece_count());
        }
        self.prepare(&Common { records, ..*common }, records.len(), |at| at);
        let pass = Pass { common, batch: &self.batch, sums: &self.sums };
        let mut sorted = vec![0.0; records.len()];
        let share = records.len().div_ceil(self.groups.len()).max(1);
        self.groups.par_iter_mut().zip(sorted.par_chunks_mut(share)).enumerate().for_each(
            |(number, (group, outputs))| {
                let start = number * share;
                group.outputs(&pass, start..start + outputs.len(), outputs);
            },
        );
        for (at, output) in order.into_iter().zip(sorted) {
            outputs[at] = output;
        }
    }
}

fn add(to: &mut [Line], more: &[Line]) {
    for (to, more) in to.iter_mut().zip(more) {
        Lanes::load(to).add(Lanes::load(more)).store(to);
    }
}
