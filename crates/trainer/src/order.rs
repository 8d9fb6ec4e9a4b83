// SPDX-License-Identifier: GPL-3.0-or-later
//! In which order samples are seen: a permutation that is computed, not stored.
//!
//! Place `n` of an epoch is the record `permutation(n)`: a Feistel network over the smallest even number of
//! bits that holds the count, walked until it lands inside. Nothing has to be shuffled or remembered, so
//! that a run can go on at any sample, and a GPU computes the same order by itself.

/// A permutation of the numbers below a count.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Permutation {
    /// How many numbers there are.
    pub count: u64,
    /// Bits of each half.
    pub half_bits: u32,
    /// The keys of the rounds.
    pub keys: [u32; ROUNDS],
}

/// Rounds of the network; four mix well, and this is no cipher.
pub const ROUNDS: usize = 4;

impl Permutation {
    /// The permutation of a seed and an epoch.
    pub fn new(count: u64, seed: u64, epoch: u64) -> Permutation {
        let bits = u64::BITS - count.saturating_sub(1).leading_zeros();
        let mut random = rules::Random::stream(seed, epoch);
        let keys = std::array::from_fn(|_| random.bits() as u32);
        Permutation { count, half_bits: bits.div_ceil(2).clamp(1, 31), keys }
    }

    /// Which number stands at a place below the count.
    #[inline]
    pub fn at(&self, place: u64) -> u64 {
        let mut number = place;
        loop {
            number = self.scramble(number);
            if number < self.count {
                return number;
            }
        }
    }

    #[inline]
    fn scramble(&self, number: u64) -> u64 {
        let mask = (1u32 << self.half_bits) - 1;
        let (mut left, mut right) = ((number >> self.half_bits) as u32 & mask, number as u32 & mask);
        for key in self.keys {
            (left, right) = (right, left ^ (mix(right ^ key) & mask));
        }
        (u64::from(left) << self.half_bits) | u64::from(right)
    }
}

/// The finaliser of MurmurHash3 (Appleby, public domain): every bit depends on every other.
#[inline(always)]
pub(crate) fn mix(mut x: u32) -> u32 {
    x = (x ^ (x >> 16)).wrapping_mul(0x85EB_CA6B);
    x = (x ^ (x >> 13)).wrapping_mul(0xC2B2_AE35);
    x ^ (x >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_appears_once() {
        for count in [1, 2, 3, 100, 1000, 4096, 4097] {
            let permutation = Permutation::new(count, 7, 3);
            let mut seen: Vec<u64> = (0..count).map(|place| permutation.at(place)).collect();
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..count), "{count}");
        }
    }

    #[test]
    fn neighbours_and_epochs_part() {
        let count = 100_000;
        let (one, two) = (Permutation::new(count, 1, 0), Permutation::new(count, 1, 1));
        let far = |n: u64| one.at(n).abs_diff(one.at(n + 1)) > 1000;
        assert!((0..1000).filter(|&n| far(n)).count() > 950);
        assert!((0..1000).filter(|&n| one.at(n) == two.at(n)).count() < 3);
    }
}
