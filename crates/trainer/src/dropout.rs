// SPDX-License-Identifier: GPL-3.0-or-later
//! Dropout: in every step some activations of the accumulators count for nothing, and the others for more.
//!
//! Which ones is a matter of the position, the step and the seed of the run alone, so that a run can be repeated,
//! and a GPU drops the same ones.

use crate::{Record, order::mix};

/// What is dropped in one step.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Dropout {
    /// Different for every step.
    pub seed: u32,
    /// Activations whose number is below this are dropped.
    pub below: u32,
    /// What the others are multiplied with, so that sums stay what they are in the mean.
    pub scale: f32,
}

impl Dropout {
    /// Nothing is dropped.
    pub const NONE: Dropout = Dropout { seed: 0, below: 0, scale: 1.0 };

    /// What a share means in the step that begins with a sample; `keys` are those of the epoch's order.
    pub fn new(share: f64, keys: [u32; crate::ROUNDS], first: u64) -> Dropout {
        let below = (share * f64::from(u32::MAX)) as u32;
        let seed =
            keys.into_iter().fold(mix(first as u32) ^ (first >> 32) as u32, |seed, key| mix(seed ^ key));
        Dropout { seed, below, scale: (1.0 / (1.0 - share)) as f32 }
    }

    /// Whether there is anything to do.
    pub fn drops(&self) -> bool {
        self.below > 0
    }

    /// A number for a position and what is said of it by hand; score and result do not count.
    pub fn seed_of(&self, record: &Record) -> u32 {
        let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|byte| record.0[4 * at + byte]));
        [0, 1, 2, 3, 4, 5, 7].into_iter().fold(self.seed, |seed, at| mix(seed ^ word(at)))
    }

    /// What an activation of a position is multiplied with.
    #[inline(always)]
    pub fn factor(&self, seed: u32, number: u32) -> f32 {
        if mix(seed ^ number.wrapping_mul(0x9E37_79B9)) < self.below { 0.0 } else { self.scale }
    }
}

#[cfg(test)]
mod tests {
    use rules::chess::Board;

    use super::*;

    #[test]
    fn the_share_is_dropped_and_the_mean_stays() {
        let record = Record::new(&Board::start(), 0, 1);
        let dropped = |first| -> Vec<f32> {
            let dropout = Dropout::new(0.25, [1, 2, 3, 4], first);
            let seed = dropout.seed_of(&record);
            (0..10_000).map(|number| dropout.factor(seed, number)).collect()
        };
        let factors = dropped(0);
        let zeros = factors.iter().filter(|&&factor| factor == 0.0).count();
        assert!((2300..2700).contains(&zeros), "{zeros}");
        let mean = factors.iter().sum::<f32>() / 10_000.0;
        assert!((mean - 1.0).abs() < 0.03, "{mean}");
        assert_ne!(factors, dropped(1));
        assert!(!Dropout::new(0.0, [1, 2, 3, 4], 5).drops() && !Dropout::NONE.drops());
    }
}
