// SPDX-License-Identifier: GPL-3.0-or-later
//! How games and positions are written: `bytes -> games, positions, openings` and back.
//!
//! PGN for games, EPD for positions, Polyglot for opening books, each plain or compressed. Readers take
//! whatever a file has to say and name the line of everything they refuse; nothing here plays or judges.

pub mod book;
pub mod epd;
mod open;
pub mod pgn;
pub mod polyglot;
mod shuffle;

pub use open::open;
