// SPDX-License-Identifier: GPL-3.0-or-later
//! Reading chains as games.

use std::io::BufRead;

use super::{
    MAGIC, MAX_CHUNK,
    bits::BitReader,
    numbers::{from_file, to_file, unfolded},
    stem::{self, Stem},
    steps,
};
use crate::{
    bytes::Counted,
    error::{Place, Problem, ReadError},
    games::{GameRecord, MAX_PLIES},
};

/// Reads chains. As nothing says where a chain ends but the chain itself, a damaged one costs the rest of its
/// chunk.
#[derive(Debug)]
pub struct Reader<R> {
    input: Counted<R>,
    chunk: Vec<u8>,
    /// Where in the file the chunk begins, and how much of it has been read.
    begin: u64,
    at: usize,
    over: bool,
}

impl<R: BufRead> Reader<R> {
    /// A reader at the beginning of a file.
    pub fn new(input: R) -> Reader<R> {
        Reader { input: Counted::new(input, 0), chunk: Vec::new(), begin: 0, at: 0, over: false }
    }

    /// Reads the next chunk; tells whether there is one.
    fn next_chunk(&mut self) -> Result<bool, ReadError> {
        if self.input.is_at_end()? {
            return Ok(false);
        }
        let at = Place::Byte(self.input.offset());
        if self.input.array("the head of a chunk")? != MAGIC {
            let problem = Problem::value("head of a chunk", "of another kind", "BINP");
            return Err(ReadError::fatal(at, problem));
        }
        let length = u32::from_le_bytes(self.input.array("the head of a chunk")?);
        if length > MAX_CHUNK {
            let (found, limit) = (length.into(), MAX_CHUNK.into());
            return Err(ReadError::fatal(
                at,
                Problem::TooLong { what: "a chunk", found, unit: "bytes", limit },
            ));
        }
        self.begin = self.input.offset();
        self.chunk = self.input.vector(length.into(), "a chunk")?;
        self.at = 0;
        Ok(true)
    }

    /// Reads the next chain of the chunk.
    fn next_chain(&mut self) -> Result<GameRecord, Problem> {
        let rest = &self.chunk[self.at..];
        let (stem, rest) = rest.split_first_chunk::<{ stem::BYTES }>().ok_or(Problem::Cut("a stem"))?;
        let (count, rest) = rest.split_first_chunk::<2>().ok_or(Problem::Cut("a chain"))?;
        let Stem { mut board, m, score, outcome } = Stem::from_bytes(stem)?;
        let mut game = GameRecord::new(board, outcome);
        let mut expected = to_file(score, board.turn()).wrapping_neg();
        game.moves.push((m, score));
        board.play(m);
        let count = u16::from_be_bytes(*count);
        if usize::from(count) >= MAX_PLIES {
            let (found, limit) = (u64::from(count) + 1, MAX_PLIES as u64);
            return Err(Problem::TooLong { what: "a chain", found, unit: "half-moves", limit });
        }
        let mut bits = BitReader::new(rest);
        for _ in 0..count {
            let m = steps::get(&mut bits, &board)?;
            let change = bits.get_variable().ok_or(Problem::Cut("a score"))?;
            let in_file = expected.wrapping_add(unfolded(change));
            game.moves.push((m, from_file(in_file, board.turn())));
            expected = in_file.wrapping_neg();
            board.play(m);
        }
        self.at += stem.len() + 2 + bits.bytes_read();
        Ok(game)
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<GameRecord, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.at >= self.chunk.len() {
            if self.over {
                return None;
            }
            match self.next_chunk() {
                Ok(true) => {}
                Ok(false) => self.over = true,
                Err(error) => {
                    (self.over, self.at) = (true, self.chunk.len());
                    return Some(Err(error));
                }
            }
        }
        let place = Place::Byte(self.begin + self.at as u64);
        Some(self.next_chain().map_err(|problem| {
            self.at = self.chunk.len();
            ReadError::skipped(place, problem)
        }))
    }
}
