// SPDX-License-Identifier: GPL-3.0-or-later
//! How a score divides into wins and draws: `(expected score, draws between equals) -> shares`.
//!
//! Draws follow Davidson (1970): their share is a constant times the geometric mean of the shares of wins
//! and losses. Here the expected score `s` is given, so with the share `e` of draws between equals
//!
//! `draws = 4u / (1 + √(1 - 4u + 4u ((1 - e) / e)²))`, `u = s (1 - s)`.
//!
//! It is `e` for `s = 1/2` and falls to 0 with certainty on either side; with `e = 1` everything is drawn
//! that the score allows, with `e = 1/2` a win takes two independent successes.

/// The shares of lost, drawn and won games, given the expected score and the share of draws between equals.
pub fn outcome_shares(score: f64, draw_rate: f64) -> [f64; 3] {
    let drawn = draw_share(score, draw_rate);
    [1.0 - score - drawn / 2.0, drawn, score - drawn / 2.0]
}

fn draw_share(score: f64, draw_rate: f64) -> f64 {
    if draw_rate <= 0.0 {
        return 0.0;
    }
    let fourfold = 4.0 * score * (1.0 - score);
    let odds = (1.0 - draw_rate) / draw_rate;
    fourfold / (1.0 + (1.0 - fourfold + fourfold * odds * odds).max(0.0).sqrt())
}

/// The share of draws between equals with which as many draws are expected as there were.
///
/// `encounters` are games with the same expected score: that score, how many they are, and how many were
/// drawn.
pub(super) fn fitted_draw_rate(encounters: impl Iterator<Item = (f64, f64, f64)> + Clone) -> f64 {
    let drawn: f64 = encounters.clone().map(|(_, _, drawn)| drawn).sum();
    let expected = |rate: f64| -> f64 {
        encounters.clone().map(|(score, games, _)| games * draw_share(score, rate)).sum()
    };
    if drawn == 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    // 40 halvings: twelve decimals.
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if expected(middle) < drawn {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_shares_and_keep_the_score() {
        for score in [0.001, 0.2, 0.5, 0.77, 0.999] {
            for rate in [0.0, 0.1, 0.5, 0.9, 1.0] {
                let [lost, drawn, won] = outcome_shares(score, rate);
                let possible = |share: &f64| (-1e-12..=1.0).contains(share);
                assert!([lost, drawn, won].iter().all(possible), "{score} {rate}");
                assert!((lost + drawn + won - 1.0).abs() < 1e-12);
                assert!((won + drawn / 2.0 - score).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn equals_draw_as_often_as_said() {
        for rate in [0.0, 0.3, 0.99, 1.0] {
            assert!((outcome_shares(0.5, rate)[1] - rate).abs() < 1e-12);
        }
    }

    #[test]
    fn the_geometric_mean_rules() {
        let ratio = |score| {
            let [lost, drawn, won] = outcome_shares(score, 0.4);
            drawn / (lost * won).sqrt()
        };
        assert!((ratio(0.5) - ratio(0.8)).abs() < 1e-9 && (ratio(0.5) - ratio(0.03)).abs() < 1e-9);
        assert!((outcome_shares(0.7, 0.5)[2] - 0.49).abs() < 1e-12);
    }

    #[test]
    fn the_rate_is_found_again() {
        let scores = [0.5, 0.7, 0.9, 0.2];
        for rate in [0.0, 0.05, 0.6, 0.97] {
            let games = scores.map(|score| (score, 100.0, 100.0 * draw_share(score, rate)));
            assert!((fitted_draw_rate(games.into_iter()) - rate).abs() < 1e-9);
        }
    }
}
