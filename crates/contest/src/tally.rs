// SPDX-License-Identifier: GPL-3.0-or-later
//! Counted results and what they say about strength: `counts -> score -> Elo with its error`.
//!
//! One type serves single games (trinomial: lost, drawn, won) and pairs of games from one opening with
//! colours reversed (pentanomial: 0, 1/2, 1, 3/2 or 2 points). The two games of a pair are not
//! independent, so errors should come from pairs where games were played in pairs.
//!
//! With `N` kinds of result, kind `i` has the score `a = i / (N - 1)` per game and the share `p`:
//!
//! - score `s = Σ p a`, variance of a sample's score `v = Σ p (a - s)²`;
//! - a sample holds `g = (N - 1) / 2` games, so the standard deviation of a game is `√(g v)`: the number
//!   for which `s` would have its true error, had the games been independent;
//! - logistic Elo `400 log10(s / (1 - s))`, its error half the width, in Elo, of the 95 % interval
//!   `s ± 1.96 √(v / n)`;
//! - normalised Elo `800 / ln 10 · (s - 1/2) / √(g v)` (Van den Bergh), its error from the same interval.

use std::fmt;

use rules::{Color, Outcome};

use crate::{
    elo::{NORMALISED_ELO_PER_T, elo_of_score},
    normal::{Z95, share_below},
};

/// Counts of results by their points, fewest first.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Tally<const N: usize> {
    counts: [u32; N],
}

/// Games: lost, drawn, won.
pub type Trinomial = Tally<3>;

/// Pairs of games by their half points, 0 to 4.
pub type Pentanomial = Tally<5>;

/// A value and the half-width of its 95 % interval.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The value; infinite after a clean sweep.
    pub value: f64,
    /// The half-width; `None` where too little is known to bound the value.
    pub error: Option<f64>,
}

/// `+3.1 ± 2.2`, with as many decimals as asked for (one if not asked).
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(1);
        write!(f, "{:+.decimals$}", self.value)?;
        match self.error {
            Some(error) => write!(f, " ± {error:.decimals$}"),
            None => Ok(()),
        }
    }
}

/// The half points, 0 to 2, that an outcome gives to the player of a colour.
pub fn half_points(outcome: Outcome, color: Color) -> usize {
    match outcome {
        Outcome::Win(winner) if winner == color => 2,
        Outcome::Win(_) => 0,
        Outcome::Draw => 1,
    }
}

impl<const N: usize> Default for Tally<N> {
    fn default() -> Self {
        Tally { counts: [0; N] }
    }
}

impl<const N: usize> Tally<N> {
    /// Games in a sample: 1 of the trinomial, 2 of the pentanomial.
    pub(crate) const GAMES_PER_SAMPLE: f64 = (N as f64 - 1.0) / 2.0;

    /// A tally of known counts, fewest points first.
    pub const fn new(counts: [u32; N]) -> Self {
        Tally { counts }
    }

    /// The counts, fewest points first.
    pub const fn counts(&self) -> [u32; N] {
        self.counts
    }

    /// Counts one more sample.
    ///
    /// # Panics
    /// If `half_points` are more than a sample can have.
    pub fn add(&mut self, half_points: usize) {
        self.counts[half_points] += 1;
    }

    /// How many samples there are: games or pairs.
    pub fn samples(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// Points per game, from 0 to 1; one half before the first.
    pub fn score(&self) -> f64 {
        if self.samples() == 0 {
            return 0.5;
        }
        self.average(Self::points)
    }

    /// The variance of a sample's points per game.
    pub fn variance(&self) -> f64 {
        if self.samples() == 0 {
            return 0.0;
        }
        let score = self.score();
        self.average(|kind| (Self::points(kind) - score).powi(2))
    }

    /// The Elo difference of the logistic model.
    pub fn elo(&self) -> Estimate {
        let (score, error) = (self.score(), Z95 * self.standard_error());
        let half_width = (elo_of_score(score + error) - elo_of_score(score - error)) / 2.0;
        // Not a number, or infinite, where the interval leaves the possible scores.
        let error = (self.is_informative() && half_width.is_finite()).then_some(half_width);
        Estimate { value: elo_of_score(score), error }
    }

    /// The normalised Elo difference: how clear it is, rather than how large.
    pub fn normalised_elo(&self) -> Estimate {
        let deviation = (Self::GAMES_PER_SAMPLE * self.variance()).sqrt();
        let lead = self.score() - 0.5;
        let value = if lead == 0.0 { 0.0 } else { NORMALISED_ELO_PER_T * lead / deviation };
        let games = Self::GAMES_PER_SAMPLE * f64::from(self.samples());
        Estimate { value, error: self.is_informative().then(|| Z95 * NORMALISED_ELO_PER_T / games.sqrt()) }
    }

    /// The likelihood of superiority (LOS): how probable a stronger first player is, from 0 to 1.
    pub fn los(&self) -> f64 {
        let lead = self.score() - 0.5;
        if lead == 0.0 { 0.5 } else { share_below(lead / self.standard_error()) }
    }

    /// The share of level samples: drawn games, or pairs of one point each.
    pub fn draw_ratio(&self) -> f64 {
        match self.samples() {
            0 => 0.0,
            samples => f64::from(self.counts[N / 2]) / f64::from(samples),
        }
    }

    /// Points per game of a kind of result.
    pub(crate) fn points(kind: usize) -> f64 {
        kind as f64 / (N as f64 - 1.0)
    }

    /// Whether there is a variance to speak of.
    fn is_informative(&self) -> bool {
        self.samples() >= 2 && self.variance() > 0.0
    }

    fn standard_error(&self) -> f64 {
        (self.variance() / f64::from(self.samples().max(1))).sqrt()
    }

    /// The average of a function of the kind of result; not a number without samples.
    fn average(&self, value: impl Fn(usize) -> f64) -> f64 {
        let sum: f64 =
            self.counts.iter().enumerate().map(|(kind, &count)| f64::from(count) * value(kind)).sum();
        sum / f64::from(self.samples())
    }
}

impl Trinomial {
    /// Games lost.
    pub const fn losses(&self) -> u32 {
        self.counts[0]
    }

