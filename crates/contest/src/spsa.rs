// SPDX-License-Identifier: GPL-3.0-or-later
//! Simultaneous perturbation (SPSA, Spall 1992): tuning many parameters from the results of few games.
//!
//! Each iteration moves all parameters at once, each up or down by chance, plays the set so moved against
//! the set moved the opposite way, and shifts every parameter a little towards the winner. Iteration `k`
//! of `n`, counted from 1, perturbs parameter `i` by
//!
//! `c = step · (n / k)^γ`, and shifts it by
//! `rate · ((A + n) / (A + k))^α · step² / c · (wins - losses) · sign`.
//!
//! So `step` and `rate` are what the last iteration uses: the form in which fishtest asks for them. Spall's
//! `a` and `c` follow as `a = rate · step² · (A + n)^α` and `c = step · n^γ` (his factor 1/2 is in `rate`).
//!
//! The signs of an iteration depend on the seed and its number alone. Several iterations may be under way
//! at the same time and come back in any order, and a state read back from disk goes on as if never
//! stopped. The state is a plain struct of numbers: whoever wants to store it, can.

use std::{error::Error, fmt};

use crate::Random;

/// A parameter that is tuned; a whole number for the engine, any number on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// What the engine calls it.
    pub name: String,
    /// Where it stands.
    pub value: f64,
    /// The smallest value the engine takes.
    pub min: i64,
    /// The largest value the engine takes.
    pub max: i64,
    /// By how much the last iteration perturbs it: large enough to make a difference of a few Elo.
    pub step: f64,
    /// How far, in steps, the last iteration moves it for each game won more than lost.
    pub rate: f64,
}

/// How perturbations and shifts shrink over a run.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Gains {
    /// Iterations of the whole run, `n`.
    pub iterations: u64,
    /// Iterations that the first shifts are damped by, `A`; usual is a tenth of all.
    pub stability: f64,
    /// The exponent `α` of the shifts.
    pub alpha: f64,
    /// The exponent `γ` of the perturbations.
    pub gamma: f64,
}

impl Gains {
    /// Spall's practical exponents and a tenth of the run as stability.
    pub fn new(iterations: u64) -> Gains {
        Gains { iterations, stability: iterations as f64 / 10.0, alpha: 0.602, gamma: 0.101 }
    }
}

/// The state of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    /// The parameters as they are now.
    pub parameters: Vec<Parameter>,
    /// The course of the run.
    pub gains: Gains,
    /// Where the signs come from.
    pub seed: u64,
    /// How many iterations have been counted.
    pub done: u64,
}

/// Two sets of values to be played against each other, in the order of the parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidates {
    /// The values moved by the signs.
    pub plus: Vec<i64>,
    /// The values moved against the signs.
    pub minus: Vec<i64>,
}

/// Numbers that cannot be tuned.
#[derive(Clone, Debug, PartialEq)]
pub enum SpsaError {
    /// There is nothing to tune, or no time to tune it.
    Nothing,
    /// The value does not lie in its range.
    Range {
        /// The parameter.
        name: String,
        /// Its value.
        value: f64,
        /// The smallest possible value.
        min: i64,
        /// The largest possible value.
        max: i64,
    },
    /// Step or rate is not a positive number.
    Step {
        /// The parameter.
        name: String,
        /// Its step.
        step: f64,
        /// Its rate.
        rate: f64,
    },
}

impl fmt::Display for SpsaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpsaError::Nothing => write!(f, "no parameters or no iterations, expected both"),
            SpsaError::Range { name, value, min, max } => {
                write!(f, "parameter '{name}' is {value}, expected a value from {min} to {max}")
            }
            SpsaError::Step { name, step, rate } => {
                write!(f, "parameter '{name}' has step {step} and rate {rate}, expected positive numbers")
            }
        }
    }
}

impl Error for SpsaError {}

impl Spsa {
    /// A run from its beginning.
    pub fn new(parameters: Vec<Parameter>, gains: Gains, seed: u64) -> Result<Spsa, SpsaError> {
        if parameters.is_empty() || gains.iterations == 0 {
            return Err(SpsaError::Nothing);
        }
        for parameter in &parameters {
            let Parameter { value, min, max, step, rate, .. } = *parameter;
            let name = || parameter.name.clone();
            if !(min as f64..=max as f64).contains(&value) {
                return Err(SpsaError::Range { name: name(), value, min, max });
            }
            if ![step, rate].iter().all(|number| number.is_finite() && *number > 0.0) {
                return Err(SpsaError::Step { name: name(), step, rate });
            }
        }
        Ok(Spsa { parameters, gains, seed, done: 0 })
    }

