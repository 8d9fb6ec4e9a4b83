// SPDX-License-Identifier: GPL-3.0-or-later
//! What an engine says to a GUI or match runner.

use std::{fmt, str::FromStr};

use thiserror::Error;

use super::{Info, NumberError, OptionOffer, words::Words};

/// A line written by an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The name of the engine.
    Name(String),
    /// Who wrote the engine.
    Author(String),
    /// An option on offer.
    Option(OptionOffer),
    /// The answer to `uci` is complete.
    UciOk,
    /// The answer to `isready`.
    ReadyOk,
    /// Something about the search.
    Info(Info),
    /// The end of a search.
    BestMove {
        /// The move to play; none when there is no legal one.
        best: Option<String>,
        /// The answer the engine would like to ponder on.
        ponder: Option<String>,
    },
}

/// A line that is no [`Reply`].
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ParseReplyError {
    /// There is no word in the line.
    #[error("empty line, expected a reply")]
    Empty,
    /// The line begins with no known word.
    #[error("unknown reply '{0}'")]
    Unknown(String),
    /// The line ends where something must follow.
    #[error("nothing after '{after}', expected {expected}")]
    Missing {
        /// What the line ends with.
        after: &'static str,
        /// What should follow.
        expected: &'static str,
    },
    /// A word does not fit its place.
    #[error("'{found}' after '{after}', expected {expected}")]
    Unexpected {
        /// The word.
        found: String,
        /// What it follows.
        after: &'static str,
        /// What should stand there.
        expected: &'static str,
    },
    /// A number is missing or malformed.
    #[error(transparent)]
    Number(#[from] NumberError),
}

impl ParseReplyError {
    /// `found`, or the end of the line, stands where `expected` should.
    pub(super) fn expected(expected: &'static str, after: &'static str, found: Option<&str>) -> Self {
        match found {
            Some(word) => ParseReplyError::Unexpected { found: word.to_owned(), after, expected },
            None => ParseReplyError::Missing { after, expected },
        }
    }
}

impl Reply {
    /// The reply of a line. Engines also print lines that belong to no protocol: those are errors a
    /// listener may well ignore.
    pub fn parse(line: &str) -> Result<Reply, ParseReplyError> {
        let mut words = Words::new(line);
        match words.next().ok_or(ParseReplyError::Empty)? {
            "id" => match words.next() {
                Some("name") => Ok(Reply::Name(words.rest().to_owned())),
                Some("author") => Ok(Reply::Author(words.rest().to_owned())),
                found => Err(ParseReplyError::expected("'name' or 'author'", "id", found)),
            },
            "option" => OptionOffer::parse(words).map(Reply::Option),
            "uciok" => Ok(Reply::UciOk),
            "readyok" => Ok(Reply::ReadyOk),
            "info" => Info::parse(words).map(Reply::Info),
            "bestmove" => parse_best_move(words),
            word => Err(ParseReplyError::Unknown(word.to_owned())),
        }
    }
}

fn parse_best_move(mut words: Words<'_>) -> Result<Reply, ParseReplyError> {
    let best = match words.next() {
        Some(word) => move_or_none(word),
        None => return Err(ParseReplyError::expected("a move", "bestmove", None)),
    };
    let ponder = match words.next() {
        Some("ponder") => words.next().and_then(move_or_none),
        _ => None,
    };
    Ok(Reply::BestMove { best, ponder })
}

/// The move, unless it is one of the ways engines say that there is none.
fn move_or_none(word: &str) -> Option<String> {
    let none = ["(none)", "none", "null", "0000"].iter().any(|text| word.eq_ignore_ascii_case(text));
    (!none).then(|| word.to_owned())
}

impl FromStr for Reply {
    type Err = ParseReplyError;

    fn from_str(line: &str) -> Result<Reply, ParseReplyError> {
        Reply::parse(line)
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Name(name) => write!(f, "id name {name}"),
            Reply::Author(author) => write!(f, "id author {author}"),
            Reply::Option(offer) => offer.fmt(f),
            Reply::UciOk => f.write_str("uciok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => info.fmt(f),
            Reply::BestMove { best, ponder } => {
                write!(f, "bestmove {}", best.as_deref().unwrap_or("(none)"))?;
                match ponder {
                    Some(m) => write!(f, " ponder {m}"),
                    None => Ok(()),
                }
            }
        }
    }
}
