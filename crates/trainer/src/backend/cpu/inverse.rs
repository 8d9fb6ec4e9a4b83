// SPDX-License-Identifier: GPL-3.0-or-later
//! Which views have a row: with this index (row → views) the scattered additions of the way back become gathers.

use std::ops::Range;

use rayon::prelude::*;

use super::batch::Batch;

/// The inverse index of a segment.
#[derive(Default)]
pub(crate) struct Inverse {
    /// Rows that occur, those with as many views next to each other.
    pub(super) rows: Vec<u32>,
    /// By number of views: where its rows end; the last is for all above.
    pub(super) ends: [usize; MANY + 1],
    /// The views of each row.
    pub(super) views: Vec<u32>,
    /// Where the views of rows of the last kind end.
    pub(super) long: Vec<u32>,
    counts: Vec<u32>,
}

/// Rows with fewer views have loops of their own, in which nothing has to be guessed.
const MANY: usize = 9;

impl Inverse {
    /// Sorts the rows of a segment's views by counting; `range` is what the rows can be.
    fn build(&mut self, batch: &Batch, segment: Range<usize>, range: &Range<u32>) {
        let views = &batch.sorted[segment];
        self.counts.clear();
        self.counts.resize((range.end.max(range.start) - range.start) as usize + 1, 0);
        for &view in views {
            for &row in batch.rows(view as usize) {
                self.counts[(row - range.start) as usize] += 1;
            }
        }
        let mut starts = [0; MANY + 2];
        for &count in &self.counts {
            starts[(count as usize).min(MANY) + 1] += 1;
        }
        starts[1] = 0;
        for class in 1..=MANY {
            starts[class + 1] += starts[class];
        }
        self.ends.copy_from_slice(&starts[1..]);
        self.rows.resize(starts[MANY + 1], 0);
        for (row, &count) in (range.start..).zip(&self.counts) {
            if count > 0 {
                let place = &mut starts[(count as usize).min(MANY)];
                self.rows[*place] = row;
                *place += 1;
            }
        }
        let mut total = 0;
        for row in &self.rows {
            let count = &mut self.counts[(row - range.start) as usize];
            total += std::mem::replace(count, total);
        }
        self.views.resize(total as usize, 0);
        for &view in views {
            for &row in batch.rows(view as usize) {
                let place = &mut self.counts[(row - range.start) as usize];
                self.views[*place as usize] = view;
                *place += 1;
            }
        }
        // The counts are ends now, as the long lists need them.
        self.long.clear();
        let long = &self.rows[self.ends[MANY - 1]..];
        self.long.extend(long.iter().map(|row| self.counts[(row - range.start) as usize]));
    }

    /// Marks the rows that occur, and lists those that were not marked before.
    pub(crate) fn mark(&self, touched: &mut [bool], fresh: &mut Vec<u32>) {
        for &row in &self.rows {
            if !std::mem::replace(&mut touched[row as usize], true) {
                fresh.push(row);
            }
        }
    }
}

/// Builds the inverse index of every segment.
pub(crate) fn invert(batch: &Batch, ranges: &[Range<u32>], inverses: &mut Vec<Inverse>) {
    inverses.resize_with(batch.segments.len(), Inverse::default);
    inverses.par_iter_mut().zip(&batch.segments).for_each(|(inverse, segment)| {
        let class = batch.class(batch.sorted[segment.start] as usize);
        inverse.build(batch, segment.clone(), &ranges[class]);
    });
}
