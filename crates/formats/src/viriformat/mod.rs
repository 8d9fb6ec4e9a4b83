// SPDX-License-Identifier: GPL-3.0-or-later
//! viriformat: whole games, four bytes per move. The record of choice for engine games.
//!
//! A game is its start in 32 bytes, then a move and a score of two bytes each until four bytes are zero. The
//! format is described in the README of the crate `viriformat`; all numbers are little-endian, scores are
//! centipawns in White's view. Records that begin with eight zero bytes are extensions and are passed over.

mod chunks;
mod frames;
mod reader;

use std::io::{self, Write};

use rules::chess::{Board, Move, Square};

use crate::{
    error::Problem,
    games::{GameRecord, MAX_PLIES},
    moves::{Special, legal, promoted},
    packed::Packed,
};

pub use chunks::{Chunk, Chunks};
pub use reader::Reader;

/// A move and a score.
const PAIR: usize = 4;
const END: [u8; PAIR] = [0; PAIR];

/// Writes a game.
///
/// # Errors
/// When the output cannot be written, or the game has more than [`MAX_PLIES`] moves.
pub fn write(output: &mut impl Write, game: &GameRecord) -> io::Result<()> {
    if game.moves.len() > MAX_PLIES {
        let message = format!("game of {} half-moves, expected at most {MAX_PLIES}", game.moves.len());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    let GameRecord { start, outcome, start_score, extra, .. } = *game;
    output.write_all(&Packed { board: start, score: start_score, outcome, extra }.to_bytes())?;
    for &(m, score) in &game.moves {
        let ([a, b], [c, d]) = (move_code(m).to_le_bytes(), score.to_le_bytes());
        output.write_all(&[a, b, c, d])?;
    }
    output.write_all(&END)
}

/// A move in 16 bits: origin, destination, promotion and type.
fn move_code(m: Move) -> u16 {
    let kind = match Special::of(m) {
        Special::None => 0,
        Special::EnPassant => 1 << 14,
        Special::Castle => 2 << 14,
        Special::Promotion(role) => 3 << 14 | (role as u16 - 1) << 12,
    };
    m.from().index() as u16 | (m.to().index() as u16) << 6 | kind
}

/// The legal move of a code.
fn move_of(board: &Board, code: u16) -> Result<Move, Problem> {
    let special = match code >> 14 {
        0 => Special::None,
        1 => Special::EnPassant,
        2 => Special::Castle,
        _ => Special::Promotion(promoted(code >> 12)),
    };
    legal(board, Square::new(code as u8), Square::new((code >> 6) as u8), special)
}
