// SPDX-License-Identifier: GPL-3.0-or-later
//! The direct weights of the features (piece-square values): half the difference of what both views say goes straight to
//! the output.

use std::ops::Range;

use super::{
    batch::Batch,
    lanes::{Line, floats_mut},
};

/// Direct weights in use, and their gradients.
pub(crate) struct Direct {
    /// By row, then by bucket, as the forward pass uses them.
    pub(crate) weights: Vec<f32>,
    /// The same places.
    pub(crate) gradients: Vec<Line>,
}

impl Direct {
    pub(crate) fn new(count: usize) -> Direct {
        Direct { weights: vec![0.0; count], gradients: vec![Line::ZERO; count.div_ceil(Line::LEN)] }
    }

    /// Forgets the gradients.
    pub(crate) fn forget(&mut self) {
        self.gradients.fill(Line::ZERO);
    }

    /// Adds the gradients of some positions of a batch from the slopes of their outputs. One thread does it: a few numbers for each row are
    /// nothing beside the row itself.
    pub(crate) fn add(&mut self, batch: &Batch, positions: Range<usize>, slopes: impl Iterator<Item = f32>) {
        let buckets = batch.bucket_ends.len();
        let gradients = floats_mut(&mut self.gradients);
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
