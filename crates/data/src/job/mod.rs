// SPDX-License-Identifier: GPL-3.0-or-later
//! Work that survives being killed: `numbered tasks -> bytes appended in order -> finished files`.
//!
//! While it runs, an output `x.vf` is `x.vf.part`, and `x.vf.state` says how far it got: tasks done, the length
//! of every file, the counts. The state is replaced (written beside, then renamed) after the bytes it speaks of
//! are on the disk, so whatever kills the program, the next run cuts the files back to what the state vouches
//! for and goes on with the next task. At the end `x.vf.manifest.json` tells where `x.vf` comes from.

mod files;
mod manifest;
mod settings;

use std::{
    io::Read,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use self::files::{PartFile, beside, read_json, write_whole};
pub use self::{
    manifest::{Manifest, manifest_path},
    settings::{Settings, of_evaluation, sketch, sources},
};
use crate::{Counts, DataError};

/// A file that a job writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Where it will lie.
    pub path: PathBuf,
    /// What it begins with.
    pub header: Vec<u8>,
    /// Whether it is only a help during the work and is removed at its end.
    pub scratch: bool,
}

impl Output {
    /// A file to keep.
    pub fn new(path: &Path, header: Vec<u8>) -> Output {
        Output { path: path.to_owned(), header, scratch: false }
    }

    /// A file for the time of the work.
    pub fn scratch(path: &Path) -> Output {
        Output { path: path.to_owned(), header: Vec::new(), scratch: true }
    }
}

/// What to do and where to put it.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The command.
    pub command: &'static str,
    /// Everything that the bytes depend on.
    pub settings: Settings,
    /// The files; the state lies beside the first.
    pub outputs: Vec<Output>,
    /// Whether to replace what is there.
    pub force: bool,
}

/// Work to begin, to go on with, or already finished.
pub enum Opened {
    /// There is something to do.
    Job(Job),
    /// An earlier run did it all.
    Finished(Manifest),
}

/// Work under way.
pub struct Job {
    plan: Plan,
    state_path: PathBuf,
    files: Vec<PartFile>,
    tasks: u64,
    /// How long the files were after the last task.
    lengths: Vec<u64>,
    counts: Counts,
    saved: Instant,
    interval: Duration,
}

impl Plan {
    /// Opens the files; those of an earlier run are cut back to what its state vouches for.
    ///
    /// # Errors
    /// When a file cannot be had, or something is there that this command did not make.
    pub fn open(self) -> Result<Opened, DataError> {
        let state_path = beside(&self.outputs[0].path, "state");
        if self.force {
            for output in self.kept() {
                files::remove(&output.path)?;
                files::remove(&manifest_path(&output.path))?;
            }
            files::remove(&state_path)?;
        }
        if let Some(manifest) = self.finished()? {
            self.clean_up()?;
            return Ok(Opened::Finished(manifest));
        }
        let files =
            self.outputs.iter().map(|output| PartFile::open(&output.path)).collect::<Result<_, _>>()?;
        let mut job = Job {
            state_path,
            files,
            tasks: 0,
            lengths: Vec::new(),
            counts: Counts::default(),
            saved: Instant::now(),
            interval: Duration::ZERO,
            plan: self,
        };
        match read_json(&job.state_path)? {
            Some(state) => job.resume(&state)?,
            None => job.begin()?,
        }
        Ok(Opened::Job(job))
    }

    /// The files that stay.
    fn kept(&self) -> impl Iterator<Item = &Output> {
        self.outputs.iter().filter(|output| !output.scratch)
    }

    /// The manifest, if an earlier run of the same command came to its end.
    fn finished(&self) -> Result<Option<Manifest>, DataError> {
        let first = &self.outputs[0].path;
        let Some(manifest) = Manifest::read(&manifest_path(first))? else {
            return match self.kept().find(|output| output.path.exists()) {
                Some(output) => Err(DataError::Exists(output.path.clone())),
                None => Ok(None),
            };
        };
        if let Some((key, found, expected)) = manifest.settings.first_difference(&self.settings) {
            return Err(DataError::OtherWork { path: first.clone(), key, found, expected });
        }
        // Manifests are written before the files get their names: killed in between, a run has done
        // everything but that.
        for output in self.kept().filter(|output| !output.path.exists()) {
            let part = beside(&output.path, "part");
            if !part.exists() {
                // Somebody removed the file, and wants another.
                files::remove(&manifest_path(first))?;
                return self.finished();
            }
            files::rename(&part, &output.path)?;
        }
        Ok(Some(manifest))
    }

