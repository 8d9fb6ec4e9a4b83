// SPDX-License-Identifier: GPL-3.0-or-later
//! The state file of a match: a line for what is played, then a line for each finished game.
//!
//! Lines are only ever appended, each written before the next game counts. A program that is killed leaves at
//! most one torn line at the end, which is cut off when the match goes on.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::GameResult;

/// What a match is: name and value of every setting that its results depend on.
pub type Settings = Map<String, Value>;

/// A state file that cannot be used.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the message of each variant says what it and its fields mean")]
pub enum StateError {
    #[error("{}: {cause}", path.display())]
    Io { path: PathBuf, cause: io::Error },
    #[error("{} is in use by another program", .0.display())]
    Locked(PathBuf),
    #[error("{} is not the state file of a match", .0.display())]
    NoState(PathBuf),
    #[error("state file {} belongs to another match: its {key} is {found}, expected {expected} (--fresh begins anew, --state names another file)", path.display())]
    OtherMatch { path: PathBuf, key: String, found: Value, expected: Value },
    #[error("state file {}, line {line} is damaged", path.display())]
    Damaged { path: PathBuf, line: usize },
    #[error("{} has {length} bytes, but the state file knows of {expected}", path.display())]
    PgnCut { path: PathBuf, length: u64, expected: u64 },
    #[error("{} ends with {bytes} bytes that this match did not write, expected its own games", path.display())]
    ForeignPgn { path: PathBuf, bytes: u64 },
    #[error("state file {} has game {game}, but there are only {games}", path.display())]
    TooManyGames { path: PathBuf, game: usize, games: usize },
}

impl StateError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> StateError + use<> {
        let path = path.to_owned();
        |cause| StateError::Io { path, cause }
    }
}

/// A line of the file: a game, and where it ends in the PGN file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) result: GameResult,
    pub(crate) pgn_end: u64,
}

/// What the file told when it was opened.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Past {
    /// How long the PGN file was before the first game.
    pub(crate) pgn_start: u64,
    pub(crate) entries: Vec<Entry>,
}

/// An open state file; nobody else can open it meanwhile.
pub(crate) struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Opens a state file; nothing is read yet.
    pub(crate) fn open(path: &Path) -> Result<Journal, StateError> {
        Ok(Journal { file: claim(path)?, path: path.to_owned() })
    }

    /// Empties the file.
    pub(crate) fn clear(&mut self) -> Result<(), StateError> {
        self.file.set_len(0).map_err(StateError::io(&self.path))
    }

    /// Reads what is in the file; a new one gets its first line.
    pub(crate) fn begin(&mut self, settings: &Settings, pgn_length: u64) -> Result<Past, StateError> {
        let path = &self.path;
        let mut bytes = Vec::new();
        self.file.read_to_end(&mut bytes).map_err(StateError::io(path))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let past = match read(path, &bytes[..whole], settings)? {
            Some(past) => past,
            None if bytes.is_empty() || looks_torn(&bytes) => {
                Past { pgn_start: pgn_length, entries: Vec::new() }
            }
            None => return Err(StateError::NoState(path.to_owned())),
        };
        self.file.set_len(whole as u64).map_err(StateError::io(path))?;
        self.file.seek(SeekFrom::End(0)).map_err(StateError::io(path))?;
        if whole == 0 {
            self.append_line(&json!({ HEADER: VERSION, "settings": settings, "pgn_start": pgn_length }))?;
            self.sync()?;
        }
        Ok(past)
    }

    /// Appends a game.
    pub(crate) fn append(&mut self, entry: &Entry) -> Result<(), StateError> {
        let mut line = entry.result.to_json();
        line["pgn_end"] = json!(entry.pgn_end);
        self.append_line(&line)
    }

    /// Makes sure that all lines would survive a loss of power.
    pub(crate) fn sync(&mut self) -> Result<(), StateError> {
        self.file.sync_data().map_err(StateError::io(&self.path))
    }

    fn append_line(&mut self, value: &Value) -> Result<(), StateError> {
        let line = format!("{value}\n");
        self.file.write_all(line.as_bytes()).map_err(StateError::io(&self.path))
    }
}

/// Opens a file of a match and keeps all others from it.
pub(crate) fn claim(path: &Path) -> Result<File, StateError> {
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(false).open(path);
    let file = file.map_err(StateError::io(path))?;
    lock(&file, path)?;
    Ok(file)
}

/// Claims a file. Who was killed a moment ago may still be leaving, so this takes some patience.
///
/// # Errors
/// When another program has claimed it.
pub fn lock(file: &File, path: &Path) -> Result<(), StateError> {
    let deadline = Instant::now() + LOCK_PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                thread::sleep(Duration::from_millis(5));
            }
            Err(TryLockError::WouldBlock) => return Err(StateError::Locked(path.to_owned())),
            Err(TryLockError::Error(cause)) => return Err(StateError::io(path)(cause)),
        }
    }
}

const LOCK_PATIENCE: Duration = Duration::from_millis(500);
const HEADER: &str = "nue match state";
const VERSION: u64 = 1;

/// Whether this is the beginning of a first line that was never finished.
fn looks_torn(bytes: &[u8]) -> bool {
    !bytes.contains(&b'\n') && (bytes.starts_with(b"{\"nue match") || b"{\"nue match".starts_with(bytes))
}

/// What whole lines tell; nothing if there are none.
fn read(path: &Path, bytes: &[u8], settings: &Settings) -> Result<Option<Past>, StateError> {
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n').enumerate();
    let Some((_, first)) = lines.next() else { return Ok(None) };
    let header: Value = serde_json::from_slice(first).map_err(|_| StateError::NoState(path.to_owned()))?;
    if header[HEADER].as_u64() != Some(VERSION) {
        return Err(StateError::NoState(path.to_owned()));
    }
    compare(path, &header["settings"], settings)?;
    let pgn_start = header["pgn_start"].as_u64().ok_or_else(|| StateError::NoState(path.to_owned()))?;
    let entries = lines.map(|(index, line)| -> Result<Entry, StateError> {
        let damaged = || StateError::Damaged { path: path.to_owned(), line: index + 1 };
        let value: Value = serde_json::from_slice(line).map_err(|_| damaged())?;
        let result = GameResult::from_json(&value).ok_or_else(damaged)?;
        Ok(Entry { result, pgn_end: value["pgn_end"].as_u64().ok_or_else(damaged)? })
    });
    Ok(Some(Past { pgn_start, entries: entries.collect::<Result<_, _>>()? }))
}

fn compare(path: &Path, found: &Value, expected: &Settings) -> Result<(), StateError> {
    match first_difference(found, expected) {
        Some(Difference { key, found, expected }) => {
            Err(StateError::OtherMatch { path: path.to_owned(), key, found, expected })
        }
        None => Ok(()),
    }
}

/// A setting that is not what it was when a run began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its name.
    pub key: String,
    /// What a state file says.
    pub found: Value,
    /// What is wanted now.
    pub expected: Value,
}

/// The first setting in which a state file and the present command do not agree.
pub fn first_difference(found: &Value, expected: &Settings) -> Option<Difference> {
    let nothing = Map::new();
    let found = found.as_object().unwrap_or(&nothing);
    expected.keys().chain(found.keys()).find_map(|key| {
        let value = |settings: &Settings| settings.get(key).cloned().unwrap_or_default();
        let (found, expected) = (value(found), value(expected));
        (found != expected).then(|| Difference { key: key.clone(), found, expected })
    })
}
