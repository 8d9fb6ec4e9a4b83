// SPDX-License-Identifier: GPL-3.0-or-later
//! How many pieces have each index, for sets where a row counts once however many there are.

/// Counts by index, for one view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts(Box<[u8]>);

impl Counts {
    /// No index is active.
    pub fn new(size: usize) -> Counts {
        Counts(vec![0; size].into())
    }

    /// One more piece has the index; true if it is the first.
    #[inline(always)]
    pub fn add(&mut self, index: u32) -> bool {
        let count = &mut self.0[index as usize];
        *count += 1;
        *count == 1
    }

    /// One piece less has the index; true if it was the last.
    #[inline(always)]
    pub fn remove(&mut self, index: u32) -> bool {
        let count = &mut self.0[index as usize];
        *count -= 1;
        *count == 0
    }

    /// How many pieces have the index.
    #[inline(always)]
    pub fn get(&self, index: u32) -> u8 {
        self.0[index as usize]
    }

    /// No index is active any more.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }
}
