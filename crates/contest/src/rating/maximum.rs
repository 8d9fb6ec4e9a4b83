// SPDX-License-Identifier: GPL-3.0-or-later
//! The likeliest strengths: `encounters -> strengths and White's advantage`.
//!
//! Newton's method on a concave function. The unknowns are the strengths of all players and, last, the
//! advantage, on the logistic curve's own scale. The linear equations of a step are solved by conjugate
//! gradients: they need no matrix, only its product with a vector, which is one pass over the encounters;
//! and they leave alone the one direction that games say nothing about, everybody becoming stronger.

use super::{Games, draws::fitted_draw_rate};
use crate::Trinomial;

/// More than any fit has needed.
const MOST_STEPS: usize = 200;
/// The longest step: beyond it, a straight line says little about the logistic curve.
const LONGEST_STEP: f64 = 1.0;
/// Steps shorter than this change nothing that anybody prints (it is about 1e-7 Elo).
const SHORTEST_STEP: f64 = 1e-9;
/// What is smaller than this, compared with what it is the sum of, is rounding.
const ROUNDING: f64 = 1e-12;

/// All games of one player with White against another.
#[derive(Copy, Clone, Debug)]
pub(super) struct Encounter {
    white: usize,
    black: usize,
    /// White's results.
    pub(super) results: Trinomial,
}

impl Encounter {
    fn games(&self) -> f64 {
        f64::from(self.results.samples())
    }

    fn points(&self) -> f64 {
        f64::from(self.results.wins()) + f64::from(self.results.draws()) / 2.0
    }
}

/// Virtual draws: of each player with one of the strength `centre`, and of White with such an advantage.
#[derive(Clone, Debug)]
pub(super) struct Prior {
    /// Draws of each player.
    pub(super) strength: f64,
    /// Draws of White.
    pub(super) advantage: f64,
    /// One centre for each unknown.
    pub(super) centres: Vec<f64>,
}

/// What is to be explained.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    /// The games.
    pub(super) encounters: Vec<Encounter>,
    players: usize,
    fits_advantage: bool,
    prior: Prior,
}

impl Problem {
    /// The games that members, given in ascending order, played with each other.
    pub(super) fn new(games: &Games, members: &[usize], fits_advantage: bool, prior: Prior) -> Problem {
        let number = |player: usize| members.binary_search(&player).ok();
        let encounters = games
            .encounters()
            .filter_map(|(white, black, results)| {
                Some(Encounter { white: number(white)?, black: number(black)?, results })
            })
            .collect();
        Problem { encounters, players: members.len(), fits_advantage, prior }
    }

    /// The unknowns with which the results are likeliest.
    pub(super) fn maximise(&self, start: Vec<f64>) -> Vec<f64> {
        let mut unknowns = start;
        let mut likelihood = self.log_likelihood(&unknowns);
        for _ in 0..MOST_STEPS {
            let Some(step) = self.newton_step(&unknowns) else {
                break;
            };
            let longest = step.iter().fold(0.0, |longest: f64, part| longest.max(part.abs()));
            let mut length = (LONGEST_STEP / longest).min(1.0);
            let moved = |length: f64| {
                let next: Vec<f64> = unknowns.iter().zip(&step).map(|(x, part)| x + length * part).collect();
                (self.log_likelihood(&next), next)
            };
            let mut next = moved(length);
            // Rounding may hide the last improvements.
            let least = likelihood - ROUNDING * likelihood.abs();
            while next.0 < least && length * longest >= SHORTEST_STEP {
                length /= 2.0;
                next = moved(length);
            }
            (likelihood, unknowns) = next;
            if length * longest < SHORTEST_STEP {
                break;
            }
        }
        unknowns
    }

    /// The share of draws between equals that goes with these unknowns.
    pub(super) fn draw_rate(&self, unknowns: &[f64]) -> f64 {
        fitted_draw_rate(self.encounters.iter().map(|encounter| {
            let drawn = f64::from(encounter.results.draws());
            (self.expected(unknowns, encounter), encounter.games(), drawn)
        }))
    }

    /// White's expected score.
    pub(super) fn expected(&self, unknowns: &[f64], encounter: &Encounter) -> f64 {
        logistic(self.lead(unknowns, encounter))
    }

    fn lead(&self, unknowns: &[f64], encounter: &Encounter) -> f64 {
        unknowns[encounter.white] + unknowns[self.players] - unknowns[encounter.black]
    }

    /// The weight of each unknown's virtual draws.
    fn prior_weights(&self) -> impl Iterator<Item = f64> {
        let advantage = if self.fits_advantage { self.prior.advantage } else { 0.0 };
        std::iter::repeat_n(self.prior.strength, self.players).chain([advantage])
    }

    fn log_likelihood(&self, unknowns: &[f64]) -> f64 {
        let played = self.encounters.iter().map(|encounter| {
            let (lead, points) = (self.lead(unknowns, encounter), encounter.points());
            points * ln_logistic(lead) + (encounter.games() - points) * ln_logistic(-lead)
        });
        let virtual_draws =
            self.prior_weights().zip(unknowns).zip(&self.prior.centres).map(|((weight, unknown), centre)| {
                let lead = unknown - centre;
                weight / 2.0 * (ln_logistic(lead) + ln_logistic(-lead))
            });
        played.chain(virtual_draws).sum()
    }

