// SPDX-License-Identifier: GPL-3.0-or-later
//! What the network is punished for: the loss of one output and its slope.
//!
//! The output is a number of which 1.0 is worth `unit` centipawns. Its win rate is
//! `q = σ(output · unit / scale)`, for a network beside the hand-crafted evaluation with that added; the target is
//! `t = λ · σ(score / target_scale) + (1 − λ) · result`.

use serde::Deserialize;

use crate::{Course, Layout, Record};

/// A loss with its numbers, as a configuration gives it.
#[derive(Copy, Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LossSpec {
    /// Which one.
    #[serde(default)]
    pub kind: LossKind,
    /// Of `power`: the exponent of the error.
    #[serde(default = "square")]
    pub exponent: f64,
    /// Centipawns per unit of the logistic curve, for the output.
    #[serde(default = "four_hundred")]
    pub scale: f64,
    /// The same for the score in the data; the scale of the output if it is left out.
    pub target_scale: Option<f64>,
    /// The share of the score in the target; the rest is the result of the game.
    #[serde(default = "all_score")]
    pub lambda: Course,
}

fn square() -> f64 {
    2.0
}

fn four_hundred() -> f64 {
    400.0
}

fn all_score() -> Course {
    Course::Constant(1.0)
}

impl Default for LossSpec {
    fn default() -> LossSpec {
        LossSpec {
            kind: LossKind::default(),
            exponent: square(),
            scale: four_hundred(),
            target_scale: None,
            lambda: all_score(),
        }
    }
}

/// The losses.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LossKind {
    /// `|q − t|^exponent`: the squared error of win rates with exponent 2.
    #[default]
    Power,
    /// `−t ln q − (1 − t) ln (1 − q)` (Karhan 2.7).
    CrossEntropy,
    /// `(output − score)²` in units of the output, without the result (Karhan 2.6).
    MeanSquare,
    /// Triplets of a position, the position after the best move and the one after a random move, by what they
    /// should be to each other (Lombardo 5.3): `−ln σ(r − q) − ln σ(p + q) − ln σ(−p − q)`.
    Pqr,
}

impl LossKind {
    /// How many records belong together.
    pub fn group(self) -> usize {
        if self == LossKind::Pqr { 3 } else { 1 }
    }
}

/// A loss at one moment of a run, ready for the inner loop.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Loss {
    /// Which one.
    pub kind: LossKind,
    /// The exponent of `power`.
    pub exponent: f32,
    /// What the output is multiplied with before the logistic curve.
    pub slope: f32,
    /// What the score is multiplied with before it.
    pub target_slope: f32,
    /// The share of the score.
    pub lambda: f32,
    /// Centipawns of an output of 1.0.
    pub unit: f32,
    /// What is added to the output for a centipawn of the hand-crafted evaluation.
    pub by_hand: f32,
}

impl LossSpec {
    /// The loss of a network for a share of the score.
    pub fn at(&self, lambda: f64, layout: &Layout) -> Loss {
        self.in_units(lambda, layout.unit()).beside(layout.arch.hand_crafted)
    }

    /// The same for the centipawns of one output unit of a network that stands alone.
    fn in_units(&self, lambda: f64, unit: f64) -> Loss {
        Loss {
            kind: self.kind,
            exponent: self.exponent as f32,
            slope: (unit / self.scale) as f32,
            target_slope: (1.0 / self.target_scale.unwrap_or(self.scale)) as f32,
            lambda: lambda as f32,
            unit: unit as f32,
            by_hand: 0.0,
        }
    }
}

