// SPDX-License-Identifier: GPL-3.0-or-later
//! The direct weights of the features (piece-square values): half the difference of what both views say goes straight to
//! the output.

use std::ops::Range;

use super::{
    batch::Batch,
    lanes::{Line, floats_mut},
};

/// The gradients of the direct weights, by row and bucket.
pub(crate) struct DirectGradients(pub(crate) Vec<Line>);

impl DirectGradients {
    pub(crate) fn new(count: usize) -> DirectGradients {
        DirectGradients(vec![Line::ZERO; count.div_ceil(Line::LEN)])
    }

    /// Forgets all.
    pub(crate) fn forget(&mut self) {
        self.0.fill(Line::ZERO);
    }

    /// Adds those of some positions of a batch from the slopes of their outputs. One thread does it: a few numbers for
    /// each row are nothing beside the row itself.
    pub(crate) fn add(&mut self, batch: &Batch, positions: Range<usize>, slopes: impl Iterator<Item = f32>) {
        let buckets = batch.bucket_ends.len();
        let gradients = floats_mut(&mut self.0);
        let mut bucket = 0;
        for (position, slope) in positions.zip(slopes) {
            while batch.bucket_ends[bucket] <= position {
                bucket += 1;
            }
            for (view, half) in [(2 * position, 0.5 * slope), (2 * position + 1, -0.5 * slope)] {
                for &row in batch.rows(view) {
                    gradients[row as usize * buckets + bucket] += half;
                }
            }
        }
    }
}
