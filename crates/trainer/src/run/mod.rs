// SPDX-License-Identifier: GPL-3.0-or-later
//! A run from the first step to the last: rounds, checks, log, checkpoints, networks.
//!
//! Whatever kills a run, [`Run::resume`] goes on from its last checkpoint and ends with the same bytes: the samples,
//! rates and rules of a step are functions of its number.

mod bench;
mod device;
mod folder;
mod learned;
mod ledger;
mod log;
mod manifest;
mod referee;
mod training;
mod watch;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use nnue::NetError;
use thiserror::Error;

use self::manifest::Loaded;
pub use self::{
    bench::bench,
    folder::{Folder, FolderError},
    learned::Learned,
    ledger::COLUMNS,
    log::{Entry, read as read_log},
    manifest::ManifestError,
    referee::{Rating, Referee},
    watch::{About, Progress, Watch},
};
use crate::{
    BackendError, Config, ConfigError, DataError, Dataset, ExportError, Layout, LayoutError, Loss, Plan,
    Reading, Record, StateError, Tally, dataset::supply::Supply,
};

/// What stops a run.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum RunError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Layout(#[from] LayoutError),
    #[error(transparent)]
    Features(#[from] features::chess::ExpressionError),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    State(#[from] StateError),
    #[error(transparent)]
    Backend(#[from] BackendError),
    #[error(transparent)]
    Export(#[from] ExportError),
    #[error("network.start: {}: another network, expected the same features, layers, scales and share of the hand-crafted evaluation", .0.display())]
    OtherNetwork(PathBuf),
    #[error("network.start: {}: {cause}", path.display())]
    Net { path: PathBuf, cause: NetError },
    #[error("{0}: needs an engine, and nobody here has one")]
    NoEngine(&'static str),
    #[error("games with the network of this round: {0}")]
    Games(String),
    #[error("the loss is no number after {steps} steps: lower the learning rate")]
    Diverged { steps: u64 },
}

/// A run with everything it needs in memory.
pub struct Run {
    /// What it has learned.
    pub learned: Learned,
    /// What it is checked with.
    pub validation: Vec<Record>,
    /// Where it is kept.
    pub folder: Folder,
    /// What became of all positions, if they were just read.
    pub tally: Option<Tally>,
    /// The network that plays against those of the run, if the configuration names one.
    pub reference: Option<PathBuf>,
    supply: Supply,
}

/// How a run ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All steps are done and the network is exported.
    Finished,
    /// It was told to stop; it can go on.
    Stopped,
}

impl Run {
    /// A new run in a folder that has none; `base` is where relative paths of the configuration begin.
    pub fn create(text: &str, base: &Path, folder: &Path, mut reading: Reading<'_>) -> Result<Run, RunError> {
        let config = Config::parse(text)?;
        let learned = match config.network.start.as_ref().map(|path| base.join(path)) {
            Some(path) => Learned::start_from(config, &path)?,
            None => Learned::start(config)?,
        };
        Folder::check_free(folder)?;
        let (loaded, manifest) = manifest::load(&learned.config, base, Some(folder), &mut reading)?;
        let folder = Folder::create(folder)?;
        manifest::keep_check(&folder, &loaded)?;
        folder.write("manifest.csv", manifest.as_bytes())?;
        if learned.config.network.start.is_some() {
            // From here on the other run may vanish.
            folder.save_checkpoint(0, &learned.state.to_bytes(), 1)?;
        }
        // The configuration comes last: with it the folder holds a run.
        folder.write("config.toml", text.as_bytes())?;
        Ok(Run::of(learned, loaded, folder))
    }

    /// A run that was begun before, from its last checkpoint.
    pub fn resume(folder: &Path, mut reading: Reading<'_>) -> Result<Run, RunError> {
        let folder = Folder::open(folder)?;
        let learned = Learned::open(&folder)?;
        let loaded = manifest::reload(&learned.config, &folder, &mut reading)?;
        log::truncate(&folder, learned.steps())?;
        Ok(Run::of(learned, loaded, folder))
    }

    fn of(learned: Learned, loaded: Loaded, folder: Folder) -> Run {
        let Loaded { supply, validation, tally, reference, .. } = loaded;
        Run { learned, validation, folder, tally, reference, supply }
    }

    /// Steps done so far.
    pub fn steps(&self) -> u64 {
        self.learned.steps()
    }

    /// Positions to compare floats and integers with: from those held out, or else from the others.
    pub fn to_compare(&self, count: usize) -> Result<Vec<Record>, RunError> {
        match self.validation.is_empty() {
            true => Ok(some_of(self.supply.window(0)?.records(), count)),
            false => Ok(some_of(&self.validation, count)),
        }
    }
}

/// Up to `count` records, spread evenly.
pub fn some_of(records: &[Record], count: usize) -> Vec<Record> {
    let every = (records.len() / count.max(1)).max(1);
    records.iter().copied().step_by(every).take(count).collect()
}

/// The mean loss of outputs.
pub fn mean_loss(loss: &Loss, records: &[Record], outputs: &[f32]) -> f64 {
    let targets: Vec<f32> = records.iter().map(|record| loss.target(record)).collect();
    let outputs: Vec<f32> =
        outputs.iter().zip(records).map(|(&output, record)| loss.joined(output, record)).collect();
    let mut sum = 0.0;
    loss.each(&outputs, &targets, |_, loss, _| sum += f64::from(loss));
    sum / records.len().max(1) as f64
}

/// The tensors of a configuration.
pub fn layout(config: &Config) -> Result<Layout, RunError> {
    let features = features::chess::FeatureSet::parse(&config.network.features)?;
    let arch = config.network.arch(features.size());
    Ok(Layout::new(features, arch, config.network.factoriser)?.with_dropout(config.network.dropout))
}

/// The data of a configuration as far as they fit into memory, and what is held out.
pub fn data(
    config: &Config,
    base: &Path,
    mut reading: Reading<'_>,
) -> Result<(Arc<Dataset>, Vec<Record>), RunError> {
    let (loaded, _) = manifest::load(config, base, None, &mut reading)?;
    Ok((loaded.supply.window(0)?, loaded.validation))
}

/// A step, counted from 0.
pub fn plan(config: &Config, layout: &Layout, step: u64) -> Plan {
    let seen = step * config.run.batch as u64;
    let rate = config.schedule.rate(seen, config.run.positions);
    Plan {
        first: seen,
        rule: config.optimiser.rule(step + 1, rate),
        loss: config.loss.at(config.loss.lambda.at(seen, config.run.positions), layout),
        pull: config.optimiser.pull_after(step + 1),
    }
}
