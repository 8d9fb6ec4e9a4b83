// SPDX-License-Identifier: GPL-3.0-or-later
//! Blume's arrays for numpy: positions as `(n, 833)` truth values, moves as `(n,)` 16-bit numbers.
//!
//! Each square has thirteen inputs, a1 first: empty, then the white pieces from pawn to king, then the black
//! ones; the last of all inputs is true if White is to move. A move is `64 · from + to`; castling is the king's
//! step, promotions are not told apart. Files are numpy's format 1.0.

mod header;
mod reader;
mod writer;

use rules::{
    Color,
    chess::{Board, Move, Square, Wing},
};

pub use reader::{InputsReader, OutputsReader, position};
pub use writer::{InputsWriter, OutputsWriter};

/// What a file begins with.
pub const MAGIC: &[u8] = b"\x93NUMPY";

/// The truth values of a position.
pub const INPUTS: usize = 64 * STATES + 1;

/// What may stand on a square: nothing, or one of twelve pieces.
const STATES: usize = 13;

/// The truth values of a position, each 0 or 1.
pub fn input_row(board: &Board) -> [u8; INPUTS] {
    let mut row = [0; INPUTS];
    for square in Square::all() {
        let state =
            board.piece_on(square).map_or(0, |piece| 1 + piece.role().index() + 6 * piece.color().index());
        row[square.index() * STATES + state] = 1;
    }
    row[INPUTS - 1] = u8::from(board.turn() == Color::White);
    row
}

/// The number of a move of `board`'s side to move.
pub fn output(board: &Board, m: Move) -> u16 {
    let to = match m.is_castle() {
        true => Wing::of(m.from(), m.to()).king_destination(board.turn()),
        false => m.to(),
    };
    64 * m.from().index() as u16 + to.index() as u16
}
