// SPDX-License-Identifier: GPL-3.0-or-later
//! The books of a match: standings, state file and games, kept in step.
//!
//! A game is first written as PGN, then entered into the state file with the place where it ends. What lies
//! beyond that place when a match goes on was never entered and is cut off: each game is there exactly once.
//! Both files are locked before anything is read, measured or emptied.

use std::{
    collections::BTreeSet,
    path::PathBuf,
    time::{Duration, Instant},
};

use contest::pairing::Schedule;

use crate::{
    Finished, GameResult, Labels, Settings, Standings, StateError,
    journal::{Entry, Journal},
    pgn::to_pgn,
    pgn_file::PgnFile,
};

/// What is written survives the end of the program at once, and a loss of power after this time: fast games
/// would otherwise wait for the disk.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// Where the books lie, either of which may be missing, and what becomes of those of an earlier run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// The state file, which lets a match go on after an interruption.
    pub state: Option<PathBuf>,
    /// The games.
    pub pgn: Option<PathBuf>,
    /// Whether to begin anew with empty files.
    pub fresh: bool,
}

/// The open books of a match.
pub struct Ledger {
    journal: Option<Journal>,
    pgn: Option<PgnFile>,
    done: BTreeSet<usize>,
    standings: Standings,
    synced: Instant,
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
        let mut journal = files.state.as_deref().map(Journal::open).transpose()?;
        let mut pgn = files.pgn.as_deref().map(PgnFile::open).transpose()?;
        if files.fresh {
            journal.as_mut().map_or(Ok(()), Journal::clear)?;
            pgn.as_mut().map_or(Ok(()), PgnFile::clear)?;
        }
        let (mut done, mut standings) = (BTreeSet::new(), Standings::new(engines));
        if let (Some(journal), Some(path)) = (&mut journal, &files.state) {
            let past = journal.begin(settings, pgn.as_ref().map_or(0, PgnFile::length))?;
            for entry in &past.entries {
                let (game, games) = (entry.result.game, schedule.games());
                if game >= games {
                    return Err(StateError::TooManyGames { path: path.clone(), game: game + 1, games });
                }
                if done.insert(game) {
                    standings.add(&schedule.game(game), &entry.result);
                }
            }
            if let Some(pgn) = &mut pgn {
                pgn.cut(past.entries.last().map_or(past.pgn_start, |entry| entry.pgn_end))?;
            }
        }
        Ok(Ledger { journal, pgn, done, standings, synced: Instant::now() })
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
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.sync()?;
        }
        Ok(result)
    }

    /// Makes sure that all games entered would survive a loss of power: to be called at the end.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn sync(&mut self) -> Result<(), StateError> {
        self.pgn.as_mut().map_or(Ok(()), PgnFile::sync)?;
        self.journal.as_mut().map_or(Ok(()), Journal::sync)?;
        self.synced = Instant::now();
        Ok(())
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
