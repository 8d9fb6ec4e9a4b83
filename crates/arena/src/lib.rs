// SPDX-License-Identifier: GPL-3.0-or-later
//! How programs play each other: `descriptions -> players -> games -> results that survive interruption`.
//!
//! A [`Player`] is a UCI program behind a pipe or our own engine without one. [`play_game`] referees one
//! game, [`Match`] plays a whole schedule in several slots at once, and a [`Ledger`] keeps its books. [`Duels`]
//! are games of one engine against itself with other options, for tuners. What results mean is for `contest` to say, and nothing here prints.

mod duel;
mod fault;
mod fingerprint;
mod game;
mod journal;
mod ledger;
mod matches;
mod opinion;
mod overhead;
mod own;
mod pgn;
mod pgn_file;
mod player;
mod process;
mod record;
mod result;
mod slot;
mod spec;
mod standings;
mod start;

pub use duel::{Duel, DuelResult, Duels};
pub use fault::{Fault, FaultCounts, Offence};
pub use fingerprint::fingerprint;
pub use game::{Conditions, play_game};
pub use journal::{Difference, Settings, StateError, first_difference, lock};
pub use ledger::{Files, Ledger};
pub use matches::{Finished, Match, opening};
pub use opinion::Opinion;
pub use overhead::Overhead;
pub use own::OwnPlayer;
pub use pgn::{Labels, to_pgn};
pub use player::{Patience, Player, Proposal, Question, Thought};
pub use process::UciPlayer;
pub use record::{Ending, GameRecord, MoveMade, Termination};
pub use result::GameResult;
pub use spec::{EngineSpec, ParseSpecError, Program};
pub use standings::{Row, Standings};
pub use start::{StartError, start};
