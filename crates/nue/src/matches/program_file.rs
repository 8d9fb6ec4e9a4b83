// SPDX-License-Identifier: GPL-3.0-or-later
//! The file behind an engine: what a match is played with is more than a name.

use std::{
    env::{self, consts::EXE_SUFFIX},
    path::{self, Path, PathBuf},
};

use arena::Program;

/// The file that an engine is started from, found as the system will find it; nothing if there is none.
pub(super) fn program_file(program: &Program) -> Option<PathBuf> {
    match program {
        Program::Own => env::current_exe().ok(),
        Program::Command { path, .. } if path.contains(path::is_separator) => existing(Path::new(path)),
        Program::Command { path, .. } => {
            let folders = env::var_os("PATH")?;
            env::split_paths(&folders).find_map(|folder| existing(&folder.join(path)))
        }
    }
}

/// A file of this name, or with the ending of programs.
fn existing(path: &Path) -> Option<PathBuf> {
    let mut with_suffix = path.as_os_str().to_owned();
    with_suffix.push(EXE_SUFFIX);
    [path.to_owned(), with_suffix.into()].into_iter().find(|path| path.is_file())
}
