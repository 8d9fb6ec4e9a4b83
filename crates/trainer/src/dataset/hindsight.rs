// SPDX-License-Identifier: GPL-3.0-or-later
//! Hindsight: a position is worth what the searches of the following moves found as well.
//!
//! `v(n) = (1 − share) · σ(score(n) / scale) + share · v(n + 1)` from the end of the game to its beginning, the last score
//! standing for itself: TD(λ) seen from its end. Each next search begins a half-move deeper in the line, so
//! the mean of a few is a deeper and less noisy judgement than each of them, and it costs nothing.

use formats::sample::Sample;

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
    /// Gives the positions of one game, in their order, the scores that hindsight tells. Those without one stay so.
    pub(super) fn revise(self, game: &mut [Sample]) {
        let mut later: Option<f64> = None;
        for sample in game.iter_mut().rev() {
            let Some(score) = sample.score else { continue };
            let units = (f64::from(score) / self.scale).clamp(-FAR, FAR);
            let own = 1.0 / (1.0 + (-units).exp());
            let value = later.map_or(own, |later| own + self.share * (later - own));
            later = Some(value);
            let units = (value / (1.0 - value)).ln();
            sample.score = Some((units * self.scale).round() as i16);
        }
    }
}

#[cfg(test)]
mod tests {
    use rules::chess::Board;

    use super::*;

    fn revised(share: f64, scores: &[Option<i16>]) -> Vec<Option<i16>> {
        let sample = |&score| Sample { score, ..Sample::new(Board::start()) };
        let mut game: Vec<Sample> = scores.iter().map(sample).collect();
        Hindsight { share, scale: 400.0 }.revise(&mut game);
        game.iter().map(|sample| sample.score).collect()
    }

    #[test]
    fn scores_look_ahead_and_never_back() {
        let win_rate = |score: f64| 1.0 / (1.0 + (-score / 400.0).exp());
        let blend = win_rate(100.0) * 0.25 + win_rate(-300.0) * 0.75;
        let expected = (400.0 * (blend / (1.0 - blend)).ln()).round() as i16;
        let scores = [Some(100), None, Some(-300)];
        assert_eq!(revised(0.75, &scores), [Some(expected), None, Some(-300)]);
        assert_eq!(revised(0.75, &[Some(500), Some(-300)])[1], Some(-300));
    }

    #[test]
    fn without_a_share_nothing_changes() {
        let scores: Vec<_> = (-4_000..=4_000).step_by(37).map(Some).collect();
        assert_eq!(revised(0.0, &scores), scores);
    }

    #[test]
    fn decided_games_stay_decided() {
        let scores = [Some(i16::MAX), Some(i16::MAX), Some(31_000)];
        assert!(revised(0.9, &scores).iter().all(|&score| score.is_some_and(|score| score > 6_000)));
    }
}
