// SPDX-License-Identifier: GPL-3.0-or-later
//! The web app's own checks: types, unit tests, and the real program in a real browser.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Context;

use crate::{cargo, packages};

/// Whether the machine has Node; says so where it has not.
pub(crate) fn has_node() -> bool {
    let found = Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("web: SKIPPED, Node was not found; install Node 20.19 or newer from nodejs.org");
    }
    found
}

/// Installs the packages, checks layout, types and the size of the app, runs the unit tests.
pub(crate) fn check() -> anyhow::Result<()> {
    let web = cargo::root().join("web");
    if needs_packages(&web) {
        npm(&["ci", "--no-audit", "--no-fund"])?;
    }
    for script in ["format:check", "check", "test", "build", "size"] {
        npm(&["run", script])?;
    }
    Ok(())
}

/// Runs the browser tests against the program that the tests before have built.
pub(crate) fn browser() -> anyhow::Result<()> {
    let found = chromium().or_else(|| packages::install("chromium").then(chromium).flatten());
    let Some(chromium) = found else {
        println!("browser tests: SKIPPED, {}", packages::advice("Chromium", "chromium"));
        return Ok(());
    };
    let metadata = cargo::metadata()?;
    let target = Path::new(metadata["target_directory"].as_str().context("metadata without target")?);
    let mut command = npm_command();
    command.args(["run", "e2e"]).env("NUE_BIN", target.join("debug/nue")).env("NUE_CHROMIUM", chromium);
    cargo::run(&mut command)
}

/// Writes the messages for TypeScript.
pub(crate) fn messages() -> anyhow::Result<()> {
    let arguments = ["test", "--quiet", "--package", "server", "--lib", "message::typescript"];
    cargo::run(cargo::cargo(arguments).env("NUE_WRITE_MESSAGES", "1").env("NUE_WEB", "skip"))
}

fn chromium() -> Option<PathBuf> {
    if let Some(chosen) = env::var_os("NUE_CHROMIUM") {
        return Some(chosen.into());
    }
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|path| path.exists())
}

fn needs_packages(web: &Path) -> bool {
    let time = |file: &str| fs::metadata(web.join(file)).and_then(|file| file.modified()).ok();
    let installed = time("node_modules/.package-lock.json");
    installed.is_none() || installed < time("package-lock.json")
}

fn npm(arguments: &[&str]) -> anyhow::Result<()> {
    cargo::run(npm_command().args(arguments))
}

fn npm_command() -> Command {
    let mut command = cargo::program(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(cargo::root().join("web"));
    command
}
