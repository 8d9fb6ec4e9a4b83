// SPDX-License-Identifier: GPL-3.0-or-later
//! Chances of win, draw and loss from a score.

use crate::search::{is_loss, is_win};

/// The score at which winning and not winning are equally likely.
const EVEN: f64 = 120.0;
/// How fast the chances change around that score.
const SPREAD: f64 = 62.0;

/// Permille of win, draw and loss for the side whose score in centipawns this is.
pub fn chances(score: i32) -> [u32; 3] {
    if is_win(score) {
        return [1000, 0, 0];
    }
    if is_loss(score) {
        return [0, 0, 1000];
    }
    let chance = |score: f64| (1000.0 / (1.0 + ((EVEN - score) / SPREAD).exp())).round() as u32;
    let (win, loss) = (chance(f64::from(score)), chance(f64::from(-score)));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_are_symmetric() {
        for score in [-32_000, -900, -120, 0, 35, 120, 4_000, 31_990] {
            let [win, draw, loss] = chances(score);
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(chances(-score), [loss, draw, win]);
        }
        assert!(chances(0)[1] > chances(200)[1]);
    }
}