    /// The step that would reach the maximum if the function were a parabola; `None` at the maximum.
    fn newton_step(&self, unknowns: &[f64]) -> Option<Vec<f64>> {
        let size = self.players + 1;
        let (mut gradient, mut diagonal) = (vec![0.0; size], vec![0.0; size]);
        let mut weights = Vec::with_capacity(self.encounters.len());
        for encounter in &self.encounters {
            let expected = self.expected(unknowns, encounter);
            let surplus = encounter.points() - encounter.games() * expected;
            let weight = encounter.games() * expected * (1.0 - expected);
            gradient[encounter.white] += surplus;
            gradient[encounter.black] -= surplus;
            gradient[self.players] += surplus;
            diagonal[encounter.white] += weight;
            diagonal[encounter.black] += weight;
            diagonal[self.players] += weight;
            weights.push(weight);
        }
        let mut prior = Vec::with_capacity(size);
        for (unknown, weight) in self.prior_weights().enumerate() {
            let expected = logistic(unknowns[unknown] - self.prior.centres[unknown]);
            gradient[unknown] += weight * (0.5 - expected);
            prior.push(weight * expected * (1.0 - expected));
            diagonal[unknown] += prior[unknown];
        }
        if !self.fits_advantage {
            (gradient[self.players], diagonal[self.players]) = (0.0, 0.0);
        }
        let games: f64 = self.encounters.iter().map(Encounter::games).sum();
        if gradient.iter().all(|part| part.abs() <= ROUNDING * games) {
            return None;
        }
        let curvature = |direction: &[f64]| {
            let from_prior = direction.iter().zip(&prior).map(|(part, weight)| part * weight);
            let mut image: Vec<f64> = from_prior.collect();
            for (encounter, weight) in self.encounters.iter().zip(&weights) {
                let change = weight * self.lead(direction, encounter);
                image[encounter.white] += change;
                image[encounter.black] -= change;
                image[self.players] += change;
            }
            image
        };
        Some(conjugate_gradients(curvature, &diagonal, gradient))
    }
}

/// Solves `matrix(x) = right` for a positive semidefinite matrix; unknowns without a diagonal stay 0.
fn conjugate_gradients(matrix: impl Fn(&[f64]) -> Vec<f64>, diagonal: &[f64], right: Vec<f64>) -> Vec<f64> {
    let preconditioned = |residual: &[f64]| -> Vec<f64> {
        let parts = residual.iter().zip(diagonal);
        parts.map(|(part, &weight)| if weight > 0.0 { part / weight } else { 0.0 }).collect()
    };
    let mut solution = vec![0.0; right.len()];
    let mut residual = right;
    let mut direction = preconditioned(&residual);
    let mut energy = dot(&residual, &direction);
    let goal = 1e-20 * energy;
    for _ in 0..4 * residual.len() + 16 {
        let image = matrix(&direction);
        let curvature = dot(&direction, &image);
        // Without curvature it is the direction that games say nothing about, followed by rounding alone.
        let flat =
            direction.iter().zip(diagonal).map(|(part, weight)| part * part * weight).sum::<f64>() * ROUNDING;
        if energy <= goal || curvature <= flat {
            break;
        }
        let length = energy / curvature;
        add_scaled(&mut solution, length, &direction);
        add_scaled(&mut residual, -length, &image);
        let next = preconditioned(&residual);
        let next_energy = dot(&residual, &next);
        for (part, next) in direction.iter_mut().zip(next) {
            *part = next + next_energy / energy * *part;
        }
        energy = next_energy;
    }
    solution
}

fn add_scaled(target: &mut [f64], factor: f64, source: &[f64]) {
    target.iter_mut().zip(source).for_each(|(part, by)| *part += factor * by);
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The logarithm of the logistic function, without overflow.
fn ln_logistic(x: f64) -> f64 {
    if x > 0.0 { -(-x).exp().ln_1p() } else { x - x.exp().ln_1p() }
}

#[cfg(test)]
mod tests {
    use rules::{Color, Outcome};

    use super::*;

    /// Three players who beat each other in a circle, the second more often than the others.
    fn circle(prior: f64) -> Problem {
        let mut games = Games::new(3);
        for (white, black, wins) in [(0, 1, 3), (1, 2, 7), (2, 0, 3), (1, 0, 2)] {
            for _ in 0..wins {
                games.add(white, black, Outcome::Win(Color::White));
            }
        }
        let prior = Prior { strength: prior, advantage: 0.01, centres: vec![0.0; 4] };
        Problem::new(&games, &[0, 1, 2], true, prior)
    }

    #[test]
    fn at_the_maximum_nothing_moves() {
        for prior in [0.0, 1.0] {
            let problem = circle(prior);
            let likeliest = problem.maximise(vec![0.0; 4]);
            assert_eq!(problem.newton_step(&likeliest), None, "{likeliest:?}");
            for (again, before) in problem.maximise(likeliest.clone()).into_iter().zip(likeliest) {
                assert_eq!(again, before);
            }
        }
    }

    #[test]
    fn no_neighbour_is_likelier() {
        let problem = circle(0.5);
        let likeliest = problem.maximise(vec![0.0; 4]);
        let best = problem.log_likelihood(&likeliest);
        for unknown in 0..4 {
            for by in [-1e-3, 1e-3] {
                let mut moved = likeliest.clone();
                moved[unknown] += by;
                assert!(problem.log_likelihood(&moved) < best);
            }
        }
    }

    #[test]
    fn far_starts_end_in_the_same_place() {
        let problem = circle(0.5);
        let near = problem.maximise(vec![0.0; 4]);
        let far = problem.maximise(vec![30.0, -30.0, 5.0, 12.0]);
        for (near, far) in near.into_iter().zip(far) {
            assert!((near - far).abs() < 1e-8, "{near} {far}");
        }
    }
}
