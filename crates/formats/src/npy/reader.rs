// SPDX-License-Identifier: GPL-3.0-or-later
//! Reading arrays back.

use std::io::BufRead;

use rules::{
    Color,
    chess::{Board, Piece, Role, Setup, Square},
};

use super::{INPUTS, STATES, header};
use crate::{
    bytes::Counted,
    error::{Place, Problem, ReadError},
};

/// Reads positions; castling rights, en passant squares and counters are not in the array.
#[derive(Debug)]
pub struct InputsReader<R>(Rows<R>);

impl<R: BufRead> InputsReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// When the file is no array of truth values with 833 columns.
    pub fn new(input: R) -> Result<InputsReader<R>, ReadError> {
        Rows::new(input, "|b1", Some(INPUTS as u64)).map(InputsReader)
    }
}

impl<R: BufRead> Iterator for InputsReader<R> {
    type Item = Result<Board, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.0.next::<INPUTS>()?;
        Some(row.and_then(|(at, row)| {
            position(&row).map_err(|problem| ReadError::skipped(Place::Byte(at), problem))
        }))
    }
}

/// Reads moves as their two squares.
#[derive(Debug)]
pub struct OutputsReader<R>(Rows<R>);

impl<R: BufRead> OutputsReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// When the file is no array of 16-bit numbers with one dimension.
    pub fn new(input: R) -> Result<OutputsReader<R>, ReadError> {
        Rows::new(input, "<u2", None).map(OutputsReader)
    }
}

impl<R: BufRead> Iterator for OutputsReader<R> {
    type Item = Result<(Square, Square), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.0.next::<2>()?;
        Some(row.and_then(|(at, bytes)| match u16::from_le_bytes(bytes) {
            number @ 0..4096 => Ok((Square::new((number >> 6) as u8), Square::new((number & 63) as u8))),
            number => {
                let problem = Problem::value("number of a move", number, "at most 4095");
                Err(ReadError::skipped(Place::Byte(at), problem))
            }
        }))
    }
}

/// The position of a row.
///
/// # Errors
/// When a square has not exactly one state, or the position is not legal.
pub fn position(row: &[u8; INPUTS]) -> Result<Board, Problem> {
    let mut setup = Setup::EMPTY;
    for (square, states) in Square::all().zip(row.chunks_exact(STATES)) {
        let mut held = states.iter().enumerate().filter(|(_, value)| **value != 0).map(|(state, _)| state);
        let (Some(state), None) = (held.next(), held.next()) else {
            return Err(Problem::value("inputs of a square", square, "one of thirteen to be true"));
        };
        setup.squares[square.index()] = state.checked_sub(1).map(|piece| {
            let color = if piece < 6 { Color::White } else { Color::Black };
            Piece::new(color, Role::ALL[piece % 6])
        });
    }
    setup.turn = if row[INPUTS - 1] != 0 { Color::White } else { Color::Black };
    Ok(Board::from_setup(&setup)?)
}

/// The rows of an array, as many as its header says.
#[derive(Debug)]
struct Rows<R> {
    input: Counted<R>,
    left: u64,
}

impl<R: BufRead> Rows<R> {
    fn new(input: R, descr: &'static str, columns: Option<u64>) -> Result<Rows<R>, ReadError> {
        let mut input = Counted::new(input, 0);
        let left = header::read(&mut input, descr, columns)?;
        Ok(Rows { input, left })
    }

    fn next<const N: usize>(&mut self) -> Option<Result<(u64, [u8; N]), ReadError>> {
        self.left = self.left.checked_sub(1)?;
        let at = self.input.offset();
        let row = self.input.array("an array");
        if row.is_err() {
            self.left = 0;
        }
        Some(row.map(|row| (at, row)))
    }
}
