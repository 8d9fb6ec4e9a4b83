// SPDX-License-Identifier: GPL-3.0-or-later
//! The report on a whole game: evaluation, accuracy, mistakes.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use super::{MoveText, Score};

/// What the engine makes of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Report {
    /// The positions, the first before any move.
    pub positions: Vec<JudgedPosition>,
    /// How White played; none if White did not move.
    pub white: Option<SideReport>,
    /// How Black played; none if Black did not move.
    pub black: Option<SideReport>,
}

/// A position and the move that led to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct JudgedPosition {
    /// The study's node; none in a game.
    pub node: Option<String>,
    /// The move that led here; none for the first position.
    pub played: Option<MoveText>,
    /// Its worth.
    pub score: Score,
    /// White's winning chances in percent: a draw counts half.
    pub win: f64,
    /// How exactly the move that led here was played, 0 to 100.
    pub accuracy: Option<f64>,
    /// What is wrong with that move.
    pub judgement: Option<Judgement>,
    /// The move that should have been played in its place, if another.
    pub better: Option<MoveText>,
}

/// How bad a move is, by the winning chances it lost.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// 5 to 10 percent lost.
    Inaccuracy,
    /// 10 to 20 percent lost.
    Mistake,
    /// More than 20 percent lost.
    Blunder,
}

/// How one side played.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct SideReport {
    /// How exactly, 0 to 100.
    pub accuracy: f64,
    /// Winning chances lost per move in percent.
    pub mean_loss: f64,
    /// How many inaccuracies.
    pub inaccuracies: u32,
    /// How many mistakes.
    pub mistakes: u32,
    /// How many blunders.
    pub blunders: u32,
}