    /// What iteration `k`, counted from 1, plays, given the parameters as they are now.
    ///
    /// Values are rounded up or down by chance, alike for both sets: a parameter between two whole numbers
    /// is played as either in proportion, so small steps are not lost.
    pub fn candidates(&self, k: u64) -> Candidates {
        let mut random = Random::stream(self.seed, k);
        let signs = self.signs(&mut random);
        let (plus, minus) = self
            .parameters
            .iter()
            .zip(signs)
            .map(|(parameter, sign)| {
                let (offset, by) = (random.unit(), sign * self.perturbation(parameter, k));
                let (min, max) = (parameter.min, parameter.max);
                let played = |value: f64| ((value + offset).floor() as i64).clamp(min, max);
                (played(parameter.value + by), played(parameter.value - by))
            })
            .unzip();
        Candidates { plus, minus }
    }

    /// Counts the games of iteration `k`: those that `plus` won more than it lost.
    pub fn update(&mut self, k: u64, wins_minus_losses: i32) {
        let signs = self.signs(&mut Random::stream(self.seed, k));
        let Gains { iterations, stability, alpha, .. } = self.gains;
        let damping = ((stability + iterations as f64) / (stability + k as f64)).powf(alpha);
        let shifts: Vec<f64> = self
            .parameters
            .iter()
            .zip(signs)
            .map(|(parameter, sign)| {
                let Parameter { step, rate, .. } = parameter;
                let gain = rate * damping * step * step / self.perturbation(parameter, k);
                gain * f64::from(wins_minus_losses) * sign
            })
            .collect();
        for (parameter, shift) in self.parameters.iter_mut().zip(shifts) {
            parameter.value = (parameter.value + shift).clamp(parameter.min as f64, parameter.max as f64);
        }
        self.done += 1;
    }

    /// The parameters as the engine takes them.
    pub fn values(&self) -> Vec<i64> {
        self.parameters.iter().map(|parameter| parameter.value.round() as i64).collect()
    }

    fn perturbation(&self, parameter: &Parameter, k: u64) -> f64 {
        parameter.step * (self.gains.iterations as f64 / k as f64).powf(self.gains.gamma)
    }

