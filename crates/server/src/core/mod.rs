// SPDX-License-Identifier: GPL-3.0-or-later
//! The rules of the house, without any input or output: what a game, a study, a turn of searching is.
//!
//! Nothing here waits, reads a clock or knows a socket: time is passed in as milliseconds of some monotonic clock, and
//! every change is an event that can be stored and played again.

pub mod clock;
pub mod game_event;
pub mod openings;
pub mod pgn;
pub mod play;
#[cfg(test)]
mod play_tests;
pub mod report;
#[cfg(test)]
mod report_tests;
pub mod study;
#[cfg(test)]
mod study_tests;
pub mod turns;
#[cfg(test)]
mod turns_tests;

use rules::{
    Color,
    chess::{Board, FenError},
};
use thiserror::Error;

use crate::message::{Colour, Refusal};

/// Milliseconds of a clock that never goes back.
pub type Millis = u64;

/// Why something was not done; nothing changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct Refused {
    /// For programs.
    pub why: Refusal,
    /// For people.
    pub reason: String,
}

impl Refused {
    /// A refusal with its reason.
    pub fn new(why: Refusal, reason: impl Into<String>) -> Refused {
        Refused { why, reason: reason.into() }
    }
}

impl From<FenError> for Refused {
    fn from(error: FenError) -> Refused {
        Refused::new(Refusal::Invalid, error.to_string())
    }
}

/// Checks a name that a client made up, `shortest` to 40 letters, digits, `-` or `_`.
///
/// # Errors
/// When the name has another form.
pub fn check_name(name: &str, shortest: usize) -> Result<(), Refused> {
    let fits = (shortest..=40).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if fits {
        return Ok(());
    }
    let shown: String = name.chars().take(60).collect();
    let reason = format!("'{shown}' is no name, expected {shortest} to 40 letters, digits, '-' or '_'");
    Err(Refused::new(Refusal::Invalid, reason))
}

/// The position where a game or study begins.
///
/// # Errors
/// When the text is no legal position.
pub fn start_board(fen: Option<&str>) -> Result<Board, Refused> {
    fen.map_or_else(|| Ok(Board::start()), |fen| Ok(Board::from_fen(fen)?))
}

/// The text of a position: with castling files where Chess960 needs them.
pub fn fen_of(board: &Board, chess960: bool) -> String {
    if chess960 { board.to_shredder_fen() } else { board.to_string() }
}

impl From<Color> for Colour {
    fn from(color: Color) -> Colour {
        match color {
            Color::White => Colour::White,
            Color::Black => Colour::Black,
        }
    }
}

impl From<Colour> for Color {
    fn from(colour: Colour) -> Color {
        match colour {
            Colour::White => Color::White,
            Colour::Black => Color::Black,
        }
    }
}
