// SPDX-License-Identifier: GPL-3.0-or-later
//! The books of a match: standings, state file and games, kept in step.
//!
//! A game is first written as PGN, then entered into the state file with the place where it ends. What lies
//! beyond that place when a match goes on was never entered and is cut off: each game is there exactly once.

use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions},
    io::{Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use contest::pairing::Schedule;

use crate::{
    Finished, GameResult, Labels, Settings, Standings, StateError,
    journal::{Entry, Journal},
    pgn::to_pgn,
};

/// Where the books lie; either may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// The state file, which lets a match go on after an interruption.
    pub state: Option<PathBuf>,
    /// The games.
    pub pgn: Option<PathBuf>,
}

/// The open books of a match.
pub struct Ledger {
    journal: Option<Journal>,
    pgn: Option<PgnFile>,
    done: BTreeSet<usize>,
    standings: Standings,
}

impl Ledger {
    /// Opens the books and takes over what an earlier run has entered.
    ///
    /// # Errors
    /// When a file cannot be read or written, or belongs to another match.
    pub fn open(
        files: &Files,
        settings: &Settings,
        schedule: &Schedule,
        engines: usize,
    ) -> Result<Ledger, StateError> {
        let mut pgn = files.pgn.as_deref().map(PgnFile::open).transpose()?;
        let mut ledger =
            Ledger { journal: None, pgn: None, done: BTreeSet::new(), standings: Standings::new(engines) };
        if let Some(path) = &files.state {
            let length = pgn.as_ref().map_or(0, |pgn| pgn.length);
            let (journal, past) = Journal::open(path, settings, length)?;
            for entry in &past.entries {
                let (game, games) = (entry.result.game, schedule.games());
                if game >= games {
                    return Err(StateError::TooManyGames { path: path.clone(), game: game + 1, games });
                }
                if ledger.done.insert(game) {
                    ledger.standings.add(&schedule.game(game), &entry.result);
                }
            }
            if let Some(pgn) = &mut pgn {
                pgn.cut(past.entries.last().map_or(past.pgn_start, |entry| entry.pgn_end))?;
            }
            ledger.journal = Some(journal);
        }
        ledger.pgn = pgn;
        Ok(ledger)
    }

    /// Removes the books of an earlier run.
    ///
    /// # Errors
    /// When a file is there and stays.
    pub fn remove(files: &Files) -> Result<(), StateError> {
        for path in [&files.state, &files.pgn].into_iter().flatten() {
            if path.exists() {
                fs::remove_file(path).map_err(StateError::io(path))?;
            }
        }
        Ok(())
    }

    /// Enters a finished game; when this returns, it will not be played again.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn enter(&mut self, finished: &Finished, labels: &Labels<'_>) -> Result<GameResult, StateError> {
        let result = GameResult::new(finished.fixture.game, &finished.record);
        let pgn_end = match &mut self.pgn {
            Some(pgn) => pgn.append(&to_pgn(labels, &finished.record).to_string())?,
            None => 0,
        };
        if let Some(journal) = &mut self.journal {
            journal.append(&Entry { result: result.clone(), pgn_end })?;
        }
        self.done.insert(finished.fixture.game);
        self.standings.add(&finished.fixture, &result);
        Ok(result)
    }

    /// The numbers of the games that are finished.
    pub fn done(&self) -> &BTreeSet<usize> {
        &self.done
    }

    /// Where the match stands.
    pub fn standings(&self) -> &Standings {
        &self.standings
    }
}

/// A PGN file that grows; what is in it stays.
struct PgnFile {
    file: File,
    path: PathBuf,
    length: u64,
}

impl PgnFile {
    fn open(path: &Path) -> Result<PgnFile, StateError> {
        let mut options = OpenOptions::new();
        let mut file =
            options.write(true).create(true).truncate(false).open(path).map_err(StateError::io(path))?;
        let length = file.seek(SeekFrom::End(0)).map_err(StateError::io(path))?;
        Ok(PgnFile { file, path: path.to_owned(), length })
    }

    /// Cuts off what lies beyond a length.
    fn cut(&mut self, length: u64) -> Result<(), StateError> {
        if length > self.length {
            return Err(StateError::PgnCut {
                path: self.path.clone(),
                length: self.length,
                expected: length,
            });
        }
        let cut = self.file.set_len(length).and_then(|()| self.file.seek(SeekFrom::Start(length)));
        self.length = cut.map_err(StateError::io(&self.path))?;
        Ok(())
    }

    /// Appends a game and returns where it ends; when this returns, it is on disk.
    fn append(&mut self, text: &str) -> Result<u64, StateError> {
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(StateError::io(&self.path))?;
        self.length += text.len() as u64;
        Ok(self.length)
    }
}