/// The logistic curve.
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Loss {
    /// The same loss for a network beside so many percent of the hand-crafted evaluation.
    fn beside(self, percent: u16) -> Loss {
        Loss { by_hand: f32::from(percent) / (100.0 * self.unit), ..self }
    }

    /// The output for a position together with the hand-crafted evaluation, as far as the network is beside it.
    #[inline]
    pub fn joined(&self, output: f32, record: &Record) -> f32 {
        output + self.by_hand * f32::from(record.by_hand())
    }

    /// What the output should be: a win rate, or a number of output units.
    #[inline]
    pub fn target(&self, record: &Record) -> f32 {
        let score = f32::from(record.score());
        match self.kind {
            LossKind::MeanSquare => score / self.unit,
            LossKind::Pqr => 0.0,
            LossKind::Power | LossKind::CrossEntropy => {
                self.lambda * sigmoid(score * self.target_slope) + (1.0 - self.lambda) * record.result()
            }
        }
    }

    /// Calls with the number, loss and slope of every output. Losses of a triplet are shared out evenly.
    #[inline]
    pub fn each(&self, outputs: &[f32], targets: &[f32], mut then: impl FnMut(usize, f32, f32)) {
        if self.kind == LossKind::Pqr {
            for (number, triplet) in outputs.as_chunks::<3>().0.iter().enumerate() {
                let (loss, slopes) = self.triplet(*triplet);
                for (at, slope) in slopes.into_iter().enumerate() {
                    then(3 * number + at, loss / 3.0, slope);
                }
            }
        } else {
            for (number, (&output, &target)) in outputs.iter().zip(targets).enumerate() {
                let (loss, slope) = self.of(output, target);
                then(number, loss, slope);
            }
        }
    }

    /// The loss of a triplet and its slopes.
    fn triplet(&self, outputs: [f32; 3]) -> (f32, [f32; 3]) {
        let [p, q, r] = outputs.map(|output| self.slope * output);
        // −ln σ(x)
        let cost = |x: f32| (-x).max(0.0) + (-x.abs()).exp().ln_1p();
        let (better, sum) = (r - q, p + q);
        let loss = cost(better) + cost(sum) + cost(-sum);
        let (push, pull) = (sigmoid(-better), sigmoid(sum) - sigmoid(-sum));
        (loss, [pull, pull + push, -push].map(|slope| self.slope * slope))
    }

    /// The loss of an output, and its derivative with respect to the output.
    #[inline]
    fn of(&self, output: f32, target: f32) -> (f32, f32) {
        if self.kind == LossKind::MeanSquare {
            let error = output - target;
            return (error * error, 2.0 * error);
        }
        let x = self.slope * output;
        let q = sigmoid(x);
        let error = q - target;
        match self.kind {
            // ln q = −ln(1 + e^−x), written so that nothing overflows.
            LossKind::CrossEntropy => {
                let both = (-x.abs()).exp().ln_1p();
                let (win, lose) = ((-x).max(0.0) + both, x.max(0.0) + both);
                (target * win + (1.0 - target) * lose, self.slope * error)
            }
            _ if self.exponent == 2.0 => (error * error, 2.0 * error * self.slope * q * (1.0 - q)),
            _ => {
                let size = error.abs();
                let rest = size.powf(self.exponent - 1.0);
                let slope = (self.exponent * rest).copysign(error) * self.slope * q * (1.0 - q);
                (rest * size, slope)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rules::chess::Board;

    use super::*;

    fn losses() -> Vec<Loss> {
        let spec = LossSpec { scale: 400.0, ..LossSpec::default() };
        let power = |exponent| LossSpec { exponent, ..spec };
        let kinds = [LossKind::CrossEntropy, LossKind::MeanSquare].map(|kind| LossSpec { kind, ..spec });
        [power(2.0), power(2.6), power(1.5)]
            .into_iter()
            .chain(kinds)
            .map(|spec| spec.in_units(1.0, 288.0))
            .collect()
    }

    #[test]
    fn slopes_are_those_of_the_losses() {
        for loss in losses() {
            for output in [-3.0, -0.4, 0.0, 0.7, 2.5] {
                for target in [0.05, 0.5, 0.9] {
                    let step = 1e-2;
                    let (up, down) = (loss.of(output + step, target).0, loss.of(output - step, target).0);
                    let measured = (up - down) / (2.0 * step);
                    let slope = loss.of(output, target).1;
                    assert!(
                        (measured - slope).abs() < 2e-3 * (1.0 + slope.abs()),
                        "{loss:?}: {measured} {slope}"
                    );
                }
            }
        }
    }

    #[test]
    fn triplets_learn_that_a_random_move_is_worse() {
        let loss = LossSpec { kind: LossKind::Pqr, ..LossSpec::default() }.in_units(1.0, 288.0);
        let total = |outputs: &[f32]| {
            let mut sum = 0.0;
            loss.each(outputs, &[], |_, loss, _| sum += loss);
            sum
        };
        let outputs = [0.4, -0.1, 0.3, 0.0, 0.2, -0.5];
        loss.each(&outputs, &[], |number, _, slope| {
            let moved = |by: f32| {
                let mut outputs = outputs;
                outputs[number] += by;
                total(&outputs)
            };
            let measured = (moved(1e-2) - moved(-1e-2)) / 2e-2;
            assert!((measured - slope).abs() < 1e-3, "{number}: {slope}, measured {measured}");
        });
        // The value after the best move is the old one from the other side; a random move is worse than that.
        assert!(total(&[1.0, -1.0, 1.0]) < total(&[1.0, -1.0, -2.0]));
        assert!(total(&[1.0, -1.0, 1.0]) < total(&[1.0, 1.0, 3.0]));
    }

    #[test]
    fn the_target_is_a_blend() {
        let spec = LossSpec { target_scale: Some(200.0), ..LossSpec::default() };
        let record = Record::new(&Board::start(), 100, 2);
        let expected = 1.0 / (1.0 + (-0.5f32).exp());
        assert!((spec.in_units(1.0, 288.0).target(&record) - expected).abs() < 1e-6);
        assert_eq!(spec.in_units(0.0, 288.0).target(&record), 1.0);
        assert!((spec.in_units(0.5, 288.0).target(&record) - (expected + 1.0) / 2.0).abs() < 1e-6);
    }

    #[test]
    fn a_perfect_output_costs_nothing_and_extremes_stay_finite() {
        for loss in losses() {
            let perfect = match loss.kind {
                LossKind::MeanSquare => loss.of(0.5, 0.5),
                _ => loss.of(0.0, 0.5),
            };
            assert_eq!(perfect.1, 0.0);
            let (value, slope) = loss.of(1e4, 0.0);
            assert!(value.is_finite() && slope.is_finite(), "{loss:?}");
        }
    }
}
