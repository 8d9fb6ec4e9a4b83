// SPDX-License-Identifier: GPL-3.0-or-later
//! What can be wrong with data, and where.
//!
//! A [`Problem`] is what is wrong with one record; a [`ReadError`] adds the place, and the file if its
//! reader knows it. Readers are iterators: after an error that is not fatal the next item comes.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use rules::chess::{FenError, IllegalPosition, ParseSanError, ParseUciError, Square};
use thiserror::Error;

use crate::epd::EpdError;

/// What is wrong with a record.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the message of each variant says what it and its fields mean")]
pub enum Problem {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("the data ends within {0}")]
    Cut(&'static str),
    #[error("{what} {found}, expected {expected}")]
    Value { what: &'static str, found: String, expected: &'static str },
    #[error("{what} has {found} {unit}, expected at most {limit}")]
    TooLong { what: &'static str, found: u64, unit: &'static str, limit: u64 },
    #[error("piece code {code} on {square} means nothing")]
    Piece { code: u8, square: Square },
    #[error("checksum {computed:08x}, expected {written:08x}")]
    Checksum { computed: u32, written: u32 },
    #[error("illegal move {text} in {fen}")]
    IllegalMove { text: String, fen: String },
    #[error(transparent)]
    Position(#[from] IllegalPosition),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error(transparent)]
    San(#[from] ParseSanError),
    #[error(transparent)]
    Uci(#[from] ParseUciError),
    #[error(transparent)]
    Epd(#[from] EpdError),
}

impl Problem {
    /// A value that should have been another.
    pub(crate) fn value(what: &'static str, found: impl fmt::Display, expected: &'static str) -> Problem {
        Problem::Value { what, found: excerpt(&found.to_string()), expected }
    }
}

/// The beginning of a text, short enough for a message.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 80;
    let text = text.replace(char::is_control, " ");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A place in a file, after decompression.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of text, counted from 1.
    Line(u64),
    /// A byte, counted from 0.
    Byte(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(number) => write!(f, "line {number}"),
            Place::Byte(offset) => write!(f, "byte {offset}"),
        }
    }
}

/// A record that cannot be read: what is wrong with it, and where.
#[derive(Debug)]
pub struct ReadError(Box<Located>);

#[derive(Debug)]
struct Located {
    file: Option<PathBuf>,
    place: Place,
    fatal: bool,
    problem: Problem,
}

impl ReadError {
    /// A record that is skipped; what follows can still be read.
    pub(crate) fn skipped(place: Place, problem: impl Into<Problem>) -> ReadError {
        ReadError(Box::new(Located { file: None, place, fatal: false, problem: problem.into() }))
    }

    /// Nothing more can be read.
    pub(crate) fn fatal(place: Place, problem: impl Into<Problem>) -> ReadError {
        ReadError(Box::new(Located { file: None, place, fatal: true, problem: problem.into() }))
    }

    /// Where the record begins, or where reading stopped.
    pub fn place(&self) -> Place {
        self.0.place
    }

    /// Whether nothing more can be read.
    pub fn is_fatal(&self) -> bool {
        self.0.fatal
    }

    /// What is wrong.
    pub fn problem(&self) -> &Problem {
        &self.0.problem
    }

    /// The same error, naming the file.
    #[must_use]
    pub fn in_file(mut self, path: &Path) -> ReadError {
        self.0.file = Some(path.to_owned());
        self
    }

    /// The same error in a text or file of which the reader saw only a part, so many lines or bytes in.
    #[must_use]
    pub fn moved(mut self, by: u64) -> ReadError {
        let (Place::Line(at) | Place::Byte(at)) = &mut self.0.place;
        *at = at.saturating_add(by);
        self
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.0.file {
            write!(f, "{}, ", file.display())?;
        }
        write!(f, "{}: {}", self.0.place, self.0.problem)
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.0.problem)
    }
}
