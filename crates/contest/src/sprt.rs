// SPDX-License-Identifier: GPL-3.0-or-later
//! The sequential probability ratio test: `counts -> log-likelihood ratio -> go on, H0 or H1`.
//!
//! H0 says "the difference is `elo0`", H1 says "it is `elo1`". After every sample the ratio of their
//! likelihoods is compared with two bounds (Wald): at `ln((1 - β) / α)` H1 is accepted, at
//! `ln(β / (1 - α))` H0 is. If H0 is true, H1 is accepted with a probability of at most about α; if H1 is
//! true, H0 is with at most about β. The test may be looked at after every pair: that is its point.
//!
//! The hypotheses fix the strength, not the whole distribution of results, so each is represented by its
//! likeliest distribution given what was observed: a generalised test (GSPRT), computed in `likelihood`.
//! In the logistic model a hypothesis fixes the mean score; in the normalised model the mean in units of
//! the deviation, which needs about the same number of games at every time control and book.

use std::{error::Error, fmt, str::FromStr};

use crate::{
    Tally,
    elo::{NORMALISED_ELO_PER_T, score_of_elo},
    likelihood::{with_mean, with_t_value},
};

/// A result that never occurred counts as this often, so that no likelihood is zero.
const NEVER: f64 = 1e-3;

/// What the numbers of the hypotheses mean.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum EloModel {
    /// Elo as in rating lists: a score, whatever its deviation.
    Logistic,
    /// A score in units of its deviation per game.
    Normalised,
}

/// A text that names no model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseEloModelError {
    /// The text.
    pub text: String,
}

impl fmt::Display for ParseEloModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is not an Elo model, expected logistic or normalised", self.text)
    }
}

impl Error for ParseEloModelError {}

impl FromStr for EloModel {
    type Err = ParseEloModelError;

    fn from_str(text: &str) -> Result<EloModel, ParseEloModelError> {
        match text {
            "logistic" => Ok(EloModel::Logistic),
            "normalised" | "normalized" => Ok(EloModel::Normalised),
            _ => Err(ParseEloModelError { text: text.to_owned() }),
        }
    }
}

impl fmt::Display for EloModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EloModel::Logistic => "logistic",
            EloModel::Normalised => "normalised",
        })
    }
}

/// A test of two hypotheses about an Elo difference.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Sprt {
    model: EloModel,
    elo: [f64; 2],
    alpha: f64,
    beta: f64,
}

/// What a test says.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Neither bound is reached.
    Continue,
    /// The lower bound is reached: the difference is rather the smaller one, the change is rejected.
    AcceptH0,
    /// The upper bound is reached: the difference is rather the larger one, the change is accepted.
    AcceptH1,
}

/// Numbers that make no test.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum SprtError {
    /// The hypotheses are not in ascending order.
    Hypotheses {
        /// The difference if H0 is true.
        elo0: f64,
        /// The difference if H1 is true.
        elo1: f64,
    },
    /// An error rate is not between 0 and 1/2.
    ErrorRate(f64),
}

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SprtError::Hypotheses { elo0, elo1 } => {
                write!(f, "hypotheses [{elo0}, {elo1}], expected two Elo differences, the smaller first")
            }
            SprtError::ErrorRate(rate) => write!(f, "error rate {rate}, expected one between 0 and 0.5"),
        }
    }
}

impl Error for SprtError {}

impl Sprt {
    /// A test of `elo0` against `elo1` with the error rates `alpha` (H1 accepted though H0 is true) and
    /// `beta` (H0 accepted though H1 is true).
    pub fn new(model: EloModel, [elo0, elo1]: [f64; 2], alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let ascending = elo0.is_finite() && elo1.is_finite() && elo0 < elo1;
        if !ascending {
            return Err(SprtError::Hypotheses { elo0, elo1 });
        }
        for rate in [alpha, beta] {
            let possible = 0.0 < rate && rate < 0.5;
            if !possible {
                return Err(SprtError::ErrorRate(rate));
            }
        }
        Ok(Sprt { model, elo: [elo0, elo1], alpha, beta })
    }

    /// What the numbers of the hypotheses mean.
    pub fn model(&self) -> EloModel {
        self.model
    }

    /// The differences of H0 and H1.
    pub fn hypotheses(&self) -> [f64; 2] {
        self.elo
    }

