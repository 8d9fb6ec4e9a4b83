// SPDX-License-Identifier: GPL-3.0-or-later
//! A PGN file that a match appends to; what others have written there stays.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use crate::{StateError, journal::claim};

/// Longer than any game that we write.
const LONGEST_GAME: u64 = 16 << 20;

/// An open PGN file; nobody else can write to it meanwhile.
pub(crate) struct PgnFile {
    file: File,
    path: PathBuf,
    length: u64,
    /// Whether a game may follow at once, for the last line has its end.
    line_is_over: bool,
}

impl PgnFile {
    pub(crate) fn open(path: &Path) -> Result<PgnFile, StateError> {
        let file = claim(path)?;
        let mut pgn = PgnFile { file, path: path.to_owned(), length: 0, line_is_over: true };
        pgn.io(|pgn| pgn.go_to_end())?;
        Ok(pgn)
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Empties the file.
    pub(crate) fn clear(&mut self) -> Result<(), StateError> {
        self.shorten(0)
    }

    /// Cuts off a game that was never entered: what lies beyond a length.
    ///
    /// Games are entered one at a time, so there is at most one of ours; anything else belongs to others.
    pub(crate) fn cut(&mut self, length: u64) -> Result<(), StateError> {
        let (path, found) = (self.path.clone(), self.length);
        if length > found {
            return Err(StateError::PgnCut { path, length: found, expected: length });
        }
        let mut tail = Vec::new();
        self.io(|pgn| {
            pgn.file.seek(SeekFrom::Start(length))?;
            (&pgn.file).take(LONGEST_GAME).read_to_end(&mut tail)
        })?;
        if !is_one_game(&tail) {
            return Err(StateError::ForeignPgn { path, bytes: found - length });
        }
        self.shorten(length)
    }

    /// Appends a game and returns where it ends.
    pub(crate) fn append(&mut self, text: &str) -> Result<u64, StateError> {
        let gap = if self.line_is_over { "" } else { "\n\n" };
        let text = format!("{gap}{text}");
        self.io(|pgn| pgn.file.write_all(text.as_bytes()))?;
        self.line_is_over = true;
        self.length += text.len() as u64;
        Ok(self.length)
    }

    /// Makes sure that all games would survive a loss of power.
    pub(crate) fn sync(&mut self) -> Result<(), StateError> {
        self.io(|pgn| pgn.file.sync_data())
    }

    fn shorten(&mut self, length: u64) -> Result<(), StateError> {
        self.io(|pgn| {
            pgn.file.set_len(length)?;
            pgn.go_to_end()
        })
    }

    fn go_to_end(&mut self) -> io::Result<()> {
        self.length = self.file.seek(SeekFrom::End(0))?;
        let mut last = [b'\n'];
        if self.length > 0 {
            self.file.seek(SeekFrom::End(-1))?;
            self.file.read_exact(&mut last)?;
        }
        self.line_is_over = last == [b'\n'];
        Ok(())
    }

    fn io<T>(&mut self, action: impl FnOnce(&mut PgnFile) -> io::Result<T>) -> Result<T, StateError> {
        action(self).map_err(StateError::io(&self.path))
    }
}

/// Whether a text can be a game of ours, whole, torn or not even begun.
fn is_one_game(tail: &[u8]) -> bool {
    const BEGINNING: &str = "[Event ";
    let text = String::from_utf8_lossy(tail);
    let text = text.trim_start();
    let begins = text.starts_with(BEGINNING) || BEGINNING.starts_with(text);
    begins && text.lines().filter(|line| line.starts_with(BEGINNING)).count() <= 1
}
