// SPDX-License-Identifier: GPL-3.0-or-later
//! Portable Game Notation, in and out.
//!
//! `bytes -> Reader -> events -> Game -> text`. The [`Reader`] knows tokens and nothing of chess: whoever
//! wants moves resolves them, as [`Reader::next_game`] does; whoever wants only names and results takes
//! [`Reader::next_heading`] and pays for no board. Archives too large for that patience go through [`bulk`].

pub mod bulk;
mod error;
mod game;
mod reader;
mod scan;
mod tags;

use rules::{Color, Outcome};

pub use error::PgnError;
pub use game::{Game, Heading, Ply};
pub use reader::{Event, Reader};
pub use tags::Tags;

/// `1-0`, `0-1`, `1/2-1/2`, or `*` for a game without an end.
pub const fn result_text(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Win(Color::White)) => "1-0",
        Some(Outcome::Win(Color::Black)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        None => "*",
    }
}

/// The outcome that a word means; the outer `None` says that the word is no result at all.
pub fn parse_result(word: &str) -> Option<Option<Outcome>> {
    Some(match word {
        "1-0" => Some(Outcome::Win(Color::White)),
        "0-1" => Some(Outcome::Win(Color::Black)),
        "1/2-1/2" | "1/2" | "½-½" => Some(Outcome::Draw),
        "*" => None,
        _ => return None,
    })
}
