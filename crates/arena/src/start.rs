// SPDX-License-Identifier: GPL-3.0-or-later
//! From a description to a player that is ready.

use std::{ffi::OsString, io, path, process::Command};

use engine::uci::SetOptionError;
use thiserror::Error;

use crate::{EngineSpec, Offence, Patience, Player, Program, own::OwnPlayer, process::UciPlayer};

/// A player that cannot be started.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the message of each variant says what it and its fields mean")]
pub enum StartError {
    #[error("engine {name} cannot be started: {cause}")]
    Spawn { name: String, cause: io::Error },
    #[error("engine {name} has no option '{option}', expected one of {offered}")]
    UnknownOption { name: String, option: String, offered: String },
    #[error("engine {name} does not play Chess960")]
    NoChess960 { name: String },
    #[error("engine {name}: {cause}")]
    Option { name: String, cause: SetOptionError },
    /// The program is there and misbehaves: this costs it a game, whereas the others end the match.
    #[error("engine {name} {}", offence.words)]
    Offence { name: String, offence: Offence },
}

/// Starts a player.
///
/// # Errors
/// When the description is wrong, or the program misbehaves before its first game.
pub fn start(spec: &EngineSpec, chess960: bool, patience: Patience) -> Result<Box<dyn Player>, StartError> {
    match &spec.program {
        Program::Own => Ok(Box::new(OwnPlayer::start(spec, chess960, patience.thought)?)),
        Program::Command { path, arguments, directory } => {
            let file = located(path).map_err(|cause| StartError::Spawn { name: spec.name.clone(), cause })?;
            let mut command = Command::new(file);
            command.args(arguments);
            if let Some(directory) = directory {
                command.current_dir(directory);
            }
            Ok(Box::new(UciPlayer::start(spec, command, chess960, patience)?))
        }
    }
}

/// A program that means the same whatever folder it is started in; a mere name is looked up in `PATH`.
fn located(program: &str) -> io::Result<OsString> {
    if program.contains(path::is_separator) {
        return path::absolute(program).map(Into::into);
    }
    Ok(program.into())
}
