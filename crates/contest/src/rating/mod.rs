// SPDX-License-Identifier: GPL-3.0-or-later
//! Ratings of all players from all their games at once: `games -> fit -> errors by simulation`.
//!
//! The model is that of Bradley and Terry with an advantage for White: a player with White scores on
//! average `1 / (1 + 10^(-d / 400))` against another, `d` being the difference of their ratings plus the
//! advantage. A draw counts as half a win and half a loss, as Ordo counts it; so the likeliest ratings are
//! those with which all players are expected to score the points that they scored, a match of two has the Elo
//! difference that its score stands for, and how often games are drawn does not matter. It matters for the
//! errors, so drawing has a parameter of its own (`draws`), fitted to the number of draws.
//!
//! A rating exists for players who are connected by results in both directions: whoever has won every game
//! is above the others, but nobody knows how far (`connections`). Such players are reported as what they
//! are and their games left out; or a prior, some virtual draws with an average player, rates everybody.

mod connections;
mod draws;
mod games;
mod maximum;
mod simulation;

use std::{error::Error, f64::consts::LN_10, fmt};

pub use draws::outcome_shares;
pub use games::Games;
pub use simulation::{Errors, errors};

use self::{
    connections::outsiders,
    maximum::{Prior, Problem},
};

/// Rating points in one unit of the logistic curve's own scale.
const ELO_PER_UNIT: f64 = 400.0 / LN_10;

/// A hundredth of a drawn game: keeps White's advantage finite where White has won everything, and shifts
/// no other.
const ADVANTAGE_PRIOR: f64 = 0.01;

/// How ratings are computed.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Options {
    /// Where the scale begins.
    pub scale: Scale,
    /// White's advantage in Elo, if it is known; otherwise it is fitted.
    pub white_advantage: Option<f64>,
    /// Virtual draws of every player with an average one; 0 leaves the ratings to the games alone.
    pub prior: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options { scale: Scale::Mean(0.0), white_advantage: None, prior: 0.0 }
    }
}

/// Games know differences only; this turns them into ratings.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Scale {
    /// The rated players have this rating on average.
    Mean(f64),
    /// One player has this rating.
    Anchor {
        /// The player.
        player: usize,
        /// The player's rating.
        rating: f64,
    },
}

/// Where a player stands.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Standing {
    /// The player's rating.
    Rated(f64),
    /// Above the rated players: wins lead down to them and no point leads back.
    Above,
    /// Below the rated players: their wins lead down here and no point leads back.
    Below,
    /// Not to be compared with the rated players: no wins lead either way.
    Apart,
}

impl Standing {
    /// The rating, if there is one.
    pub fn rating(self) -> Option<f64> {
        match self {
            Standing::Rated(rating) => Some(rating),
            _ => None,
        }
    }
}

/// What games say about their players.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// Where each player stands.
    pub standings: Vec<Standing>,
    /// White's advantage in Elo.
    pub white_advantage: f64,
    /// The share of draws between equals, White's advantage taken into account.
    pub draw_rate: f64,
}

/// Games that give no ratings.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum RatingError {
    /// There are none.
    NoGames,
    /// The anchor is not among the rated players.
    Anchor {
        /// The player.
        player: usize,
    },
    /// The prior is not a number of games.
    Prior(f64),
}

impl fmt::Display for RatingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RatingError::NoGames => write!(f, "no games, expected at least one"),
            RatingError::Anchor { player } => {
                write!(f, "anchor {player} is not among the players that the games connect")
            }
            RatingError::Prior(prior) => write!(f, "prior of {prior} draws, expected a number from 0"),
        }
    }
}

impl Error for RatingError {}

/// Computes the ratings of all players.
pub fn fit(games: &Games, options: &Options) -> Result<Ratings, RatingError> {
    let Options { scale, white_advantage, prior } = *options;
    if games.count() == 0 {
        return Err(RatingError::NoGames);
    }
    let possible = prior >= 0.0 && prior.is_finite();
    if !possible {
        return Err(RatingError::Prior(prior));
    }
    let outsiders = if prior > 0.0 { vec![None; games.players()] } else { outsiders(games) };
    let members: Vec<usize> = (0..games.players()).filter(|&player| outsiders[player].is_none()).collect();

    let mut start = vec![0.0; members.len() + 1];
    start[members.len()] = white_advantage.unwrap_or(0.0) / ELO_PER_UNIT;
    let prior = Prior { strength: prior, advantage: ADVANTAGE_PRIOR, centres: start.clone() };
    let problem = Problem::new(games, &members, white_advantage.is_none(), prior);
    let likeliest = problem.maximise(start);
    let draw_rate = problem.draw_rate(&likeliest);

    let (strengths, advantage) = likeliest.split_at(members.len());
    let (origin, rating) = match scale {
        Scale::Mean(rating) => (strengths.iter().sum::<f64>() / strengths.len() as f64, rating),
        Scale::Anchor { player, rating } => {
            let number = members.binary_search(&player).map_err(|_| RatingError::Anchor { player })?;
            (strengths[number], rating)
        }
    };
    let on_scale = |strength: &f64| Standing::Rated(rating + ELO_PER_UNIT * (strength - origin));
    let mut rated = strengths.iter().map(on_scale);
    let standings = outsiders
        .into_iter()
        .map(|outsider| outsider.unwrap_or_else(|| rated.next().expect("a strength for each member")))
        .collect();
    Ok(Ratings { standings, white_advantage: ELO_PER_UNIT * advantage[0], draw_rate })
}
