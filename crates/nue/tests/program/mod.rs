// SPDX-License-Identifier: GPL-3.0-or-later
//! The program as tests use it: run in a folder of its own, judged by what it prints.

#![allow(dead_code, reason = "no test program uses everything")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// The program.
pub(crate) const NUE: &str = env!("CARGO_BIN_EXE_nue");

/// An empty folder.
pub(crate) fn empty_folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path); // it is there only if the test ran before
    fs::create_dir_all(&path).expect("a folder");
    path
}

/// The program with arguments that hold no spaces; `NUE` in them is the program itself.
pub(crate) fn command(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(NUE);
    command.current_dir(folder).args(arguments.replace("NUE", NUE).split_whitespace());
    command
}

pub(crate) fn run(folder: &Path, arguments: &str) -> Output {
    command(folder, arguments).output().expect("the program starts")
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is text")
}

/// What it prints when all is well.
pub(crate) fn succeed(folder: &Path, arguments: &str) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments}: {}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// What it complains about.
pub(crate) fn fail(folder: &Path, arguments: &str) -> String {
    let output = run(folder, arguments);
    assert_eq!(
        output.status.code(),
        Some(1),
        "{arguments}: {}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stderr)
}
