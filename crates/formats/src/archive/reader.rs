// SPDX-License-Identifier: GPL-3.0-or-later
//! Reading an archive block by block, and past damage to the next block.

use std::io::BufRead;

use super::{Block, MAGIC, MARKER, block::Head, crc::crc32};
use crate::{
    bytes::Counted,
    error::{Place, Problem, ReadError},
    games::GameRecord,
};

/// The blocks of an archive. Whatever is no block is one error and is passed over.
#[derive(Debug)]
pub struct Blocks<R> {
    input: Counted<R>,
    begun: bool,
    over: bool,
    /// A marker was read that belongs to the next block.
    marked: bool,
}

impl<R: BufRead> Blocks<R> {
    /// A reader at the beginning of a file.
    pub fn new(input: R) -> Blocks<R> {
        Blocks { input: Counted::new(input, 0), begun: false, over: false, marked: false }
    }

    fn read(&mut self) -> Result<Option<Block>, ReadError> {
        if !self.begun {
            let magic: [u8; MAGIC.len()] = self.input.array("the header")?;
            self.begun = true;
            if magic != MAGIC {
                let problem = Problem::value("header", "of another kind", "that of an archive of games");
                return Err(ReadError::fatal(Place::Byte(0), problem));
            }
        }
        let mut at = self.input.offset() - if self.marked { MARKER.len() as u64 } else { 0 };
        while !std::mem::take(&mut self.marked) {
            if self.input.is_at_end()? {
                return Ok(None);
            }
            at = self.input.offset();
            let start: [u8; MARKER.len()] = self.input.array("a block")?;
            if start == MARKER {
                break;
            }
            // A joined file brings its header along.
            let joined = start == MAGIC[..4] && self.input.array::<4>("a header")? == MAGIC[4..];
            if !joined {
                return Err(self.lost(at, start));
            }
        }
        let numbers = self.input.array("the head of a block")?;
        let Some(head) = Head::read(&numbers) else {
            return Err(self.lost(at, [0; 4]));
        };
        let payload = self.input.vector(head.length.into(), "a block")?;
        let computed = crc32(&payload);
        if computed != head.checksum {
            let problem = Problem::Checksum { computed, written: head.checksum };
            return Err(ReadError::skipped(Place::Byte(at), problem));
        }
        let (games, positions) = (head.games as usize, head.positions as usize);
        Ok(Some(Block { offset: at, games, positions, payload }))
    }

    /// Goes on to the next marker after something that is no block.
    fn lost(&mut self, at: u64, mut window: [u8; 4]) -> ReadError {
        let problem = Problem::value("block", "without a head that makes sense", "a marker and five numbers");
        while window != MARKER {
            match self.input.array::<1>("a block") {
                Ok([byte]) => window = [window[1], window[2], window[3], byte],
                Err(_) => return ReadError::fatal(Place::Byte(at), problem),
            }
        }
        self.marked = true;
        ReadError::skipped(Place::Byte(at), problem)
    }
}

impl<R: BufRead> Iterator for Blocks<R> {
    type Item = Result<Block, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let block = self.read().transpose();
        self.over = match &block {
            None => true,
            Some(Ok(_)) => false,
            Some(Err(error)) => error.is_fatal(),
        };
        block
    }
}

/// The games of an archive.
#[derive(Debug)]
pub struct Reader<R> {
    blocks: Blocks<R>,
    games: std::vec::IntoIter<GameRecord>,
}

impl<R: BufRead> Reader<R> {
    /// A reader at the beginning of a file.
    pub fn new(input: R) -> Reader<R> {
        Reader { blocks: Blocks::new(input), games: Vec::new().into_iter() }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<GameRecord, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.games.next() {
                return Some(Ok(game));
            }
            match self.blocks.next()?.and_then(|block| block.decode()) {
                Ok(games) => self.games = games.into_iter(),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
