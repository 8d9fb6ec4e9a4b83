// SPDX-License-Identifier: GPL-3.0-or-later
//! What ends a piece of work; damaged input does not, unless somebody wants it to.

use std::{
    io,
    path::{Path, PathBuf},
};

use arena::StartError;
use engine::ConfigureError;
use formats::ReadError;
use serde_json::Value;
use thiserror::Error;

/// Work that cannot be done, or cannot go on.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the message of each variant says what it and its fields mean")]
pub enum DataError {
    #[error("{}: {cause}", path.display())]
    Io { path: PathBuf, cause: io::Error },
    #[error("{}: unknown kind of file, expected a name that ends in {expected}", path.display())]
    Kind { path: PathBuf, expected: &'static str },
    #[error("{}: such a file holds {found}, expected one with {expected}", path.display())]
    Holds { path: PathBuf, found: &'static str, expected: &'static str },
    #[error("no input file is given, expected at least one")]
    NoInput,
    #[error("{} is given as input and as output, expected two files", .0.display())]
    SameFile(PathBuf),
    #[error("{} is in use by another program", .0.display())]
    InUse(PathBuf),
    #[error("{} exists and was not made by this command (--force replaces it)", .0.display())]
    Exists(PathBuf),
    #[error("{} was begun by another command: its {key} is {found}, expected {expected} (--force begins anew)", path.display())]
    OtherWork { path: PathBuf, key: String, found: Value, expected: Value },
    #[error("{} is damaged, expected a state that an earlier run left (--force begins anew)", .0.display())]
    State(PathBuf),
    #[error("{} has {length} bytes, but an earlier run had written {expected} (--force begins anew)", path.display())]
    Cut { path: PathBuf, length: u64, expected: u64 },
    #[error("{0} (without --strict it would be skipped)")]
    Strict(ReadError),
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Configure(#[from] ConfigureError),
    #[error("{wanted}, expected {expected}")]
    Settings { wanted: String, expected: String },
}

impl DataError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> DataError + use<> {
        let path = path.to_owned();
        |cause| DataError::Io { path, cause }
    }
}
