// SPDX-License-Identifier: GPL-3.0-or-later
//! Whole games by the megabyte, with the lines on which they begin.

use std::io::{BufRead, Read};

use memchr::memchr_iter;

use super::{BulkReader, cut::Cuts};
use crate::error::{Place, Problem, ReadError};

/// A single game beyond this is refused: the text is no PGN, or somebody wants to fill the memory.
const LONGEST_GAME: usize = 8 << 20;

/// Some games of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The line of the file with which the text begins.
    pub first_line: u64,
    /// The games.
    pub text: Vec<u8>,
}

impl Chunk {
    /// Reads the games.
    pub fn games(&self) -> BulkReader<'_> {
        BulkReader::new(&self.text, self.first_line)
    }
}

/// Cuts a stream into chunks of whole games.
#[derive(Debug)]
pub struct Chunks<R> {
    input: R,
    target: usize,
    /// What was read and not handed out: the beginning of a game.
    text: Vec<u8>,
    line: u64,
    over: bool,
    /// The text is the rest of a game that was too long.
    refusing: bool,
}

impl<R: BufRead> Chunks<R> {
    /// Chunks of about `target` bytes, more if a game is longer.
    pub fn new(input: R, target: usize) -> Chunks<R> {
        Chunks { input, target: target.max(1), text: Vec::new(), line: 1, over: false, refusing: false }
    }

    /// Appends up to `target` bytes to the text; at the end of the stream there are none.
    fn fill(&mut self) -> Result<(), ReadError> {
        let length = self.input.by_ref().take(self.target as u64).read_to_end(&mut self.text);
        match length {
            Ok(length) => self.over = length == 0,
            Err(cause) => {
                self.over = true;
                let line = self.line + memchr_iter(b'\n', &self.text).count() as u64;
                return Err(ReadError::fatal(Place::Line(line), cause));
            }
        }
        Ok(())
    }

    /// Hands out the text up to `end`.
    fn cut(&mut self, end: usize) -> Chunk {
        let rest = self.text.split_off(end);
        let text = std::mem::replace(&mut self.text, rest);
        let first_line = self.line;
        self.line += memchr_iter(b'\n', &text).count() as u64;
        Chunk { first_line, text }
    }
}

impl<R: BufRead> Iterator for Chunks<R> {
    type Item = Result<Chunk, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.over {
            if let Err(error) = self.fill() {
                return Some(Err(error));
            }
            if self.over {
                break;
            }
            if self.refusing {
                // A line with a tag is as good a beginning as any; before one comes, nothing is kept.
                let begin = memchr::memmem::find(&self.text, b"\n[");
                self.refusing = begin.is_none();
                let end = begin.map_or(self.text.len().saturating_sub(1), |at| at + 1);
                self.cut(end);
            }
            if self.text.len() < self.target {
                continue;
            }
            if let Some(end) = Cuts::new(&self.text).last() {
                return Some(Ok(self.cut(end)));
            }
            if self.text.len() > LONGEST_GAME {
                self.refusing = true;
                let (found, limit) = (self.text.len() as u64, LONGEST_GAME as u64);
                let problem = Problem::TooLong { what: "a game", found, unit: "bytes or more", limit };
                return Some(Err(ReadError::skipped(Place::Line(self.line), problem)));
            }
        }
        if self.refusing || self.text.is_empty() {
            return None;
        }
        let end = self.text.len();
        Some(Ok(self.cut(end)))
    }
}
