// SPDX-License-Identifier: GPL-3.0-or-later
//! Calling cargo and other programs from the root of the repository.

use std::{env, ffi::OsString, path::Path, process::Command};

use anyhow::{Context, ensure};
use serde_json::Value;

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository")
}

/// A program to be run in the root of the repository.
pub(crate) fn program(name: impl Into<OsString>) -> Command {
    let mut command = Command::new(name.into());
    command.current_dir(root());
    command
}

/// Cargo, the same one that runs this program, with these arguments.
pub(crate) fn cargo<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = program(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments);
    command
}

/// Runs a command that writes to the terminal; fails unless it succeeds.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    let status = command.status().with_context(|| format!("starting {command:?}"))?;
    ensure!(status.success(), "{command:?} ended with {status}");
    Ok(())
}

/// Runs a command for what it writes to stdout; fails unless it succeeds.
pub(crate) fn read(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| format!("starting {command:?}"))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?} ended with {}\n{}", output.status, complaint.trim());
    Ok(String::from_utf8(output.stdout)?)
}

/// What cargo says about the crates of the workspace.
pub(crate) fn metadata() -> anyhow::Result<Value> {
    let text = read(&mut cargo(["metadata", "--no-deps", "--format-version", "1"]))?;
    serde_json::from_str(&text).context("output of cargo metadata")
}