    /// Games drawn.
    pub const fn draws(&self) -> u32 {
        self.counts[1]
    }

    /// Games won.
    pub const fn wins(&self) -> u32 {
        self.counts[2]
    }
}

impl Pentanomial {
    /// Won pairs for each lost one, infinite if none is lost; `None` if none is won either.
    pub fn pairs_ratio(&self) -> Option<f64> {
        let [lost, half_lost, _, half_won, won] = self.counts.map(f64::from);
        let ratio = (half_won + won) / (lost + half_lost);
        (!ratio.is_nan()).then_some(ratio)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_points_are_for_the_asking_side() {
        assert_eq!(half_points(Outcome::Win(Color::White), Color::White), 2);
        assert_eq!(half_points(Outcome::Win(Color::White), Color::Black), 0);
        assert_eq!(half_points(Outcome::Draw, Color::Black), 1);
    }

    #[test]
    fn counts_by_points() {
        let mut pairs = Pentanomial::default();
        for half_points in [0, 4, 2, 2, 3] {
            pairs.add(half_points);
        }
        assert_eq!(pairs, Pentanomial::new([1, 0, 2, 1, 1]));
        assert_eq!(pairs.samples(), 5);
        assert!((pairs.score() - 0.55).abs() < 1e-12);
        assert_eq!(pairs.draw_ratio(), 0.4);
        assert_eq!(pairs.pairs_ratio(), Some(2.0));
        let games = Trinomial::new([1, 2, 3]);
        assert_eq!((games.wins(), games.draws(), games.losses()), (3, 2, 1));
    }

    #[test]
    fn knows_nothing_before_the_first_sample() {
        let pairs = Pentanomial::default();
        assert_eq!(pairs.elo(), Estimate { value: 0.0, error: None });
        assert_eq!(pairs.normalised_elo(), Estimate { value: 0.0, error: None });
        assert_eq!((pairs.los(), pairs.draw_ratio(), pairs.pairs_ratio()), (0.5, 0.0, None));
    }

    #[test]
    fn a_clean_sweep_has_no_error() {
        let pairs = Pentanomial::new([0, 0, 0, 0, 9]);
        assert_eq!(pairs.elo(), Estimate { value: f64::INFINITY, error: None });
        assert_eq!(pairs.normalised_elo(), Estimate { value: f64::INFINITY, error: None });
        assert_eq!((pairs.los(), pairs.pairs_ratio()), (1.0, Some(f64::INFINITY)));
        assert_eq!(Pentanomial::new([9, 0, 0, 0, 0]).los(), 0.0);
    }

    #[test]
    fn level_pairs_only() {
        let pairs = Pentanomial::new([0, 0, 50, 0, 0]);
        assert_eq!(pairs.elo(), Estimate { value: 0.0, error: None });
        assert_eq!((pairs.los(), pairs.draw_ratio(), pairs.pairs_ratio()), (0.5, 1.0, None));
    }

    #[test]
    fn one_decided_pair_leaves_the_interval_open() {
        let estimate = Pentanomial::new([0, 0, 1, 0, 1]).elo();
        assert!((estimate.value - 190.848_5).abs() < 1e-4);
        assert_eq!(estimate.error, None, "3/4 ± 0.35 reaches beyond 1");
    }

    #[test]
    fn pairs_of_independent_games_have_the_error_of_games() {
        // 1/4 lost, 1/2 drawn, 1/4 won, squared: variance of a game 1/8, of a pair's average 1/16.
        let (games, pairs) = (Trinomial::new([512, 1024, 512]), Pentanomial::new([64, 256, 384, 256, 64]));
        assert!((games.variance() - 1.0 / 8.0).abs() < 1e-12);
        assert!((pairs.variance() - 1.0 / 16.0).abs() < 1e-12);
        assert!((games.elo().error.unwrap() - pairs.elo().error.unwrap()).abs() < 1e-9);
        let errors = [games.normalised_elo().error.unwrap(), pairs.normalised_elo().error.unwrap()];
        assert!((errors[0] - errors[1]).abs() < 1e-9);
    }

    #[test]
    fn both_sides_see_the_same_match() {
        let ours = Pentanomial::new([84, 124, 343, 125, 164]);
        let mut counts = ours.counts();
        counts.reverse();
        let theirs = Pentanomial::new(counts);
        assert!((ours.elo().value + theirs.elo().value).abs() < 1e-9);
        assert!((ours.elo().error.unwrap() - theirs.elo().error.unwrap()).abs() < 1e-9);
        assert!((ours.normalised_elo().value + theirs.normalised_elo().value).abs() < 1e-9);
        assert!((ours.los() + theirs.los() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn estimates_print_with_their_sign() {
        let estimate = Estimate { value: 3.13, error: Some(2.26) };
        assert_eq!(estimate.to_string(), "+3.1 ± 2.3");
        assert_eq!(format!("{estimate:.2}"), "+3.13 ± 2.26");
        assert_eq!(Estimate { value: -0.26, error: None }.to_string(), "-0.3");
    }
}
