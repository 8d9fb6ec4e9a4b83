// SPDX-License-Identifier: GPL-3.0-or-later
//! Hindsight: a position is worth what the searches of the following moves found as well.
//!
//! `v(n) = (1 − share) · σ(score(n) / scale) + share · v(n + 1)` from the end of the game to its beginning, the last score
//! standing for itself: TD(λ) seen from its end. Each next search begins a half-move deeper in the line, so
//! the mean of a few is a deeper and less noisy judgement than each of them, and it costs nothing.

use formats::games::{GameRecord, NO_SCORE};

/// How much the later scores of a game count, and how scores become win rates.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Hindsight {
    /// The share of all that follows; 0 leaves every score alone.
    pub(crate) share: f64,
    /// Centipawns per unit of the logistic curve.
    pub(crate) scale: f64,
}

/// Beyond this many units of the logistic curve scores are rounded off rather than compared: its ends are flat.
const FAR: f64 = 16.0;

impl Hindsight {
    /// The scores of a game, in the order of its positions, as hindsight tells them. Those without one stay so.
    pub(super) fn revised(self, game: &GameRecord) -> Vec<i16> {
        let mut scores: Vec<i16> = game.moves.iter().map(|&(_, score)| score).collect();
        let mut later: Option<f64> = None;
        for score in scores.iter_mut().rev().filter(|score| **score != NO_SCORE) {
            let units = (f64::from(*score) / self.scale).clamp(-FAR, FAR);
            let own = 1.0 / (1.0 + (-units).exp());
            let value = later.map_or(own, |later| own + self.share * (later - own));
            later = Some(value);
            *score = ((value / (1.0 - value)).ln() * self.scale).round() as i16;
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use rules::{
        Outcome,
        chess::{Board, Move},
    };

    use super::*;

    fn revised(share: f64, scores: &[i16]) -> Vec<i16> {
        let mut game = GameRecord::new(Board::start(), Outcome::Draw);
        game.moves.extend(scores.iter().map(|&score| (Move::NONE, score)));
        Hindsight { share, scale: 400.0 }.revised(&game)
    }

    #[test]
    fn scores_look_ahead_and_never_back() {
        let win_rate = |score: f64| 1.0 / (1.0 + (-score / 400.0).exp());
        let blend = win_rate(100.0) * 0.25 + win_rate(-300.0) * 0.75;
        let expected = (400.0 * (blend / (1.0 - blend)).ln()).round() as i16;
        assert_eq!(revised(0.75, &[100, NO_SCORE, -300]), [expected, NO_SCORE, -300]);
        assert_eq!(revised(0.75, &[500, -300])[1], -300);
    }

    #[test]
    fn without_a_share_nothing_changes() {
        let scores: Vec<i16> = (-4_000..=4_000).step_by(37).collect();
        assert_eq!(revised(0.0, &scores), scores);
    }

    #[test]
    fn decided_games_stay_decided() {
        assert!(revised(0.9, &[i16::MAX, i16::MAX, 31_000]).iter().all(|&score| score > 6_000));
    }
}
