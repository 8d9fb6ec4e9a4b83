// SPDX-License-Identifier: GPL-3.0-or-later
//! Elo differences and the scores they stand for.

/// One unit of `(score - 1/2) / deviation per game` in normalised Elo: 800 / ln 10.
///
/// Chosen so that both kinds of Elo agree for small differences when every game is decided, for then a
/// game's standard deviation is 1/2 and the logistic curve rises by ln 10 / 1600 per Elo.
pub const NORMALISED_ELO_PER_T: f64 = 800.0 / std::f64::consts::LN_10;

/// The expected score, from 0 to 1, of a player who is stronger by `elo`.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The (logistic) Elo difference that a score from 0 to 1 stands for; infinite at both ends.
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_differences() {
        assert!((elo_of_score(0.75) - 190.848_5).abs() < 1e-4);
        assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert_eq!(elo_of_score(0.5), 0.0);
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
        assert!((NORMALISED_ELO_PER_T - 347.435_585_522_601).abs() < 1e-9);
    }

    #[test]
    fn both_directions_agree() {
        for elo in [-800.0, -33.3, 0.0, 1.5, 250.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
    }
}
