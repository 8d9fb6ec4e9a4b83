// SPDX-License-Identifier: GPL-3.0-or-later
//! What `nue rate` says: a table, and the same as JSON.

use contest::rating::{Errors, Ratings, Standing};
use serde_json::{Value, json};

use super::{games::Tournament, unrated};

/// Rated games.
pub(crate) struct Report<'a> {
    pub(crate) tournament: &'a Tournament,
    pub(crate) ratings: &'a Ratings,
    pub(crate) errors: &'a Errors,
}

impl Report<'_> {
    /// The players from the best to the worst; those without a number where they belong, the rest last.
    pub(crate) fn ranking(&self) -> Vec<usize> {
        let mut players: Vec<usize> = (0..self.tournament.names.len()).collect();
        let height = |player: &usize| match self.ratings.standings[*player] {
            Standing::Above => (2, 0.0),
            Standing::Rated(rating) => (1, rating),
            Standing::Below => (0, 0.0),
            Standing::Apart => (-1, 0.0),
        };
        players.sort_by(|a, b| height(b).partial_cmp(&height(a)).expect("ratings are numbers"));
        players
    }

    /// For people.
    pub(crate) fn table(&self) -> String {
        let (names, records) = (&self.tournament.names, self.tournament.games.records());
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("player".len());
        let mut text = format!(
            "{:>4}  {:<width$} {:>9} {:>7} {:>7} {:>9} {:>7} {:>6} {:>6} {:>6}\n",
            "rank", "player", "rating", "error", "games", "points", "score", "W", "D", "L"
        );
        for (rank, player) in self.ranking().into_iter().enumerate() {
            let record = records[player];
            let rating = match self.ratings.standings[player] {
                Standing::Rated(rating) => format!("{rating:.1}"),
                other => unrated(other).to_owned(),
            };
            let error =
                self.errors.ratings[player].map_or_else(|| "-".to_owned(), |error| format!("{error:.1}"));
            let games = record.samples();
            text.push_str(&format!(
                "{:>4}  {:<width$} {rating:>9} {error:>7} {games:>7} {:>9.1} {:>6.1}% {:>6} {:>6} {:>6}\n",
                rank + 1,
                names[player],
                record.score() * f64::from(games),
                100.0 * record.score(),
                record.wins(),
                record.draws(),
                record.losses(),
            ));
        }
        text.push_str(&self.summary());
        text
    }

    fn summary(&self) -> String {
        let with_error = |value: f64, error: Option<f64>| match error {
            Some(error) => format!("{value:.1} ± {error:.1}"),
            None => format!("{value:.1}"),
        };
        let (ratings, errors) = (self.ratings, self.errors);
        let mut text = format!(
            "White's advantage {} Elo; {} % draws between equals; {} games",
            with_error(ratings.white_advantage, errors.white_advantage),
            with_error(100.0 * ratings.draw_rate, errors.draw_rate.map(|error| 100.0 * error)),
            self.tournament.games.count(),
        );
        if self.tournament.unfinished > 0 {
            text.push_str(&format!(", {} without a result left out", self.tournament.unfinished));
        }
        text.push('\n');
        text
    }

    /// For programs.
    pub(crate) fn json(&self) -> Value {
        let records = self.tournament.games.records();
        let player = |player: usize| {
            let record = records[player];
            let standing = self.ratings.standings[player];
            json!({
                "name": self.tournament.names[player],
                "rating": standing.rating(),
                "error": self.errors.ratings[player],
                "standing": unrated(standing),
                "games": record.samples(),
                "wins": record.wins(),
                "draws": record.draws(),
                "losses": record.losses(),
                "score": record.score(),
            })
        };
        json!({
            "players": self.ranking().into_iter().map(player).collect::<Vec<_>>(),
            "white_advantage": { "value": self.ratings.white_advantage, "error": self.errors.white_advantage },
            "draw_rate": { "value": self.ratings.draw_rate, "error": self.errors.draw_rate },
            "games": self.tournament.games.count(),
            "unfinished": self.tournament.unfinished,
        })
    }
}