    /// The bounds of the log-likelihood ratio: at the first H0 is accepted, at the second H1.
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The log-likelihood ratio (LLR) of H1 over H0; 0 before the first sample.
    pub fn llr<const N: usize>(&self, tally: &Tally<N>) -> f64 {
        if tally.samples() == 0 {
            return 0.0;
        }
        let counts = tally.counts().map(|count| if count == 0 { NEVER } else { f64::from(count) });
        let samples: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / samples);
        let [under0, under1] = self.elo.map(|elo| match self.model {
            EloModel::Logistic => with_mean(&observed, score_of_elo(elo)),
            EloModel::Normalised => {
                // The t-value of a sample: its deviation is that of a game divided by √games.
                let t = elo / NORMALISED_ELO_PER_T * Tally::<N>::GAMES_PER_SAMPLE.sqrt();
                with_t_value(&observed, t)
            }
        });
        let ratios = under1.iter().zip(under0).map(|(p1, p0)| (p1 / p0).ln());
        counts.iter().zip(ratios).map(|(count, ratio)| count * ratio).sum()
    }

    /// What the test says of the samples so far.
    pub fn verdict<const N: usize>(&self, tally: &Tally<N>) -> Verdict {
        let ([lower, upper], llr) = (self.bounds(), self.llr(tally));
        if llr >= upper {
            Verdict::AcceptH1
        } else if llr <= lower {
            Verdict::AcceptH0
        } else {
            Verdict::Continue
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pentanomial, Trinomial};

    fn sprt(model: EloModel, elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(model, [elo0, elo1], 0.05, 0.05).unwrap()
    }

    #[test]
    fn bounds_follow_the_error_rates() {
        let [lower, upper] = sprt(EloModel::Logistic, 0.0, 2.0).bounds();
        assert!((lower + 19f64.ln()).abs() < 1e-12 && (upper - 19f64.ln()).abs() < 1e-12);
        let [lower, upper] = Sprt::new(EloModel::Logistic, [0.0, 2.0], 0.1, 0.02).unwrap().bounds();
        assert!((lower - (0.02f64 / 0.9).ln()).abs() < 1e-12 && (upper - 9.8f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn refuses_impossible_tests() {
        let refused = |elo, alpha, beta| Sprt::new(EloModel::Logistic, elo, alpha, beta).unwrap_err();
        assert_eq!(refused([3.0, 0.0], 0.05, 0.05), SprtError::Hypotheses { elo0: 3.0, elo1: 0.0 });
        assert_eq!(refused([0.0, 0.0], 0.05, 0.05), SprtError::Hypotheses { elo0: 0.0, elo1: 0.0 });
        assert!(matches!(refused([0.0, f64::INFINITY], 0.05, 0.05), SprtError::Hypotheses { .. }));
        assert_eq!(refused([0.0, 3.0], 0.0, 0.05), SprtError::ErrorRate(0.0));
        assert_eq!(refused([0.0, 3.0], 0.05, 0.5), SprtError::ErrorRate(0.5));
        assert!(matches!(refused([0.0, 3.0], f64::NAN, 0.05), SprtError::ErrorRate(_)));
    }

    #[test]
    fn wins_speak_for_h1_and_losses_for_h0() {
        for model in [EloModel::Logistic, EloModel::Normalised] {
            let test = sprt(model, 0.0, 10.0);
            assert_eq!(test.llr(&Pentanomial::default()), 0.0);
            assert!(test.llr(&Pentanomial::new([0, 0, 0, 0, 1])) > 0.0);
            assert!(test.llr(&Pentanomial::new([1, 0, 0, 0, 0])) < 0.0);
            assert_eq!(test.verdict(&Pentanomial::new([0, 0, 0, 0, 1])), Verdict::Continue);
            assert_eq!(test.verdict(&Pentanomial::new([10, 100, 500, 300, 90])), Verdict::AcceptH1);
            assert_eq!(test.verdict(&Pentanomial::new([90, 300, 500, 100, 10])), Verdict::AcceptH0);
        }
    }

    #[test]
    fn exchanging_sides_exchanges_the_hypotheses() {
        for model in [EloModel::Logistic, EloModel::Normalised] {
            let ours = sprt(model, -1.0, 4.0).llr(&Pentanomial::new([84, 124, 343, 125, 164]));
            let theirs = sprt(model, -4.0, 1.0).llr(&Pentanomial::new([164, 125, 343, 124, 84]));
            assert!((ours + theirs).abs() < 1e-9, "{model}: {ours} {theirs}");
        }
    }

    #[test]
    fn a_sweep_of_pairs_by_hand() {
        // Under H0 half the pairs are won and half lost, under H1 the won share is (1 + r) / 2.
        let t = std::f64::consts::SQRT_2 * 5.0 / NORMALISED_ELO_PER_T;
        let ratio = t / (1.0 + t * t).sqrt();
        let llr = sprt(EloModel::Normalised, 0.0, 5.0).llr(&Pentanomial::new([0, 0, 0, 0, 104]));
        assert!((llr - 104.0 * ratio.ln_1p()).abs() < 0.01, "{llr}");
    }

    #[test]
    fn a_program_against_itself_is_not_better() {
        // Deterministic play repeats every game with colours reversed: all pairs are level. Under H1 a
        // share r² of them would have to be won.
        let level = Pentanomial::new([0, 0, 2_000, 0, 0]);
        let t = std::f64::consts::SQRT_2 * 10.0 / NORMALISED_ELO_PER_T;
        let llr = sprt(EloModel::Normalised, 0.0, 10.0).llr(&level);
        assert!((llr - 2_000.0 * (-(t * t) / (1.0 + t * t)).ln_1p()).abs() < 0.05, "{llr}");
        for model in [EloModel::Logistic, EloModel::Normalised] {
            assert_eq!(sprt(model, 0.0, 10.0).verdict(&level), Verdict::AcceptH0);
            assert_eq!(sprt(model, -10.0, 0.0).verdict(&level), Verdict::AcceptH1);
            assert!(sprt(model, -10.0, 10.0).llr(&level).abs() < 1e-6);
        }
    }

    #[test]
    fn independent_pairs_say_what_their_games_say() {
        let (games, pairs) = (Trinomial::new([512, 1024, 512]), Pentanomial::new([64, 256, 384, 256, 64]));
        for model in [EloModel::Logistic, EloModel::Normalised] {
            let test = sprt(model, 0.0, 10.0);
            assert!((test.llr(&games) - test.llr(&pairs)).abs() < 0.01, "{model}");
        }
    }

    #[test]
    fn models_have_names() {
        for model in [EloModel::Logistic, EloModel::Normalised] {
            assert_eq!(model.to_string().parse(), Ok(model));
        }
        let error = "bayesian".parse::<EloModel>().unwrap_err();
        assert_eq!(error.to_string(), "'bayesian' is not an Elo model, expected logistic or normalised");
    }
}
