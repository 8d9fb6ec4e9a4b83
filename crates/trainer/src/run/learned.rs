// SPDX-License-Identifier: GPL-3.0-or-later
//! What a run has learned so far: enough to export and to compare, without its data.

use std::{path::Path, sync::Arc};

use nnue::{Net, file};

use super::{Folder, RunError, folder::CONFIG, layout};
use crate::{Backend, BackendError, Config, Cpu, Dataset, ExportError, Layout, Record, State, export};

/// Configuration and learned numbers of a run.
#[derive(Debug)]
pub struct Learned {
    /// The configuration.
    pub config: Config,
    /// What is learned.
    pub layout: Layout,
    pub(super) state: State,
}

impl Learned {
    /// Before the first step.
    pub(super) fn start(config: Config) -> Result<Learned, RunError> {
        let layout = layout(&config)?;
        let state = State::start(&layout, config.optimiser.slots(), config.seed);
        Ok(Learned { config, layout, state })
    }

    /// Before the first step as well, but with what the same network has learned: in a run, or as its file tells.
    pub(super) fn start_from(config: Config, other: &Path) -> Result<Learned, RunError> {
        let fresh = Learned::start(config)?;
        let learned = if other.is_file() {
            let net = file::load(other).map_err(|cause| RunError::Net {
                key: "network.start",
                path: other.to_owned(),
                cause,
            })?;
            let alike = net.features == fresh.layout.features && net.arch == fresh.layout.arch;
            alike.then(|| export::numbers(&fresh.layout, &net.weights))
        } else {
            let learned = Learned::open(&Folder::open(other)?)?;
            if learned.steps() == 0 {
                return Err(RunError::NothingLearned(other.to_owned()));
            }
            let (theirs, ours) = (&learned.layout, &fresh.layout);
            let alike = theirs.features == ours.features
                && theirs.arch == ours.arch
                && theirs.factor.is_some() == ours.factor.is_some();
            alike.then_some(learned.state.numbers)
        };
        let numbers = learned.ok_or_else(|| RunError::OtherNetwork(other.to_owned()))?;
        let state = State::with_numbers(numbers, fresh.config.optimiser.slots());
        Ok(Learned { state, ..fresh })
    }

    /// As the last checkpoint of a run has it; if that is damaged, as the one before does.
    pub fn open(folder: &Folder) -> Result<Learned, RunError> {
        let fresh = Learned::start(config(folder)?)?;
        let mut last_error = None;
        for path in folder.checkpoints()?.into_iter().rev() {
            let bytes = folder.checkpoint(&path)?;
            match State::from_bytes(&bytes, &fresh.layout, fresh.config.optimiser.slots()) {
                Ok(state) => return Ok(Learned { state, ..fresh }),
                Err(cause) => last_error = last_error.or(Some(RunError::State { path, cause })),
            }
        }
        last_error.map_or(Ok(fresh), Err)
    }

    /// Steps done so far.
    pub fn steps(&self) -> u64 {
        self.state.steps
    }

    /// The learned numbers so far.
    pub fn numbers(&self) -> &[Vec<f32>] {
        &self.state.numbers
    }

    /// The network as it is now, in integers.
    pub fn net(&self) -> Result<Net, ExportError> {
        let about = format!(
            "{} after {} steps of {} positions, seed {}",
            self.config.name, self.state.steps, self.config.run.batch, self.config.seed
        );
        export::net(&self.layout, &self.state.numbers, &about)
    }

    /// The outputs of the network as it is now in floating point: as it is trained, that is with everything rounded
    /// where training rounds.
    pub fn outputs(&self, records: &[Record]) -> Result<Vec<f32>, BackendError> {
        self.outputs_with(records, self.config.network.fake_quantisation)
    }

    /// The same with or without rounding.
    pub fn outputs_with(&self, records: &[Record], rounded: bool) -> Result<Vec<f32>, BackendError> {
        let data = Arc::new(Dataset::default());
        let (layout, threads) = (self.layout.clone(), self.config.threads);
        Cpu::new(layout, data, &self.state, 1 << 14, threads, rounded)?.outputs(records)
    }

    pub(super) fn rate(&self, step: u64) -> f64 {
        let run = &self.config.run;
        self.config.schedule.rate(step * run.batch as u64, run.positions)
    }

    pub(super) fn lambda(&self, step: u64) -> f64 {
        let run = &self.config.run;
        self.config.loss.lambda.at(step * run.batch as u64, run.positions)
    }
}

/// The configuration of a run.
pub(super) fn config(folder: &Folder) -> Result<Config, RunError> {
    let path = folder.path().join(CONFIG);
    Config::parse(&folder.read(CONFIG)?).map_err(|cause| RunError::Kept { path, cause })
}
