// SPDX-License-Identifier: GPL-3.0-or-later
//! A batch as the passes want it: positions by output bucket, their rows, and their views by king.
//!
//! A *view* is one side's look at one position; view `2 p` is that of the side to move in position `p`. Views are
//! worked on in the order of their king's class: the rows of one class fit the cache where all rows
//! together would not. Every order here depends on the records alone, never on threads.

use std::ops::Range;

use features::chess::FeatureSet;
use nnue::Arch;
use rayon::prelude::*;
use rules::{Color, chess::Square};

use super::{GROUP, memory};
use crate::{Dropout, Layout, Loss, LossKind, Record};

/// Positions that one task prepares.
const CHUNK: usize = 512;
/// Positions that are sorted together where batches can be cut.
pub(crate) const UNIT: usize = 480;
/// Views of one class that are worked on together; where there is only one class, it is those of a group.
const SEGMENT: usize = 512;
/// How many records are sorted together by the number of their pieces, which is by bucket too. Loops over as many rows as
/// the last time take less time than others. Triplets stay as they are; and where there is nothing else to
/// sort for, it is few at a time, so that batches can be cut anywhere between.
pub(crate) fn unit(layout: &Layout, kind: LossKind) -> usize {
    match () {
        () if kind.group() > 1 => 1,
        () if layout.arch.buckets == 1 && layout.features.classes() == 1 => UNIT,
        () => usize::MAX,
    }
}

/// A batch; see the module.
#[derive(Default)]
pub(crate) struct Batch {
    /// The records, sorted by bucket and number of pieces; see [`unit`].
    pub(crate) records: Vec<Record>,
    unsorted: Vec<Record>,
    /// Where each bucket ends.
    pub(crate) bucket_ends: Vec<usize>,
    /// What the outputs should be.
    pub(crate) targets: Vec<f32>,
    /// What dropout needs to know of each position; nothing without it.
    pub(crate) seeds: Vec<u32>,
    /// Room for `stride` rows per view.
    rows: Vec<u32>,
    lengths: Vec<u16>,
    stride: usize,
    classes: Vec<u8>,
    /// The views by class.
    pub(crate) sorted: Vec<u32>,
    /// Where each view stands in that order.
    pub(crate) place: Vec<u32>,
    /// Runs of views of one class within `sorted`.
    pub(crate) segments: Vec<Range<usize>>,
}

impl Batch {
    /// The rows of a view.
    #[inline(always)]
    pub(crate) fn rows(&self, view: usize) -> &[u32] {
        &self.rows[view * self.stride..][..usize::from(self.lengths[view])]
    }

    /// The class of a view's king.
    pub(crate) fn class(&self, view: usize) -> usize {
        usize::from(self.classes[view])
    }

    /// Prepares `count` of the records, those that `locate` names.
    pub(crate) fn fill(
        &mut self,
        layout: &Layout,
        loss: &Loss,
        dropout: &Dropout,
        records: &[Record],
        count: usize,
        locate: impl Fn(usize) -> usize + Sync,
    ) {
        self.unsorted.resize(count, Record([0; Record::SIZE]));
        self.unsorted.par_chunks_mut(CHUNK).enumerate().for_each(|(number, chunk)| {
            // All places first, so that many records are on their way from memory at once.
            let mut places = [0; CHUNK];
            for (at, place) in places[..chunk.len()].iter_mut().enumerate() {
                *place = locate(number * CHUNK + at);
            }
            for (slot, &place) in chunk.iter_mut().zip(&places) {
                *slot = records[place];
            }
        });
        self.sort_by_pieces(&layout.arch, unit(layout, loss.kind));
        self.unpack(&layout.features, loss);
        self.seeds.clear();
        if dropout.drops() {
            self.seeds.extend(self.records.iter().map(|record| dropout.seed_of(record)));
        }
        self.sort_by_class(&layout.features);
    }

    /// A stable sort by counting.
    fn sort_by_pieces(&mut self, arch: &Arch, unit: usize) {
        self.bucket_ends.clear();
        self.records.clone_from(&self.unsorted);
        if unit == 1 {
            self.bucket_ends.push(self.records.len());
            return;
        }
        let unit = unit.min(self.records.len()).max(1);
        for (sorted, unsorted) in self.records.chunks_mut(unit).zip(self.unsorted.chunks(unit)) {
            // By number of pieces, at most 64: where they begin.
            let mut starts = [0; 66];
            for record in unsorted {
                starts[record.piece_count() as usize + 1] += 1;
            }
            for pieces in 1..starts.len() {
                starts[pieces] += starts[pieces - 1];
            }
            for record in unsorted {
                let place = &mut starts[record.piece_count() as usize];
                sorted[*place] = *record;
                *place += 1;
            }
        }
        let bucket = |record: &Record| arch.bucket(record.piece_count());
        match arch.buckets {
            1 => self.bucket_ends.push(self.records.len()),
            count => self.bucket_ends.extend(
                (0..count).map(|number| self.records.partition_point(|record| bucket(record) <= number)),
            ),
        }
    }