    /// One sign for each parameter, the first numbers of the iteration's stream.
    fn signs(&self, random: &mut Random) -> Vec<f64> {
        self.parameters.iter().map(|_| if random.bits() >> 63 == 0 { 1.0 } else { -1.0 }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score_of_elo;

    fn parameter(value: f64, min: i64, max: i64, step: f64) -> Parameter {
        Parameter { name: "p".to_owned(), value, min, max, step, rate: 0.002 }
    }

    fn run(parameters: Vec<Parameter>, iterations: u64) -> Spsa {
        Spsa::new(parameters, Gains::new(iterations), 1).unwrap()
    }

    #[test]
    fn the_last_iteration_uses_step_and_rate() {
        let mut spsa = run(vec![parameter(50.0, 0, 100, 8.0)], 1_000);
        let Candidates { plus, minus } = spsa.candidates(1_000);
        assert_eq!((plus[0] - minus[0]).abs(), 16);
        let sign = (plus[0] - minus[0]).signum() as f64;
        spsa.update(1_000, 2);
        assert!((spsa.parameters[0].value - (50.0 + sign * 0.002 * 8.0 * 2.0)).abs() < 1e-12);
        assert_eq!(spsa.done, 1);
    }

    #[test]
    fn early_iterations_reach_further() {
        let spsa = run(vec![parameter(500.0, 0, 1_000, 10.0)], 10_000);
        let reach = |k| (spsa.candidates(k).plus[0] - spsa.candidates(k).minus[0]).abs();
        // c = 10 · 10000^0.101 = 25.4 at first, 10 at last, both ways; rounding takes at most one.
        assert!((reach(1) - 51).abs() <= 1 && reach(10_000) == 20, "{} {}", reach(1), reach(10_000));
    }

    #[test]
    fn a_drawn_iteration_moves_nothing() {
        let mut spsa = run(vec![parameter(5.5, 0, 10, 1.0), parameter(7.0, 0, 10, 1.0)], 100);
        let before = spsa.parameters.clone();
        spsa.update(1, 0);
        assert_eq!(spsa.parameters, before);
    }

    #[test]
    fn values_stay_in_their_range() {
        let mut spsa = run(vec![parameter(9.9, 0, 10, 50.0), parameter(0.0, 0, 10, 50.0)], 100);
        for k in 1..=100 {
            let Candidates { plus, minus } = spsa.candidates(k);
            assert!(plus.iter().chain(&minus).all(|value| (0..=10).contains(value)));
            spsa.update(k, if k % 2 == 0 { 2 } else { -2 });
            assert!(spsa.values().iter().all(|value| (0..=10).contains(value)));
        }
    }

    #[test]
    fn fractions_are_played_in_proportion() {
        let spsa = run(vec![parameter(5.25, 0, 10, 1.0)], 100_000);
        let played = (96_001..=100_000).map(|k| spsa.candidates(k));
        let mean = played.map(|c| (c.plus[0] + c.minus[0]) as f64 / 2.0).sum::<f64>() / 4_000.0;
        assert!((mean - 5.25).abs() < 0.05, "{mean}");
    }

    #[test]
    fn a_state_goes_on_where_it_stood_and_results_may_come_late() {
        let start = run(vec![parameter(50.0, 0, 100, 8.0), parameter(20.0, 0, 100, 4.0)], 100);
        let (mut one, mut other) = (start.clone(), start);
        one.update(1, 2);
        one.update(2, -1);
        other.update(2, -1);
        other.update(1, 2);
        for (a, b) in one.parameters.iter().zip(&other.parameters) {
            assert!((a.value - b.value).abs() < 1e-12);
        }
        assert_eq!(one.candidates(3), other.candidates(3));
        assert_ne!(one.candidates(3), Spsa { seed: 2, ..one.clone() }.candidates(3));
    }

    #[test]
    fn finds_the_top_of_a_hill() {
        // 40 Elo are lost for 100 units of distance squared; pairs of games with a third of draws.
        let top = [700.0, 300.0];
        let elo = |values: &[i64]| -> f64 {
            values.iter().zip(top).map(|(&value, top)| -40.0 * ((value as f64 - top) / 100.0).powi(2)).sum()
        };
        let parameters = vec![parameter(500.0, 0, 1_000, 40.0), parameter(500.0, 0, 1_000, 40.0)];
        let mut spsa = run(parameters, 20_000);
        let mut random = Random::new(7);
        for k in 1..=20_000 {
            let Candidates { plus, minus } = spsa.candidates(k);
            let score = score_of_elo(elo(&plus) - elo(&minus));
            let draw = 2.0 * score.min(1.0 - score) / 3.0;
            let game = |unit: f64| {
                if unit < score - draw / 2.0 {
                    1
                } else if unit < score + draw / 2.0 {
                    0
                } else {
                    -1
                }
            };
            let result = game(random.unit()) + game(random.unit());
            spsa.update(k, result);
        }
        for (value, top) in spsa.values().into_iter().zip(top) {
            assert!((value as f64 - top).abs() < 40.0, "{:?}", spsa.values());
        }
    }

    #[test]
    fn refuses_what_cannot_be_tuned() {
        let refused = |parameters, iterations| Spsa::new(parameters, Gains::new(iterations), 1).unwrap_err();
        assert_eq!(refused(vec![], 10), SpsaError::Nothing);
        assert_eq!(refused(vec![parameter(5.0, 0, 10, 1.0)], 0), SpsaError::Nothing);
        let outside = refused(vec![parameter(11.0, 0, 10, 1.0)], 10);
        assert_eq!(outside.to_string(), "parameter 'p' is 11, expected a value from 0 to 10");
        assert!(matches!(refused(vec![parameter(5.0, 0, 10, 0.0)], 10), SpsaError::Step { .. }));
        assert!(matches!(refused(vec![parameter(f64::NAN, 0, 10, 1.0)], 10), SpsaError::Range { .. }));
    }
}
