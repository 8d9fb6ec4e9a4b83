// SPDX-License-Identifier: GPL-3.0-or-later
//! Writing arrays of which nobody knows yet how long they get.

use std::io::{self, Seek, SeekFrom, Write};

use rules::chess::{Board, Move};

use super::{INPUTS, header, input_row, output};

/// Writes positions.
#[derive(Debug)]
pub struct InputsWriter<W>(Array<W>);

impl<W: Write + Seek> InputsWriter<W> {
    /// Begins an array.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn new(output: W) -> io::Result<InputsWriter<W>> {
        Array::new(output, "|b1", Some(INPUTS)).map(InputsWriter)
    }

    /// Adds a position.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn push(&mut self, board: &Board) -> io::Result<()> {
        self.0.push(&input_row(board))
    }

    /// Writes the number of positions into the header and hands back the output.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn finish(self) -> io::Result<W> {
        self.0.finish()
    }
}

/// Writes moves.
#[derive(Debug)]
pub struct OutputsWriter<W>(Array<W>);

impl<W: Write + Seek> OutputsWriter<W> {
    /// Begins an array.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn new(output: W) -> io::Result<OutputsWriter<W>> {
        Array::new(output, "<u2", None).map(OutputsWriter)
    }

    /// Adds a move of a position.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn push(&mut self, board: &Board, m: Move) -> io::Result<()> {
        self.0.push(&output(board, m).to_le_bytes())
    }

    /// Writes the number of moves into the header and hands back the output.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn finish(self) -> io::Result<W> {
        self.0.finish()
    }
}

#[derive(Debug)]
struct Array<W> {
    output: W,
    descr: &'static str,
    columns: Option<usize>,
    rows: u64,
}

impl<W: Write + Seek> Array<W> {
    fn new(mut output: W, descr: &'static str, columns: Option<usize>) -> io::Result<Array<W>> {
        output.write_all(&header::write(descr, 0, columns))?;
        Ok(Array { output, descr, columns, rows: 0 })
    }

    fn push(&mut self, row: &[u8]) -> io::Result<()> {
        self.rows += 1;
        self.output.write_all(row)
    }

    fn finish(mut self) -> io::Result<W> {
        self.output.seek(SeekFrom::Start(0))?;
        self.output.write_all(&header::write(self.descr, self.rows, self.columns))?;
        self.output.seek(SeekFrom::End(0))?;
        self.output.flush()?;
        Ok(self.output)
    }
}
