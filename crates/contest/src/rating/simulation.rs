// SPDX-License-Identifier: GPL-3.0-or-later
//! Errors of ratings by parametric simulation: play all games again as the ratings say, rate, compare.
//!
//! The way of Ordo. Simulated games are independent of each other; pairs of games from one opening vary
//! less, so these errors are on the careful side for games played in pairs.

use super::{ADVANTAGE_PRIOR, ELO_PER_UNIT, Games, Options, Prior, Problem, Ratings, Scale, outcome_shares};
use crate::{Random, Trinomial, normal::Z95};

/// A quarter of a drawn game against an equal, in simulated tournaments only: it keeps a rating finite
/// where a player happens to lose every game, draws nobody away from the fitted rating, and takes about
/// 0.25 % off the error of a player with a hundred games.
const SIMULATED_PRIOR: f64 = 0.25;

/// Half-widths of 95 % intervals; `None` for what is not fitted, and everywhere without two simulations.
#[derive(Clone, Debug, PartialEq)]
pub struct Errors {
    /// For each player the error of the rating, in relation to the mean or the anchor.
    pub ratings: Vec<Option<f64>>,
    /// The error of White's advantage in Elo.
    pub white_advantage: Option<f64>,
    /// The error of the share of draws between equals.
    pub draw_rate: Option<f64>,
}

/// Computes the errors of ratings that were fitted to these games with these options.
pub fn errors(games: &Games, options: &Options, ratings: &Ratings, simulations: u32, seed: u64) -> Errors {
    let rated = ratings.standings.iter().enumerate();
    let (members, mut fitted): (Vec<usize>, Vec<f64>) =
        rated.filter_map(|(player, standing)| Some((player, standing.rating()? / ELO_PER_UNIT))).unzip();
    fitted.push(ratings.white_advantage / ELO_PER_UNIT);

    let fits_advantage = options.white_advantage.is_none();
    let prior = Prior {
        strength: options.prior.max(SIMULATED_PRIOR),
        advantage: ADVANTAGE_PRIOR,
        centres: fitted.clone(),
    };
    let mut problem = Problem::new(games, &members, fits_advantage, prior);
    let shares: Vec<[f64; 3]> = problem
        .encounters
        .iter()
        .map(|encounter| outcome_shares(problem.expected(&fitted, encounter), ratings.draw_rate))
        .collect();

    let mut spreads = vec![Spread::default(); fitted.len()];
    let mut draw_rates = Spread::default();
    for simulation in 0..simulations {
        let mut random = Random::stream(seed, u64::from(simulation));
        for (encounter, shares) in problem.encounters.iter_mut().zip(&shares) {
            encounter.results = play(encounter.results.samples(), shares, &mut random);
        }
        let likeliest = problem.maximise(fitted.clone());
        draw_rates.add(problem.draw_rate(&likeliest));

        let mut changes: Vec<f64> = likeliest.iter().zip(&fitted).map(|(new, old)| new - old).collect();
        let (strengths, _) = changes.split_at_mut(members.len());
        let origin = match options.scale {
            Scale::Mean(_) => strengths.iter().sum::<f64>() / strengths.len() as f64,
            Scale::Anchor { player, .. } => {
                members.binary_search(&player).map_or(0.0, |number| strengths[number])
            }
        };
        strengths.iter_mut().for_each(|change| *change -= origin);
        spreads.iter_mut().zip(changes).for_each(|(spread, change)| spread.add(change));
    }

    let elo = |spread: &Spread| spread.error().map(|error| ELO_PER_UNIT * error);
    let mut by_player = vec![None; ratings.standings.len()];
    for (&member, spread) in members.iter().zip(&spreads) {
        by_player[member] = elo(spread);
    }
    let advantage = spreads.last().filter(|_| fits_advantage).and_then(elo);
    Errors { ratings: by_player, white_advantage: advantage, draw_rate: draw_rates.error() }
}

/// So many games with these shares of outcomes.
fn play(games: u32, shares: &[f64; 3], random: &mut Random) -> Trinomial {
    let mut results = Trinomial::default();
    for _ in 0..games {
        let unit = random.unit();
        let half_points = if unit < shares[0] {
            0
        } else if unit < shares[0] + shares[1] {
            1
        } else {
            2
        };
        results.add(half_points);
    }
    results
}

/// The spread of a simulated number, gathered one by one (Welford).
#[derive(Copy, Clone, Debug, Default)]
struct Spread {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Spread {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        let off = value - self.mean;
        self.mean += off / self.count;
        self.squares += off * (value - self.mean);
    }

    /// The half-width of the 95 % interval.
    fn error(&self) -> Option<f64> {
        (self.count >= 2.0).then(|| Z95 * (self.squares / (self.count - 1.0)).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_are_those_of_the_textbook() {
        let mut spread = Spread::default();
        [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().for_each(|value| spread.add(value));
        assert!((spread.error().unwrap() - Z95 * (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn games_follow_their_shares() {
        let results = play(100_000, &[0.2, 0.5, 0.3], &mut Random::new(1));
        let expected = [20_000.0, 50_000.0, 30_000.0];
        for (count, expected) in results.counts().into_iter().zip(expected) {
            assert!((f64::from(count) - expected).abs() < 700.0, "{results:?}");
        }
    }
}