    fn unpack(&mut self, features: &FeatureSet, loss: &Loss) {
        let count = self.records.len();
        let stride = features.max_active();
        self.stride = stride;
        memory::resize(&mut self.rows, 0, 2 * count * stride);
        self.lengths.resize(2 * count, 0);
        self.classes.resize(2 * count, 0);
        self.targets.resize(count, 0.0);
        let unique = features.needs_counts();
        self.records
            .par_chunks(CHUNK)
            .zip(self.rows.par_chunks_mut(2 * CHUNK * stride))
            .zip(self.lengths.par_chunks_mut(2 * CHUNK))
            .zip(self.classes.par_chunks_mut(2 * CHUNK))
            .zip(self.targets.par_chunks_mut(CHUNK))
            .for_each(|((((records, rows), lengths), classes), targets)| {
                for (at, record) in records.iter().enumerate() {
                    targets[at] = loss.target(record);
                    let rows = &mut rows[2 * at * stride..][..2 * stride];
                    let mut used = [0, 0];
                    record.rows(features, |view, row| {
                        rows[view * stride + used[view]] = row;
                        used[view] += 1;
                    });
                    for (view, king) in record.kings().into_iter().enumerate() {
                        if unique {
                            used[view] = without_doubles(&mut rows[view * stride..][..used[view]]);
                        }
                        lengths[2 * at + view] = used[view] as u16;
                        classes[2 * at + view] = features.class(Color::White, king) as u8;
                    }
                }
            });
    }

    fn sort_by_class(&mut self, features: &FeatureSet) {
        let mut starts = vec![0u32; features.classes() + 1];
        for &class in &self.classes {
            starts[usize::from(class) + 1] += 1;
        }
        for class in 0..features.classes() {
            starts[class + 1] += starts[class];
        }
        let segment = if features.classes() == 1 { 2 * GROUP } else { SEGMENT };
        self.segments.clear();
        for ends in starts.windows(2) {
            let (start, end) = (ends[0] as usize, ends[1] as usize);
            self.segments.extend((start..end).step_by(segment).map(|at| at..(at + segment).min(end)));
        }
        self.sorted.resize(self.classes.len(), 0);
        self.place.resize(self.classes.len(), 0);
        for (view, &class) in (0..).zip(&self.classes) {
            let start = &mut starts[usize::from(class)];
            self.sorted[*start as usize] = view;
            self.place[view as usize] = *start;
            *start += 1;
        }
    }
}

/// Puts the different numbers first and tells how many there are.
fn without_doubles(rows: &mut [u32]) -> usize {
    rows.sort_unstable();
    let mut kept = 0;
    for at in 0..rows.len() {
        if kept == 0 || rows[kept - 1] != rows[at] {
            rows[kept] = rows[at];
            kept += 1;
        }
    }
    kept
}

/// By class of the king: the rows that its views can have, as a range.
pub(crate) fn class_ranges(features: &FeatureSet) -> Vec<Range<u32>> {
    let mut ranges = vec![Range { start: u32::MAX, end: 0 }; features.classes()];
    for king in Square::all() {
        let range = &mut ranges[features.class(Color::White, king)];
        let sight = features.seen_by(Color::White, king);
        for piece in rules::chess::Piece::ALL {
            for square in Square::all() {
                for &row in sight.rows(piece, square) {
                    *range = range.start.min(row)..range.end.max(row + 1);
                }
            }
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_go() {
        let mut rows = [5, 3, 5, 1, 3];
        let kept = without_doubles(&mut rows);
        assert_eq!(&rows[..kept], &[1, 3, 5]);
        assert_eq!(without_doubles(&mut []), 0);
    }

    #[test]
    fn the_rows_of_a_halfkp_king_follow_each_other() {
        let features = FeatureSet::parse("HalfKP").unwrap();
        let ranges = class_ranges(&features);
        assert_eq!(ranges.len(), 64);
        assert_eq!((ranges[0].clone(), ranges[63].clone()), (0..640, 63 * 640..64 * 640));
        let one = class_ranges(&FeatureSet::parse("Piece").unwrap());
        assert_eq!(one, vec![0..768]);
    }
}
