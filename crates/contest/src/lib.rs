// SPDX-License-Identifier: GPL-3.0-or-later
//! How results are counted: `games -> counts -> estimates and decisions`.
//!
//! Clocks, schedules, adjudication, Elo with its error, sequential tests, ratings, parameter tuning.
//! Everything here is a function of its arguments: nothing reads a clock or a file. Time is
//! passed in as durations, chance as a seed.

pub mod adjudicate;
mod clock;
mod elo;
mod glicko2;
mod likelihood;
mod normal;
pub mod pairing;
pub mod rating;
mod sprt;
pub mod spsa;
mod tally;
mod time_control;

pub use clock::{Clock, FlagFall};
pub use elo::{NORMALISED_ELO_PER_T, elo_of_score, score_of_elo};
pub use glicko2::Glicko;
pub use rules::Random;
pub use sprt::{EloModel, ParseEloModelError, Sprt, SprtError, Verdict};
pub use tally::{Estimate, Pentanomial, Tally, Trinomial, half_points};
pub use time_control::{ParseTimeControlError, TimeControl};