    /// Removes what only the work needed.
    fn clean_up(&self) -> Result<(), DataError> {
        for output in &self.outputs {
            files::remove(&beside(&output.path, "part"))?;
        }
        files::remove(&beside(&self.outputs[0].path, "state"))
    }
}

impl Job {
    fn begin(&mut self) -> Result<(), DataError> {
        for (file, output) in self.files.iter_mut().zip(&self.plan.outputs) {
            file.cut(0)?;
            file.append(&output.header)?;
        }
        self.note_lengths();
        self.save()
    }

    fn resume(&mut self, state: &Value) -> Result<(), DataError> {
        let damaged = || DataError::State(self.state_path.clone());
        let settings = Settings::from_json(&state["settings"]).ok_or_else(damaged)?;
        if let Some((key, found, expected)) = settings.first_difference(&self.plan.settings) {
            return Err(DataError::OtherWork {
                path: self.plan.outputs[0].path.clone(),
                key,
                found,
                expected,
            });
        }
        let lengths = state["lengths"].as_array().ok_or_else(damaged)?;
        if lengths.len() != self.files.len() {
            return Err(damaged());
        }
        self.tasks = state["tasks"].as_u64().ok_or_else(damaged)?;
        self.counts = Counts::from_json(&state["counts"]).ok_or_else(damaged)?;
        let lengths: Option<Vec<u64>> = lengths.iter().map(Value::as_u64).collect();
        self.lengths = lengths.ok_or_else(damaged)?;
        self.files.iter_mut().zip(&self.lengths).try_for_each(|(file, &length)| file.cut(length))
    }

    fn note_lengths(&mut self) {
        self.lengths = self.files.iter().map(PartFile::length).collect();
    }

    /// How many tasks are done.
    pub fn tasks(&self) -> u64 {
        self.tasks
    }

    /// What became of the tasks done.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Reads back what a file holds so far.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read_back(&mut self, output: usize) -> Result<impl Read + use<>, DataError> {
        self.files[output].reader()
    }

    /// Appends bytes to a file; they count when the task is done.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append(&mut self, output: usize, bytes: &[u8]) -> Result<(), DataError> {
        self.files[output].append(bytes)
    }

    /// The task is done: what was appended since the last one belongs to it.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn task_done(&mut self, counts: &Counts) -> Result<(), DataError> {
        self.tasks += 1;
        self.note_lengths();
        self.counts.merge(counts);
        if self.saved.elapsed() >= self.interval { self.save() } else { Ok(()) }
    }

    /// Saves the work after the first task that ends so much later than the last saved one.
    pub fn save_every(&mut self, interval: Duration) {
        self.interval = interval;
    }

    /// Where a file lies while the work is under way.
    pub fn part_path(&self, output: usize) -> PathBuf {
        beside(&self.plan.outputs[output].path, "part")
    }

    /// Makes sure that everything up to the last task survives; what belongs to an unfinished one does not.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn save(&mut self) -> Result<(), DataError> {
        self.files.iter_mut().try_for_each(PartFile::sync)?;
        let state = json!({
            "settings": self.plan.settings.to_json(),
            "tasks": self.tasks,
            "lengths": self.lengths,
            "counts": self.counts.to_json(),
        });
        write_whole(&self.state_path, format!("{state:#}\n").as_bytes())?;
        self.saved = Instant::now();
        Ok(())
    }

    /// Overwrites the header of a file, which keeps its length: some say how much follows.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn rewrite_header(&mut self, output: usize, header: &[u8]) -> Result<(), DataError> {
        debug_assert_eq!(header.len(), self.plan.outputs[output].header.len());
        self.files[output].overwrite(header)
    }

    /// Gives the files their names, with manifests beside them.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn finish(mut self) -> Result<Manifest, DataError> {
        self.save()?;
        let outputs = || self.plan.outputs.iter().zip(&self.files).filter(|(output, _)| !output.scratch);
        let lengths = outputs().map(|(output, file)| (output.path.clone(), file.length())).collect();
        let manifest = Manifest {
            command: self.plan.command.to_owned(),
            settings: self.plan.settings.clone(),
            counts: self.counts.clone(),
            outputs: lengths,
        };
        // The first manifest says that all is done, so it is the last to be written.
        for (output, _) in outputs().collect::<Vec<_>>().into_iter().rev() {
            manifest.write(&manifest_path(&output.path))?;
        }
        for (output, _) in outputs() {
            files::rename(&beside(&output.path, "part"), &output.path)?;
        }
        self.plan.clean_up()?;
        Ok(manifest)
    }
}

#[cfg(test)]
mod tests;
