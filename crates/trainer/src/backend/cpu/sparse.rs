// SPDX-License-Identifier: GPL-3.0-or-later
//! The first layer on the way forward: every view gathers its rows.

use rayon::prelude::*;

use super::{
    batch::Batch,
    lanes::{Lanes, Line},
};

/// Views that one task sums up.
const TASK: usize = 1024;
/// Lines of a row that are summed up together: half of a usual row, so that the rows in use fit the cache.
const BLOCK: usize = 8;

/// The rows of the first layer and its bias.
#[derive(Copy, Clone)]
pub(crate) struct Rows<'a> {
    pub(crate) rows: &'a [Line],
    pub(crate) bias: &'a [Line],
}

impl Rows<'_> {
    /// The accumulators of all views, in the order of `batch.sorted`; see [`Rows::accumulate`].
    pub(crate) fn accumulate_all(&self, batch: &Batch, sums: &mut [Line]) {
        sums.par_chunks_mut(TASK * self.bias.len()).enumerate().for_each(|(number, sums)| {
            self.accumulate(batch, &batch.sorted[number * TASK..], sums);
        });
    }

    /// The accumulators of some views, as many lines each as the bias has. They are held between 0 and 1 already:
    /// every activation does that first, and what is between tells the slope.
    pub(crate) fn accumulate(&self, batch: &Batch, views: &[u32], sums: &mut [Line]) {
        let lines = self.bias.len();
        // Widths are multiples of 128, so that blocks leave nothing.
        for block in (0..lines).step_by(BLOCK) {
            for (&view, sums) in views.iter().zip(sums.chunks_exact_mut(lines)) {
                self.gather::<BLOCK>(batch.rows(view as usize), block, sums);
            }
        }
    }

    #[inline(always)]
    fn gather<const N: usize>(&self, active: &[u32], block: usize, sums: &mut [Line]) {
        let lines = self.bias.len();
        let Some(start) = self.bias[block..].first_chunk::<N>() else { return };
        let mut total: [Lanes; N] = std::array::from_fn(|i| Lanes::load(&start[i]));
        for &row in active {
            if let Some(row) = self.rows[row as usize * lines + block..].first_chunk::<N>() {
                for i in 0..N {
                    total[i] = total[i].add(Lanes::load(&row[i]));
                }
            }
        }
        for (sum, total) in sums[block..].iter_mut().zip(total) {
            total.clipped().store(sum);
        }
    }
}
