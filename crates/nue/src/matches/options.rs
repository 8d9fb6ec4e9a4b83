// SPDX-License-Identifier: GPL-3.0-or-later
//! The options that `nue match` and `nue sprt` share, and what becomes of them.

use std::path::PathBuf;

use anyhow::ensure;
use arena::{EngineSpec, Files, Settings, fingerprint};
use clap::Args;
use serde_json::json;

use super::program_file::program_file;
use crate::game_options::GameOptions;

/// Who plays, and where it is written down.
#[derive(Args)]
pub(crate) struct ArenaOptions {
    /// An engine, see below; give the option once for each
    #[arg(long = "engine", value_name = "SPEC", required = true)]
    pub(crate) engines: Vec<EngineSpec>,

    #[command(flatten)]
    pub(crate) play: GameOptions,

    /// Where to write the games; what is in the file stays
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// State file, from which an interrupted run goes on [default: the PGN file with .state at its end]
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// Begin anew: empty the state file and the PGN file
    #[arg(long)]
    fresh: bool,

    /// What the match is called in the PGN file
    #[arg(long, value_name = "NAME", default_value = "Engine match")]
    pub(crate) event: String,

    /// Print the result as JSON, and the course of the match on standard error
    #[arg(long)]
    pub(crate) json: bool,
}

impl ArenaOptions {
    /// Refuses what makes no match.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        self.play.check()?;
        for (index, engine) in self.engines.iter().enumerate() {
            let again = self.engines[..index].iter().any(|other| other.name == engine.name);
            ensure!(!again, "two engines are called '{}': give one another name=", engine.name);
            let found = program_file(&engine.program).is_some();
            ensure!(found, "engine {} cannot be started: there is no such program", engine.name);
        }
        Ok(())
    }

    /// The names of the engines.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.engines.iter().map(|engine| engine.name.as_str()).collect()
    }

    /// The files of the match.
    pub(crate) fn files(&self) -> Files {
        let beside = |pgn: &PathBuf| {
            let mut name = pgn.clone().into_os_string();
            name.push(".state");
            PathBuf::from(name)
        };
        let state = self.state.clone().or_else(|| self.pgn.as_ref().map(beside));
        Files { state, pgn: self.pgn.clone(), fresh: self.fresh }
    }

    /// Everything that the results depend on: a run goes on only with the same. Where no state file keeps
    /// them, nobody will compare, and the programs need not be read.
    pub(crate) fn settings(&self) -> Settings {
        if self.files().state.is_none() {
            return Settings::new();
        }
        let program = |engine: &EngineSpec| fingerprint(&program_file(&engine.program)?).ok();
        let mut settings = self.play.settings();
        let engines: Vec<String> = self.engines.iter().map(ToString::to_string).collect();
        settings.insert("engines".to_owned(), json!(engines));
        let programs: Vec<Option<String>> = self.engines.iter().map(program).collect();
        settings.insert("programs".to_owned(), json!(programs));
        settings.insert("pgn".to_owned(), json!(self.pgn.as_ref().map(|path| path.display().to_string())));
        settings
    }
}
