// SPDX-License-Identifier: GPL-3.0-or-later
//! Writing an archive game by game, or block by block.

use std::io::{self, Write};

use super::{BLOCK_GAMES, MAGIC, MAX_POSITIONS, encode_block};
use crate::games::GameRecord;

/// Writes games; [`Writer::finish`] writes the last ones.
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
    games: Vec<GameRecord>,
    positions: usize,
}

impl<W: Write> Writer<W> {
    /// Begins an archive.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn new(mut output: W) -> io::Result<Writer<W>> {
        output.write_all(&MAGIC)?;
        Ok(Writer::append(output))
    }

    /// Goes on with an archive whose end is the place of `output`.
    pub fn append(output: W) -> Writer<W> {
        Writer { output, games: Vec::new(), positions: 0 }
    }

    /// Adds a game; every [`BLOCK_GAMES`] games a block is written.
    ///
    /// # Errors
    /// When the output cannot be written, or a game of the block is too long or has an illegal move.
    pub fn push(&mut self, game: &GameRecord) -> io::Result<()> {
        if self.games.len() == BLOCK_GAMES || self.positions + game.moves.len() > MAX_POSITIONS as usize {
            self.flush_block()?;
        }
        self.positions += game.moves.len();
        self.games.push(game.clone());
        Ok(())
    }

    /// Adds a block made by [`encode_block`], behind the games pushed before.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn push_block(&mut self, block: &[u8]) -> io::Result<()> {
        self.flush_block()?;
        self.output.write_all(block)
    }

    /// Writes the games of the last block and hands back the output.
    ///
    /// # Errors
    /// When the output cannot be written, or a game of the block is too long or has an illegal move.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush_block()?;
        self.output.flush()?;
        Ok(self.output)
    }

    fn flush_block(&mut self) -> io::Result<()> {
        if self.games.is_empty() {
            return Ok(());
        }
        let block = encode_block(&self.games)
            .map_err(|problem| io::Error::new(io::ErrorKind::InvalidInput, problem.to_string()))?;
        self.games.clear();
        self.positions = 0;
        self.output.write_all(&block)
    }
}
