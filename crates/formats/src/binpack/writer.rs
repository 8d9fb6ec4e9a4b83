// SPDX-License-Identifier: GPL-3.0-or-later
//! Writing games as chains.

use std::io::{self, Write};

use thiserror::Error;

use super::{
    MAGIC,
    bits::BitWriter,
    numbers::{folded, to_file},
    stem::{Stem, check_standard},
    steps,
};
use crate::games::GameRecord;

/// Chunks end with the first chain to reach this size.
const CHUNK: usize = 1 << 20;

/// Longer runs of moves begin a new chain: other readers reserve little more for one.
const LONGEST_CHAIN: usize = 8 << 10;

/// A game that cannot be written.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the message of each variant says what it and its fields mean")]
pub enum WriteError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("binpack knows castling only from the squares of standard chess, found {0}")]
    Chess960(String),
}

/// Writes games; [`Writer::finish`] writes the last ones.
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
    chunk: Vec<u8>,
}

/// A chain in the making.
#[derive(Debug, Default)]
struct Moves {
    bits: BitWriter,
    count: u16,
    /// The last score as the other side sees it.
    expected: i16,
}

impl<W: Write> Writer<W> {
    /// A writer at the beginning of a file; the format has no header.
    pub fn new(output: W) -> Writer<W> {
        Writer { output, chunk: Vec::new() }
    }

    /// Adds a game; one without moves leaves no trace.
    ///
    /// # Errors
    /// When the output cannot be written, or somebody may castle as in Chess960.
    pub fn push(&mut self, game: &GameRecord) -> Result<(), WriteError> {
        check_standard(&game.start).map_err(|_| WriteError::Chess960(game.start.to_shredder_fen()))?;
        let mut chain: Option<Moves> = None;
        for (board, m, score) in game.boards() {
            let in_file = to_file(score, board.turn());
            if let Some(moves) = &mut chain
                && moves.bits.bytes().len() < LONGEST_CHAIN
            {
                steps::put(&mut moves.bits, &board, m);
                moves.bits.put_variable(folded(in_file.wrapping_sub(moves.expected)));
                moves.count += 1;
                moves.expected = in_file.wrapping_neg();
                continue;
            }
            self.end_chain(chain.take());
            self.chunk.extend(Stem { board, m, score, outcome: game.outcome }.to_bytes());
            chain = Some(Moves { expected: in_file.wrapping_neg(), ..Moves::default() });
        }
        self.end_chain(chain);
        if self.chunk.len() >= CHUNK { Ok(self.flush_chunk()?) } else { Ok(()) }
    }

    fn end_chain(&mut self, chain: Option<Moves>) {
        if let Some(moves) = chain {
            self.chunk.extend(moves.count.to_be_bytes());
            self.chunk.extend(moves.bits.bytes());
        }
    }

    /// Writes the last chunk and hands back the output.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush_chunk()?;
        self.output.flush()?;
        Ok(self.output)
    }

    fn flush_chunk(&mut self) -> io::Result<()> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        self.output.write_all(&MAGIC)?;
        self.output.write_all(&(self.chunk.len() as u32).to_le_bytes())?;
        self.output.write_all(&self.chunk)?;
        self.chunk.clear();
        Ok(())
    }
}
