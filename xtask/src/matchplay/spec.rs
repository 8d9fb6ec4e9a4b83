// SPDX-License-Identifier: GPL-3.0-or-later
//! What the command line says about an engine: `cmd=PATH,name=N,arg=A,option.Hash=16`.

use std::{path::Path, str::FromStr};

use anyhow::{Context, bail};

/// How to start an engine and what to set before it plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EngineSpec {
    /// The program.
    pub(crate) command: String,
    /// The name in tables and PGN.
    pub(crate) name: String,
    /// The arguments of the program.
    pub(crate) arguments: Vec<String>,
    /// UCI options, name and value, in the order given.
    pub(crate) options: Vec<(String, String)>,
}

impl FromStr for EngineSpec {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<EngineSpec> {
        let (mut command, mut name) = (None, None);
        let (mut arguments, mut options) = (Vec::new(), Vec::new());
        for part in text.split(',') {
            let (key, value) =
                part.split_once('=').with_context(|| format!("'{part}' is not of the form key=value"))?;
            match (key, key.strip_prefix("option.")) {
                ("cmd", _) => command = Some(value.to_owned()),
                ("name", _) => name = Some(value.to_owned()),
                ("arg", _) => arguments.push(value.to_owned()),
                (_, Some(option)) => options.push((option.to_owned(), value.to_owned())),
                _ => bail!("'{key}' is not an engine key, expected cmd, name, arg or option.NAME"),
            }
        }
        let command = command.with_context(|| format!("'{text}' names no program, expected cmd=PATH"))?;
        let name = name.unwrap_or_else(|| file_stem(&command));
        Ok(EngineSpec { command, name, arguments, options })
    }
}

fn file_stem(command: &str) -> String {
    Path::new(command).file_stem().map_or_else(|| command.to_owned(), |stem| stem.to_string_lossy().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_key() {
        let spec: EngineSpec =
            "cmd=/usr/games/gnuchess,name=Gnu,arg=--uci,option.Hash=16,option.Move Overhead=5"
                .parse()
                .unwrap();
        assert_eq!(spec.command, "/usr/games/gnuchess");
        assert_eq!(spec.name, "Gnu");
        assert_eq!(spec.arguments, ["--uci"]);
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(spec.options, [pair("Hash", "16"), pair("Move Overhead", "5")]);
    }

    #[test]
    fn name_comes_from_the_program() {
        assert_eq!("cmd=/usr/games/toga2".parse::<EngineSpec>().unwrap().name, "toga2");
    }

    #[test]
    fn refuses_unknown_keys_and_missing_programs() {
        assert!("cmd=x,color=white".parse::<EngineSpec>().is_err());
        assert!("name=x".parse::<EngineSpec>().is_err());
        assert!("toga2".parse::<EngineSpec>().is_err());
    }
}
