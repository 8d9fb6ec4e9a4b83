// SPDX-License-Identifier: GPL-3.0-or-later
//! Lists of games and studies, answered by `GET /api/games` and `GET /api/studies`, and imports by
//! `POST /api/import`.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use super::{ClockSetting, Colour, GameResult, Opening};

/// A page of games, newest change first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct GameList {
    /// The games.
    pub games: Vec<GameSummary>,
    /// Asks for the next page as the parameter `cursor`; none at the end.
    pub cursor: Option<String>,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct GameSummary {
    /// Its name.
    pub game: String,
    /// The human's side.
    pub human: Colour,
    /// The strength of the engine; full strength if not given.
    pub elo: Option<u32>,
    /// The clock.
    pub clock: Option<ClockSetting>,
    /// How many half-moves were played.
    pub plies: u32,
    /// The position now.
    pub fen: String,
    /// The last move in UCI form.
    pub last_move: Option<String>,
    /// How it ended; none while it goes on.
    pub result: Option<GameResult>,
    /// The name of the opening.
    pub opening: Option<Opening>,
    /// When it began, in milliseconds since 1970.
    pub created_ms: f64,
    /// When it last changed, in milliseconds since 1970.
    pub updated_ms: f64,
}

/// A page of studies, newest change first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct StudyList {
    /// The studies.
    pub studies: Vec<StudySummary>,
    /// Asks for the next page as the parameter `cursor`; none at the end.
    pub cursor: Option<String>,
}

/// A study in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct StudySummary {
    /// Its name.
    pub study: String,
    /// Its title.
    pub title: String,
    /// How many moves it holds, variations included.
    pub moves: u32,
    /// The position at the end of the main line.
    pub fen: String,
    /// The name of the main line's opening.
    pub opening: Option<Opening>,
    /// When it was created, in milliseconds since 1970.
    pub created_ms: f64,
    /// When it last changed, in milliseconds since 1970.
    pub updated_ms: f64,
}

/// What an import brought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Imported {
    /// A study for each game of the PGN.
    pub studies: Vec<String>,
    /// What could not be read, one sentence each.
    pub problems: Vec<String>,
}
