// SPDX-License-Identifier: GPL-3.0-or-later
//! `position startpos | fen …, moves …`: where the game stands.

use std::fmt;

use super::{
    ParseCommandError,
    words::{Words, push_word},
};

/// Where the moves of a [`PositionCommand`] start from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartPosition {
    /// The start position of the game.
    Initial,
    /// A position in FEN; its words are joined by single blanks, nothing else is checked.
    Fen(String),
}

/// A start position and the moves played since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionCommand {
    /// Where the moves start.
    pub start: StartPosition,
    /// The moves in UCI notation, unchecked.
    pub moves: Vec<String>,
}

impl PositionCommand {
    pub(super) fn parse(mut words: Words<'_>) -> Result<PositionCommand, ParseCommandError> {
        let start = match words.next() {
            Some("startpos") => match words.next() {
                None | Some("moves") => StartPosition::Initial,
                Some(word) => {
                    return Err(ParseCommandError::Unexpected {
                        found: word.to_owned(),
                        after: "position startpos",
                        expected: "'moves'",
                    });
                }
            },
            Some("fen") => {
                let mut fen = String::new();
                for word in words.by_ref().take_while(|word| *word != "moves") {
                    push_word(&mut fen, word);
                }
                if fen.is_empty() {
                    return Err(ParseCommandError::Missing { after: "position fen", expected: "a position" });
                }
                StartPosition::Fen(fen)
            }
            Some(word) => {
                return Err(ParseCommandError::Unexpected {
                    found: word.to_owned(),
                    after: "position",
                    expected: "'startpos' or 'fen'",
                });
            }
            None => {
                return Err(ParseCommandError::Missing {
                    after: "position",
                    expected: "'startpos' or 'fen'",
                });
            }
        };
        Ok(PositionCommand { start, moves: words.map(str::to_owned).collect() })
    }
}

impl fmt::Display for PositionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            StartPosition::Initial => f.write_str("position startpos")?,
            StartPosition::Fen(fen) => write!(f, "position fen {fen}")?,
        }
        if !self.moves.is_empty() {
            write!(f, " moves {}", self.moves.join(" "))?;
        }
        Ok(())
    }
}
