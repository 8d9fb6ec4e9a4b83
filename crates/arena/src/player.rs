// SPDX-License-Identifier: GPL-3.0-or-later
//! The seam between the referee and those who play.

use std::time::{Duration, Instant};

use contest::Clock;
use engine::Controls;
use protocol::uci::OptionOffer;
use rules::{
    Color,
    chess::{Board, Game, Move},
};

use crate::{Offence, Opinion};

/// Somebody who can be asked for moves: a program behind a pipe, or an engine inside this one.
pub trait Player {
    /// The options that can be set.
    fn offers(&self) -> &[OptionOffer];

    /// Sets options, name and value, between two games.
    ///
    /// # Errors
    /// When the player does not take them.
    fn set_options(&mut self, options: &[(String, String)]) -> Result<(), Offence>;

    /// Gets ready for another game.
    ///
    /// # Errors
    /// When the player does not; it has lost that game then.
    fn new_game(&mut self) -> Result<(), Offence>;

    /// Asks for a move and waits for it.
    fn think(&mut self, question: &Question<'_>) -> Thought;
}

/// Where a game stands, as a player is asked about it.
#[derive(Copy, Clone)]
pub struct Question<'a> {
    /// The position that the moves start from.
    pub start: &'a Board,
    /// All moves since, those of the opening included.
    pub moves: &'a [Move],
    /// The same as a game, for those who share our memory.
    pub game: &'a Game,
    /// Both clocks.
    pub clock: &'a Clock,
    /// Ends the thinking of those who share our memory when nobody waits for the move any more.
    pub stop: &'a Controls,
}

impl Question<'_> {
    /// Who is asked.
    pub fn color(&self) -> Color {
        self.game.board().turn()
    }
}

/// What came of asking for a move.
#[derive(Clone, Debug)]
pub struct Thought {
    /// When the player was asked.
    pub asked: Instant,
    /// When the answer was there.
    pub answered: Instant,
    /// The answer.
    pub answer: Result<Proposal, Offence>,
}

impl Thought {
    /// How long the player thought; our own work before and after is not in it.
    pub fn time(&self) -> Duration {
        self.answered.saturating_duration_since(self.asked)
    }
}

/// A move that a player wants to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The move as the player wrote it; the referee has not looked at it yet. Nothing if there is none.
    pub text: Option<String>,
    /// What the player thinks of its position.
    pub opinion: Option<Opinion>,
}

/// How long to wait for what no clock limits.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For the answer to `uci`, and to the first `isready`.
    pub start: Duration,
    /// For the answer to `isready` before a game.
    pub ready: Duration,
    /// For a move that is limited by nodes or depth.
    pub thought: Duration,
    /// For the answer to `stop`, once the time is over.
    pub stop: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        let seconds = Duration::from_secs;
        Patience { start: seconds(30), ready: seconds(30), thought: seconds(120), stop: seconds(5) }
    }
}
