// SPDX-License-Identifier: GPL-3.0-or-later
//! What a GUI or match runner says to an engine.

use std::{fmt, str::FromStr};

use thiserror::Error;

use super::{Go, NumberError, PositionCommand, words::Words};

/// A line sent to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Speak UCI: name yourself and offer your options.
    Uci,
    /// Switch debugging output on or off.
    Debug(bool),
    /// Answer when everything before this is done.
    IsReady,
    /// Change an option or press a button.
    SetOption(SetOption),
    /// Register the engine with this text; of no use today.
    Register(String),
    /// The next position belongs to another game.
    NewGame,
    /// Set the position.
    Position(PositionCommand),
    /// Search the position.
    Go(Go),
    /// End the search and answer.
    Stop,
    /// The opponent played the move that is pondered on.
    PonderHit,
    /// Leave.
    Quit,
    /// Search the built-in positions and count nodes; beyond UCI.
    Bench {
        /// How deep, if not as deep as usual.
        depth: Option<u32>,
    },
    /// Show the position; `d`, beyond UCI.
    Diagram,
    /// Show the static evaluation; beyond UCI.
    Eval,
    /// Exchange the colours; beyond UCI.
    Flip,
    /// List the commands; beyond UCI.
    Help,
}

/// The name and new value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetOption {
    /// The name as it was written, its words joined by single blanks.
    pub name: String,
    /// The value, inner white space untouched; a button has none.
    pub value: Option<String>,
}

impl SetOption {
    /// Whether this is the option of that name; case does not count.
    pub fn names(&self, option: &str) -> bool {
        self.name.eq_ignore_ascii_case(option)
    }
}

/// A line that is no [`Command`].
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ParseCommandError {
    /// There is no word in the line.
    #[error("empty line, expected a command")]
    Empty,
    /// No word of the line is a command.
    #[error("unknown command '{0}', 'help' lists the known ones")]
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

impl Command {
    /// The command of a line.
    ///
    /// Unknown words before a command of UCI itself are skipped, as the protocol demands; the
    /// commands beyond UCI, short and common words, are only seen at the beginning.
    pub fn parse(line: &str) -> Result<Command, ParseCommandError> {
        let mut words = Words::new(line);
        let first = words.next().ok_or(ParseCommandError::Empty)?;
        if let Some(command) = Command::beyond_uci(first, words.clone()) {
            return command;
        }
        let mut word = first;
        loop {
            if let Some(command) = Command::standard(word, words.clone()) {
                return command;
            }
            word = words.next().ok_or_else(|| ParseCommandError::Unknown(first.to_owned()))?;
        }
    }

    /// The UCI command that `word` begins and `rest` continues.
    fn standard(word: &str, rest: Words<'_>) -> Option<Result<Command, ParseCommandError>> {
        Some(match word {
            "uci" => Ok(Command::Uci),
            "debug" => Command::parse_debug(rest),
            "isready" => Ok(Command::IsReady),
            "setoption" => SetOption::parse(rest).map(Command::SetOption),
            "register" => Ok(Command::Register(rest.rest().to_owned())),
            "ucinewgame" => Ok(Command::NewGame),
            "position" => PositionCommand::parse(rest).map(Command::Position),
            "go" => Go::parse(rest).map(Command::Go),
            "stop" => Ok(Command::Stop),
            "ponderhit" => Ok(Command::PonderHit),
            "quit" => Ok(Command::Quit),
            _ => return None,
        })
    }

    /// The command beyond UCI that `word` begins and `rest` continues.
    fn beyond_uci(word: &str, mut rest: Words<'_>) -> Option<Result<Command, ParseCommandError>> {
        Some(match word {
            "bench" => match rest.peek() {
                None => Ok(Command::Bench { depth: None }),
                Some(_) => rest
                    .count32("bench")
                    .map(|depth| Command::Bench { depth: Some(depth) })
                    .map_err(ParseCommandError::from),
            },
            "d" => Ok(Command::Diagram),
            "eval" => Ok(Command::Eval),
            "flip" => Ok(Command::Flip),
            "help" => Ok(Command::Help),
            _ => return None,
        })
    }

    fn parse_debug(mut words: Words<'_>) -> Result<Command, ParseCommandError> {
        let expected = "'on' or 'off'";
        match words.next() {
            Some("on") => Ok(Command::Debug(true)),
            Some("off") => Ok(Command::Debug(false)),
            Some(word) => {
                Err(ParseCommandError::Unexpected { found: word.to_owned(), after: "debug", expected })
            }
            None => Err(ParseCommandError::Missing { after: "debug", expected }),
        }
    }
}

impl SetOption {
    fn parse(mut words: Words<'_>) -> Result<SetOption, ParseCommandError> {
        match words.next() {
            Some("name") => {}
            Some(word) => {
                return Err(ParseCommandError::Unexpected {
                    found: word.to_owned(),
                    after: "setoption",
                    expected: "'name'",
                });
            }
            None => return Err(ParseCommandError::Missing { after: "setoption", expected: "'name'" }),
        }
        let (name, has_value) = words.until("value");
        if name.is_empty() {
            return Err(ParseCommandError::Missing {
                after: "setoption name",
                expected: "the name of an option",
            });
        }
        Ok(SetOption { name, value: has_value.then(|| words.rest().to_owned()) })
    }
}

impl FromStr for Command {
    type Err = ParseCommandError;

    fn from_str(line: &str) -> Result<Command, ParseCommandError> {
        Command::parse(line)
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::Debug(true) => f.write_str("debug on"),
            Command::Debug(false) => f.write_str("debug off"),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption(option) => option.fmt(f),
            Command::Register(text) if text.is_empty() => f.write_str("register"),
            Command::Register(text) => write!(f, "register {text}"),
            Command::NewGame => f.write_str("ucinewgame"),
            Command::Position(position) => position.fmt(f),
            Command::Go(go) => go.fmt(f),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
            Command::Bench { depth: None } => f.write_str("bench"),
            Command::Bench { depth: Some(depth) } => write!(f, "bench {depth}"),
            Command::Diagram => f.write_str("d"),
            Command::Eval => f.write_str("eval"),
            Command::Flip => f.write_str("flip"),
            Command::Help => f.write_str("help"),
        }
    }
}

impl fmt::Display for SetOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "setoption name {}", self.name)?;
        match &self.value {
            Some(value) => write!(f, " value {value}"),
            None => Ok(()),
        }
    }
}
