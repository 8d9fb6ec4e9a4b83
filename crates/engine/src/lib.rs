// SPDX-License-Identifier: GPL-3.0-or-later
//! How a move is found: evaluation, search, and the UCI program around them.
//!
//! [`Engine::search`] takes a game and limits, reports as it goes and returns its choice; [`uci`] is
//! the same behind the protocol that chess programs speak.

pub mod bench;
pub mod eval;
mod limits;
pub mod params;
mod report;
mod search;
mod time;
pub mod uci;
pub mod wdl;

pub use limits::{Clock, Controls, Evaluation, Limits, Options};
pub use report::{Bound, Choice, Report, Score};
pub use search::{ConfigureError, Engine, Tablebases};
