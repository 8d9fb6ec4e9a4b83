// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue rate`: ratings of all players of a set of games.

mod games;
mod natural_order;
mod picture;
mod report;

use std::{path::PathBuf, process::ExitCode};

use anyhow::{Context, bail, ensure};
use clap::Args;
use contest::rating::{self, Errors, Options, Ratings, Scale, Standing};

use self::{games::Tournament, picture::Style, report::Report};

/// Rate the players of games.
///
/// Reads the names and results of all games, finds the ratings with which they are likeliest (Bradley and
/// Terry's model with an advantage for White, a draw being half a win), and how far off those may be: all
/// games are played again by chance as the ratings say, many times, and rated again. Games without a result
/// are counted and left out. An error is half the width of a 95 % interval.
#[derive(Args)]
#[command(after_help = "Examples:
  nue rate games.pgn
  nue rate first.pgn second.pgn.zst --anchor stockfish=3500 --plot ratings.svg
  nue rate nets.pgn --anchor hce=0 --versions net- --plot progress.png

With --versions the plot shows one family of players, ordered by name as a person would (net-9 before
net-10), as a line with error bars, and everybody else as a level to reach.")]
pub(crate) struct Rate {
    /// Games as PGN, plain or compressed
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Give one player this rating
    #[arg(long, value_name = "NAME=RATING", value_parser = parse_anchor, conflicts_with = "mean")]
    anchor: Option<(String, f64)>,

    /// Give all rated players this rating on average
    #[arg(long, value_name = "RATING", default_value_t = 0.0, allow_negative_numbers = true)]
    mean: f64,

    /// White's advantage in Elo, if it is not to be found from the games
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    white_advantage: Option<f64>,

    /// Draws with an average player that everybody is credited with; more than 0 rates even those who won
    /// or lost all their games
    #[arg(long, value_name = "DRAWS", default_value_t = 0.0)]
    prior: f64,

    /// Simulated tournaments from which the errors are computed
    #[arg(long, value_name = "N", default_value_t = 1000)]
    simulations: u32,

    /// What decides the simulated games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Draw the ratings with their errors, as SVG or PNG by the ending of the name
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// The beginning of the names of those whose progress is plotted
    #[arg(long, value_name = "PREFIX", requires = "plot")]
    versions: Option<String>,

    /// What the plot is called
    #[arg(long, value_name = "TEXT", requires = "plot")]
    title: Option<String>,

    /// Print the ratings as JSON
    #[arg(long)]
    json: bool,
}

fn parse_anchor(text: &str) -> anyhow::Result<(String, f64)> {
    let expected = || format!("'{text}' is no anchor, expected NAME=RATING");
    let (name, rating) = text.rsplit_once('=').with_context(expected)?;
    let rating: f64 = rating.trim().parse().with_context(expected)?;
    ensure!(rating.is_finite(), expected());
    Ok((name.to_owned(), rating))
}

impl Rate {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        if let Some(path) = &self.plot {
            plot::Format::of(path)?; // a wrong name is better known before the work than after it
        }
        let tournament = Tournament::read(&self.files)?;
        let (ratings, errors) = self.rate(&tournament)?;
        let report = Report { tournament: &tournament, ratings: &ratings, errors: &errors };
        if self.json {
            say!("{:#}", report.json());
        } else {
            say!("{}", report.table().trim_end());
        }
        if let Some(path) = &self.plot {
            let style = match &self.versions {
                Some(prefix) => Style::Versions(prefix),
                None => Style::Ranking,
            };
            picture::draw(path, self.title.as_deref(), style, &report)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn rate(&self, tournament: &Tournament) -> anyhow::Result<(Ratings, Errors)> {
        let scale = match &self.anchor {
            None => Scale::Mean(self.mean),
            Some((name, rating)) => {
                let player = tournament
                    .player(name)
                    .with_context(|| format!("the anchor '{name}' plays in none of the games"))?;
                Scale::Anchor { player, rating: *rating }
            }
        };
        let options = Options { scale, white_advantage: self.white_advantage, prior: self.prior };
        let ratings = match rating::fit(&tournament.games, &options) {
            Ok(ratings) => ratings,
            Err(rating::RatingError::Anchor { player }) => {
                let name = &tournament.names[player];
                bail!(
                    "the anchor '{name}' has no rating: it has not both gained and lost points, --prior helps"
                )
            }
            Err(error) => return Err(error.into()),
        };
        let errors = rating::errors(&tournament.games, &options, &ratings, self.simulations, self.seed);
        Ok((ratings, errors))
    }
}

/// A standing in words, for those without a number.
pub(crate) fn unrated(standing: Standing) -> &'static str {
    match standing {
        Standing::Rated(_) => "rated",
        Standing::Above => "above all",
        Standing::Below => "below all",
        Standing::Apart => "apart",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_anchor_is_a_name_and_a_rating() {
        assert_eq!(parse_anchor("a=b=-12.5").unwrap(), ("a=b".to_owned(), -12.5));
        for text in ["", "name", "name=", "name=strong", "name=inf"] {
            let error = format!("{:#}", parse_anchor(text).unwrap_err());
            assert!(error.starts_with(&format!("'{text}' is no anchor")), "{error}");
        }
    }
}
