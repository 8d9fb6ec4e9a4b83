// SPDX-License-Identifier: GPL-3.0-or-later
//! How games and positions are written: `bytes -> games, positions, openings` and back.
//!
//! PGN for games, EPD for positions, Polyglot for opening books, and the records that training lives on, each
//! plain or compressed. Readers take whatever a file has to say and name the place of everything they refuse;
//! nothing here plays or judges.
//!
//! Training data comes as whole games ([`games::GameRecord`], from [`viriformat`], [`archive`], [`binpack`] or
//! [`pgn::bulk`]) or as single positions ([`sample::Sample`], from [`sample`], [`marlin`], [`bullet`], [`lines`]
//! or [`plain`]). Every reader is an iterator that goes on behind a damaged record; [`pieces`]
//! reads any of them, for those who decode on several threads.

pub mod archive;
pub mod binpack;
pub mod book;
pub mod bullet;
mod bytes;
pub mod epd;
mod error;
mod fixed;
pub mod game_key;
pub mod games;
mod kind;
pub mod lines;
pub mod marlin;
mod moves;
pub mod npy;
mod open;
mod packed;
pub mod pgn;
pub mod pieces;
pub mod plain;
pub mod polyglot;
pub mod puzzles;
pub mod sample;
mod shuffle;
mod text;
pub mod viriformat;
mod zstd_stream;

pub use error::{Place, Problem, ReadError};
pub use fixed::Records;
pub use kind::Kind;
pub use open::{decompressed, open};
