// SPDX-License-Identifier: GPL-3.0-or-later
//! What is said about an engine: `cmd=PATH,name=N,arg=A,tc=8+0.08,option.Hash=16`, or `own,…`.

use std::{fmt, path::Path, str::FromStr};

use contest::{ParseTimeControlError, TimeControl};
use thiserror::Error;

/// How to start an engine and what to set before it plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The name in tables and PGN.
    pub name: String,
    /// Where the engine comes from.
    pub program: Program,
    /// UCI options, name and value, in the order given.
    pub options: Vec<(String, String)>,
    /// Its own time control, if it is not the one of the match.
    pub time_control: Option<TimeControl>,
}

/// Where an engine comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// The engine inside this program, called without a pipe.
    Own,
    /// A program that speaks UCI.
    Command {
        /// The file, or a name to be found in `PATH`.
        path: String,
        /// What it is started with.
        arguments: Vec<String>,
        /// The folder it is started in.
        directory: Option<String>,
    },
}

/// A text that describes no engine.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseSpecError {
    /// A part is not understood.
    #[error("'{0}' says nothing about an engine, expected own, cmd=, name=, arg=, dir=, tc= or option.NAME=")]
    Part(String),
    /// A part that can be there once is there twice.
    #[error("'{0}=' is given twice, expected once")]
    Twice(&'static str),
    /// The match decides what the description wants to.
    #[error("option '{0}' is set by the match, expected --chess960 instead")]
    Chess960(String),
    /// No program is named, or several.
    #[error("'{0}' names no single program, expected either own or cmd=PATH")]
    Program(String),
    /// The time control is none.
    #[error(transparent)]
    TimeControl(#[from] ParseTimeControlError),
}

impl FromStr for EngineSpec {
    type Err = ParseSpecError;

    /// Parts are separated by commas; `\,` is a comma inside a part, `\\` a backslash.
    fn from_str(text: &str) -> Result<EngineSpec, ParseSpecError> {
        let (mut own, mut path, mut name, mut directory, mut time_control) = (false, None, None, None, None);
        let (mut arguments, mut options) = (Vec::new(), Vec::new());
        for part in split(text) {
            match part.split_once('=') {
                None if part == "own" => own = true,
                Some(("cmd", value)) => once("cmd", &mut path, value.to_owned())?,
                Some(("name", value)) => once("name", &mut name, value.to_owned())?,
                Some(("arg", value)) => arguments.push(value.to_owned()),
                Some(("dir", value)) => once("dir", &mut directory, value.to_owned())?,
                Some(("tc", value)) => once("tc", &mut time_control, value.parse()?)?,
                Some((key, value)) => match key.strip_prefix("option.") {
                    Some(option) if option.eq_ignore_ascii_case("UCI_Chess960") => {
                        return Err(ParseSpecError::Chess960(option.to_owned()));
                    }
                    Some(option) if !option.is_empty() => options.push((option.to_owned(), value.to_owned())),
                    _ => return Err(ParseSpecError::Part(part)),
                },
                None => return Err(ParseSpecError::Part(part)),
            }
        }
        let program = match (own, path) {
            (true, None) if arguments.is_empty() && directory.is_none() => Program::Own,
            (false, Some(path)) => Program::Command { path, arguments, directory },
            _ => return Err(ParseSpecError::Program(text.to_owned())),
        };
        let name = name.unwrap_or_else(|| program.name());
        Ok(EngineSpec { name, program, options, time_control })
    }
}

/// Keeps the value of a part that can be there once.
fn once<T>(key: &'static str, place: &mut Option<T>, value: T) -> Result<(), ParseSpecError> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(ParseSpecError::Twice(key)),
    }
}

/// Splits at commas that no backslash precedes.
fn split(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let part = parts.last_mut().expect("there is always a part");
        match c {
            '\\' => part.push(chars.next_if(|&next| next == ',' || next == '\\').unwrap_or(c)),
            ',' => parts.push(String::new()),
            _ => part.push(c),
        }
    }
    parts
}

impl EngineSpec {
    /// What limits its thinking in a match with this time control.
    pub fn control(&self, of_match: TimeControl) -> TimeControl {
        self.time_control.unwrap_or(of_match)
    }
}

