// SPDX-License-Identifier: GPL-3.0-or-later
//! The page beside a finished file that tells where it comes from.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{
    Settings,
    files::{beside, read_json, write_whole},
};
use crate::{Counts, DataError};

/// Where a file comes from: command, settings with sources and seed, counts, and the files themselves.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// The command.
    pub command: String,
    /// Everything the bytes depend on.
    pub settings: Settings,
    /// What became of the input.
    pub counts: Counts,
    /// The files that were written, with their lengths.
    pub outputs: Vec<(PathBuf, u64)>,
}

/// Where the manifest of a file lies.
pub fn manifest_path(output: &Path) -> PathBuf {
    beside(output, "manifest.json")
}

impl Manifest {
    /// The manifest in a file; nothing if there is no such file.
    ///
    /// # Errors
    /// When the file holds no manifest.
    pub fn read(path: &Path) -> Result<Option<Manifest>, DataError> {
        let Some(value) = read_json(path)? else { return Ok(None) };
        match Manifest::from_json(&value) {
            Some(manifest) => Ok(Some(manifest)),
            None => Err(DataError::State(path.to_owned())),
        }
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), DataError> {
        write_whole(path, format!("{:#}\n", self.to_json()).as_bytes())
    }

    /// As it stands in the file.
    pub fn to_json(&self) -> Value {
        let output =
            |(path, bytes): &(PathBuf, u64)| json!({ "file": path.display().to_string(), "bytes": bytes });
        json!({
            "command": self.command,
            "settings": self.settings.to_json(),
            "counts": self.counts.to_json(),
            "outputs": self.outputs.iter().map(output).collect::<Vec<_>>(),
        })
    }

    fn from_json(value: &Value) -> Option<Manifest> {
        let output = |value: &Value| Some((value["file"].as_str()?.into(), value["bytes"].as_u64()?));
        Some(Manifest {
            command: value["command"].as_str()?.to_owned(),
            settings: Settings::from_json(&value["settings"])?,
            counts: Counts::from_json(&value["counts"])?,
            outputs: value["outputs"].as_array()?.iter().map(output).collect::<Option<_>>()?,
        })
    }

    /// The bytes of all files together.
    pub fn bytes(&self) -> u64 {
        self.outputs.iter().map(|(_, bytes)| bytes).sum()
    }
}
