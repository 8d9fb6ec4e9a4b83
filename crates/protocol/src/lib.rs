// SPDX-License-Identifier: GPL-3.0-or-later
//! The languages Nue's programs speak to each other: `one line of text <-> one value`.
//!
//! Grammars only. Nothing here reads, writes, keeps state or knows the rules of a game: moves and
//! positions stay text until somebody with a board resolves them.

pub mod uci;
