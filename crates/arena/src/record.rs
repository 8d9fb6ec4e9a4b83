// SPDX-License-Identifier: GPL-3.0-or-later
//! A finished game, and how it ended.

use std::time::Duration;

use formats::book::Opening;
use rules::{Color, Outcome, chess::Move};

use crate::{Fault, Offence, Opinion, Overhead};

/// What ended a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Termination {
    /// The rules of chess.
    Normal,
    /// The referee, while the game could have gone on.
    Adjudication,
    /// A player's fault, and whose.
    Fault(Color, Fault),
}

impl Termination {
    /// The word of the PGN standard.
    pub const fn pgn(self) -> &'static str {
        match self {
            Termination::Normal => "normal",
            Termination::Adjudication => "adjudication",
            Termination::Fault(_, Fault::FlagFall | Fault::Stall) => "time forfeit",
            Termination::Fault(_, Fault::IllegalMove | Fault::Garbage) => "rules infraction",
            Termination::Fault(_, Fault::NoHandshake | Fault::NotReady | Fault::Crash | Fault::Flood) => {
                "abandoned"
            }
        }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won.
    pub outcome: Outcome,
    /// What ended the game.
    pub termination: Termination,
    /// Why, in words.
    pub reason: String,
}

impl Ending {
    /// The loss of whoever committed an offence.
    pub(crate) fn by_offence(color: Color, offence: &Offence) -> Ending {
        Ending {
            outcome: Outcome::Win(!color),
            termination: Termination::Fault(color, offence.fault),
            reason: offence.by(color),
        }
    }
}

/// A move with what its player thought of it and how long that took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveMade {
    /// The move.
    pub m: Move,
    /// The player's view of the position.
    pub opinion: Option<Opinion>,
    /// The time the move took.
    pub time: Duration,
    /// What the clock showed afterwards, where one runs.
    pub left: Option<Duration>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// How it began.
    pub opening: Opening,
    /// The moves made after the opening.
    pub moves: Vec<MoveMade>,
    /// How long the loser thought at the end without making a move.
    pub wasted: Duration,
    /// How it ended.
    pub ending: Ending,
    /// Whether White and Black had died since their last game and were started again for this one.
    pub restarted: [bool; 2],
    /// The referee's own time between the moves.
    pub overhead: Overhead,
}

impl GameRecord {
    /// A game that was lost before its first move.
    pub(crate) fn forfeit(opening: Opening, color: Color, offence: &Offence) -> GameRecord {
        let ending = Ending::by_offence(color, offence);
        GameRecord {
            opening,
            moves: Vec::new(),
            wasted: Duration::ZERO,
            ending,
            restarted: [false; 2],
            overhead: Overhead::default(),
        }
    }

    /// How long a player thought in all.
    pub fn thinking_time(&self, color: Color) -> Duration {
        let begins = self.opening.board().turn() == color;
        let moves = self.moves.iter().skip(usize::from(!begins)).step_by(2).map(|made| made.time);
        let guilty = matches!(self.ending.termination, Termination::Fault(culprit, _) if culprit == color);
        moves.sum::<Duration>() + if guilty { self.wasted } else { Duration::ZERO }
    }
}