impl Program {
    /// What the engine is called if nobody says otherwise.
    fn name(&self) -> String {
        match self {
            Program::Own => "nue".to_owned(),
            Program::Command { path, .. } => {
                // What follows a dot may well be a part of the version.
                let file = Path::new(path).file_name();
                let name = file.map_or_else(|| path.clone(), |file| file.to_string_lossy().into_owned());
                name.strip_suffix(".exe").unwrap_or(&name).to_owned()
            }
        }
    }
}

impl fmt::Display for EngineSpec {
    /// The whole description; it reads back as the same value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |text: &str| text.replace('\\', "\\\\").replace(',', "\\,");
        match &self.program {
            Program::Own => f.write_str("own")?,
            Program::Command { path, arguments, directory } => {
                write!(f, "cmd={}", quoted(path))?;
                for argument in arguments {
                    write!(f, ",arg={}", quoted(argument))?;
                }
                if let Some(directory) = directory {
                    write!(f, ",dir={}", quoted(directory))?;
                }
            }
        }
        write!(f, ",name={}", quoted(&self.name))?;
        if let Some(time_control) = self.time_control {
            write!(f, ",tc={time_control}")?;
        }
        for (name, value) in &self.options {
            write!(f, ",option.{}={}", quoted(name), quoted(value))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> EngineSpec {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn reads_every_key() {
        let spec =
            read("cmd=/usr/games/gnuchess,name=Gnu,arg=--uci,dir=/tmp,tc=nodes=500,option.Move Overhead=5");
        assert_eq!(spec.name, "Gnu");
        let Program::Command { path, arguments, directory } = &spec.program else { panic!("{spec:?}") };
        assert_eq!((path.as_str(), &arguments[..]), ("/usr/games/gnuchess", &["--uci".to_owned()][..]));
        assert_eq!(directory.as_deref(), Some("/tmp"));
        assert_eq!(spec.time_control, Some(TimeControl::Nodes(500)));
        assert_eq!(spec.options, [("Move Overhead".to_owned(), "5".to_owned())]);
    }

    #[test]
    fn names_come_from_the_program() {
        assert_eq!(read("cmd=/usr/games/toga2").name, "toga2");
        assert_eq!(read("cmd=/tmp/nue-0.1.2").name, "nue-0.1.2");
        assert_eq!(read("cmd=stockfish-16.1.exe").name, "stockfish-16.1");
        assert_eq!(read("own").name, "nue");
    }

    #[test]
    fn reads_back_what_it_writes() {
        for text in [
            "own",
            "own,name=a,option.Hash=1",
            r"cmd=x,arg=a\,b,arg=c=d,dir=/,tc=40/60+1,option.A B=a\,=b",
            r"cmd=x,dir=C:\,arg=\\\,,arg=a\",
        ] {
            let spec = read(text);
            assert_eq!(read(&spec.to_string()), spec);
        }
        assert_eq!(read(r"cmd=x,arg=a\,b\c").to_string(), r"cmd=x,arg=a\,b\\c,name=x");
        let Program::Command { arguments, .. } = read(r"cmd=x,arg=\\,arg=a\").program else { panic!() };
        assert_eq!(arguments, ["\\", "a\\"]);
    }

    #[test]
    fn refuses_other_text() {
        for text in [
            "toga2",
            "cmd=x,color=white",
            "cmd=x,",
            "option.=1,cmd=x",
            "own,cmd=x",
            "own,arg=x",
            "name=x",
            "",
            "cmd=x,cmd=y",
            "own,name=x,name=x",
            "own,tc=1,tc=2",
        ] {
            assert!(text.parse::<EngineSpec>().is_err(), "{text}");
        }
        let error = "cmd=x,tc=fast".parse::<EngineSpec>().unwrap_err();
        assert!(error.to_string().starts_with("'fast' is not a time control"), "{error}");
        let error = "own,option.uci_chess960=true".parse::<EngineSpec>().unwrap_err();
        assert!(error.to_string().starts_with("option 'uci_chess960' is set by the match"), "{error}");
    }
}
