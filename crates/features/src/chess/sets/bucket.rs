// SPDX-License-Identifier: GPL-3.0-or-later
//! Maps from own-king squares to buckets, and their text.

use std::fmt;

use super::{ExpressionError, token::words};

/// A map from the squares of the own king to buckets 0, 1, 2, … without gaps.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct Buckets {
    /// Files of the map: 8, or 4 on a folded board.
    files: usize,
    /// Bucket by number of the king's square; on a folded board the first 32 count.
    map: [u8; 64],
}

impl Buckets {
    /// How many files the map has: 8, or 4 for a folded board.
    pub const fn files(&self) -> usize {
        self.files
    }

    /// How many buckets there are.
    pub fn count(&self) -> usize {
        self.map.iter().max().map_or(0, |&last| usize::from(last) + 1)
    }

    /// The bucket of a king's square, given by its number in the frame.
    pub const fn bucket(&self, king_number: usize) -> usize {
        self.map[king_number % 64] as usize
    }

    /// Reads the inside of the brackets: ranks from the own side on, separated by `/`, the last one given
    /// standing for the rest. `column` is where the text begins.
    pub(super) fn parse(text: &str, column: usize) -> Result<Buckets, ExpressionError> {
        let mut ranks: Vec<Vec<u8>> = vec![Vec::new()];
        let mut starts = vec![column];
        for (at, word) in words(text, column) {
            if word == "/" {
                ranks.push(Vec::new());
                starts.push(at + 1);
                continue;
            }
            let unexpected = || ExpressionError::Unexpected {
                column: at,
                found: format!("'{word}'"),
                expected: "a bucket from 0 to 63",
            };
            let bucket = word.parse().ok().filter(|&bucket: &u8| bucket < 64).ok_or_else(unexpected)?;
            ranks.last_mut().expect("one rank at least").push(bucket);
        }
        let files = ranks[0].len();
        for (rank, &column) in ranks.iter().zip(&starts) {
            if rank.len() != files || !matches!(files, 4 | 8) {
                return Err(ExpressionError::BucketFiles {
                    column,
                    found: rank.len(),
                    expected: "8 (4 with 'fold') on each",
                });
            }
        }
        if ranks.len() > 8 {
            return Err(ExpressionError::BucketRanks { column, found: ranks.len() });
        }
        ranks.resize(8, ranks[ranks.len() - 1].clone());
        let mut map = [0; 64];
        for (entry, bucket) in map.iter_mut().zip(ranks.into_iter().flatten()) {
            *entry = bucket;
        }
        let buckets = Buckets { files, map };
        match (0..buckets.count() as u8).find(|bucket| !map.contains(bucket)) {
            Some(missing) => Err(ExpressionError::BucketGap { column, missing }),
            None => Ok(buckets),
        }
    }
}

impl fmt::Display for Buckets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = |rank: usize| &self.map[rank * self.files..][..self.files];
        let given = (1..8).rev().find(|&last| rank(last) != rank(last - 1)).map_or(1, |last| last + 1);
        let text = |entries: &[u8]| entries.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
        write!(f, "Bucket[{}]", (0..given).map(|n| text(rank(n))).collect::<Vec<_>>().join("/"))
    }
}

impl fmt::Debug for Buckets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
