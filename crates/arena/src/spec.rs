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
    /// No program is named, or several.
    #[error("'{0}' names no single program, expected either own or cmd=PATH")]
    Program(String),
    /// The time control is none.
    #[error(transparent)]
    TimeControl(#[from] ParseTimeControlError),
}

impl FromStr for EngineSpec {
    type Err = ParseSpecError;

    /// Parts are separated by commas; `\,` is a comma inside a part.
    fn from_str(text: &str) -> Result<EngineSpec, ParseSpecError> {
        let (mut own, mut path, mut name, mut directory, mut time_control) = (false, None, None, None, None);
        let (mut arguments, mut options) = (Vec::new(), Vec::new());
        for part in split(text) {
            match part.split_once('=') {
                None if part == "own" => own = true,
                Some(("cmd", value)) => path = Some(value.to_owned()),
                Some(("name", value)) => name = Some(value.to_owned()),
                Some(("arg", value)) => arguments.push(value.to_owned()),
                Some(("dir", value)) => directory = Some(value.to_owned()),
                Some(("tc", value)) => time_control = Some(value.parse()?),
                Some((key, value)) if key.starts_with("option.") && key.len() > "option.".len() => {
                    options.push((key["option.".len()..].to_owned(), value.to_owned()));
                }
                _ => return Err(ParseSpecError::Part(part)),
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

/// Splits at commas that no backslash precedes.
fn split(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let part = parts.last_mut().expect("there is always a part");
        match c {
            '\\' if chars.next_if_eq(&',').is_some() => part.push(','),
            ',' => parts.push(String::new()),
            _ => part.push(c),
        }
    }
    parts
}

impl Program {
    /// What the engine is called if nobody says otherwise.
    fn name(&self) -> String {
        match self {
            Program::Own => "nue".to_owned(),
            Program::Command { path, .. } => {
                let stem = Path::new(path).file_stem();
                stem.map_or_else(|| path.clone(), |stem| stem.to_string_lossy().into_owned())
            }
        }
    }
}

impl fmt::Display for EngineSpec {
    /// The whole description; it reads back as the same value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |text: &str| text.replace(',', "\\,");
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
        assert_eq!(read("own").name, "nue");
    }

    #[test]
    fn reads_back_what_it_writes() {
        for text in
            ["own", "own,name=a,option.Hash=1", r"cmd=x,arg=a\,b,arg=c=d,dir=/,tc=40/60+1,option.A B=a\,=b"]
        {
            let spec = read(text);
            assert_eq!(read(&spec.to_string()), spec);
        }
        assert_eq!(read(r"cmd=x,arg=a\,b\c").to_string(), r"cmd=x,arg=a\,b\c,name=x");
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
        ] {
            assert!(text.parse::<EngineSpec>().is_err(), "{text}");
        }
        let error = "cmd=x,tc=fast".parse::<EngineSpec>().unwrap_err();
        assert!(error.to_string().starts_with("'fast' is not a time control"), "{error}");
    }
}
