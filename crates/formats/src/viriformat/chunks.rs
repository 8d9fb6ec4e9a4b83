// SPDX-License-Identifier: GPL-3.0-or-later
//! Whole games by the megabyte, for readers on several threads.

use std::io::BufRead;

use super::{Reader, frames::Frames};
use crate::{bytes::Counted, error::ReadError};

/// Some games of a file, one after the other, not looked into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Where in the file the first game begins; exact for files without extensions.
    pub offset: u64,
    /// The games.
    pub bytes: Vec<u8>,
    /// How many they are.
    pub games: usize,
}

impl Chunk {
    /// Reads the games.
    pub fn records(&self) -> Reader<&[u8]> {
        Reader::at(self.bytes.as_slice(), self.offset)
    }
}

/// Cuts a file into chunks of whole games.
#[derive(Debug)]
pub struct Chunks<R> {
    frames: Frames<R>,
    target: usize,
    /// What is wrong behind the chunk handed out last.
    pending: Option<ReadError>,
}

impl<R: BufRead> Chunks<R> {
    /// Chunks that end with the first game to reach `target` bytes.
    pub fn new(input: R, target: usize) -> Chunks<R> {
        Chunks { frames: Frames::new(Counted::new(input, 0)), target, pending: None }
    }
}

impl<R: BufRead> Iterator for Chunks<R> {
    type Item = Result<Chunk, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = self.pending.take() {
            return Some(Err(error));
        }
        let mut chunk = Chunk { offset: 0, bytes: Vec::with_capacity(self.target), games: 0 };
        while chunk.bytes.len() < self.target {
            match self.frames.next_into(&mut chunk.bytes) {
                None => break,
                Some(Ok(at)) => {
                    if chunk.games == 0 {
                        chunk.offset = at;
                    }
                    chunk.games += 1;
                }
                Some(Err(error)) if chunk.games == 0 => return Some(Err(error)),
                Some(Err(error)) => {
                    self.pending = Some(error);
                    break;
                }
            }
        }
        (chunk.games > 0).then_some(Ok(chunk))
    }
}
