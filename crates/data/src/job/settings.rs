// SPDX-License-Identifier: GPL-3.0-or-later
//! Everything that the bytes of an output depend on, as names and values.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use engine::Evaluation;
use rules::Checksum;
use serde_json::{Map, Value, json};

use crate::DataError;

/// Names and values of settings; threads are none, as nothing depends on them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings(Map<String, Value>);

impl Settings {
    /// The settings of a command of this version, with the files it reads.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn new(command: &str, inputs: &[PathBuf]) -> Result<Settings, DataError> {
        let mut settings = Settings::default();
        settings.set("command", json!(command));
        settings.set("version", json!(env!("CARGO_PKG_VERSION")));
        settings.set("sources", sources(inputs)?);
        Ok(settings)
    }

    /// Adds a setting.
    pub fn set(&mut self, name: &str, value: Value) {
        self.0.insert(name.to_owned(), value);
    }

    /// The value of a setting.
    pub fn get(&self, name: &str) -> &Value {
        self.0.get(name).unwrap_or(&Value::Null)
    }

    /// The first setting that others have otherwise: its name, our value and theirs.
    pub(crate) fn first_difference(&self, other: &Settings) -> Option<(String, Value, Value)> {
        let mut names: Vec<&String> = self.0.keys().chain(other.0.keys()).collect();
        names.sort();
        let differs = |name: &&&String| self.get(name) != other.get(name);
        let name = names.iter().find(differs)?;
        Some(((*name).clone(), self.get(name).clone(), other.get(name).clone()))
    }

    /// As they stand in files.
    pub fn to_json(&self) -> Value {
        Value::Object(self.0.clone())
    }

    /// The settings that [`Settings::to_json`] wrote.
    pub fn from_json(value: &Value) -> Option<Settings> {
        value.as_object().map(|map| Settings(map.clone()))
    }
}

/// The bytes at each end of a file that are looked at: a whole one may take hours to read.
const END_BYTES: u64 = 1 << 20;

/// The files that something is made from, each with a few letters that tell it from another.
///
/// # Errors
/// When a file cannot be read.
pub fn sources(paths: &[PathBuf]) -> Result<Value, DataError> {
    let sketches = paths.iter().map(|path| {
        let sketch = sketch(path).map_err(DataError::io(path))?;
        Ok(json!({ "file": path.display().to_string(), "sketch": sketch }))
    });
    Ok(Value::Array(sketches.collect::<Result<_, DataError>>()?))
}

/// An evaluation of our engine, with what tells its network from another.
///
/// # Errors
/// When the file of the network cannot be read.
pub fn of_evaluation(evaluation: &Evaluation) -> Result<Value, DataError> {
    Ok(match evaluation {
        Evaluation::BuiltIn => json!({ "built-in": engine::eval::built_in().run() }),
        Evaluation::HandCrafted => json!("hand-crafted"),
        Evaluation::File(path) => sources(std::slice::from_ref(path))?[0].take(),
    })
}

/// Length of a file, and the checksum of its first and last mebibyte.
///
/// # Errors
/// When the file cannot be read.
pub fn sketch(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    (&mut file).take(END_BYTES).read_to_end(&mut bytes)?;
    if length > END_BYTES {
        file.seek(SeekFrom::Start(length.saturating_sub(END_BYTES).max(END_BYTES)))?;
        (&mut file).take(END_BYTES).read_to_end(&mut bytes)?;
    }
    Ok(format!("{length} bytes, {:016x}", Checksum::of(&bytes)))
}
