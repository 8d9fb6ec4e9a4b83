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

pub use self::{
    bench::{Bench, bench},
    folder::{Folder, FolderError},
    learned::Learned,
    ledger::COLUMNS,
    log::{Entry, read as read_log},
    manifest::ManifestError,
    referee::{Rating, Referee},
    watch::{About, Progress, Watch},
};
use self::{
    folder::{CONFIG, Claim},
    manifest::{Loaded, MANIFEST},
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
    #[error("{}: {cause}", path.display())]
    Kept { path: PathBuf, cause: ConfigError },
    #[error("{}: {cause}", path.display())]
    State { path: PathBuf, cause: StateError },
    #[error(transparent)]
    Backend(#[from] BackendError),
    #[error(transparent)]
    Export(#[from] ExportError),
    #[error("network.start: {}: another network, expected the same features, layers, scales and share of the hand-crafted evaluation", .0.display())]
    OtherNetwork(PathBuf),
    #[error("network.start: {}: the run has no checkpoint yet, expected one that has learned something", .0.display())]
    NothingLearned(PathBuf),
    #[error("{key}: {}: {cause}", path.display())]
    Net { key: &'static str, path: PathBuf, cause: NetError },
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
    /// As long as there is a run, nobody else takes its folder.
    _claim: Claim,
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
        device::check(&config)?;
        let (folder, claim) = Folder::create(folder, base)?;
        // With the configuration the folder holds a run, even if it is killed while it reads.
        folder.write(CONFIG, text.as_bytes())?;
        let run = Run::begin(config, base, folder.clone(), claim, &mut reading);
        if run.is_err() {
            // Nobody learned anything, and a corrected configuration may take the folder.
            folder.remove(CONFIG)?;
            folder.remove(manifest::RECORDS)?;
        }
        run
    }

    /// Reads the data of a run that has learned nothing yet. The manifest comes last: with it all is read.
    fn begin(
        config: Config,
        base: &Path,
        folder: Folder,
        claim: Claim,
        reading: &mut Reading<'_>,
    ) -> Result<Run, RunError> {
        let learned = match config.network.start.as_ref().map(|path| base.join(path)) {
            Some(path) => Learned::start_from(config, &path)?,
            None => Learned::start(config)?,
        };
        let (loaded, manifest) = manifest::load(&learned.config, base, Some(folder.path()), reading)?;
        manifest::keep_check(&folder, &loaded)?;
        if learned.config.network.start.is_some() {
            // From here on the other run may vanish.
            folder.save_checkpoint(0, &learned.state.to_bytes(), 1)?;
        }
        folder.write(MANIFEST, manifest.as_bytes())?;
        Ok(Run::of(learned, loaded, folder, claim))
    }

    /// A run that was begun before, from its last checkpoint.
    pub fn resume(folder: &Path, mut reading: Reading<'_>) -> Result<Run, RunError> {
        let folder = Folder::open(folder)?;
        let claim = folder.claim()?;
        let learned = Learned::open(&folder)?;
        if learned.steps() == 0 && !folder.has(MANIFEST) {
            // It was killed while it read.
            let base = folder.base()?;
            return Run::begin(learned.config, &base, folder, claim, &mut reading);
        }
        let loaded = manifest::reload(&learned.config, &folder, &mut reading)?;
        Ok(Run::of(learned, loaded, folder, claim))
    }

    /// What a run has learned, and positions to compare floats and integers with. The data are read again only if too
    /// few were held out.
    pub fn look(
        folder: &Path,
        count: usize,
        reading: Reading<'_>,
    ) -> Result<(Learned, Vec<Record>), RunError> {
        let opened = Folder::open(folder)?;
        let held_out = manifest::held_out(&opened)?;
        if held_out.len() >= count {
            return Ok((Learned::open(&opened)?, some_of(&held_out, count)));
        }
        let run = Run::resume(folder, reading)?;
        let records = run.to_compare(count)?;
        Ok((run.learned, records))
    }

    fn of(learned: Learned, loaded: Loaded, folder: Folder, claim: Claim) -> Run {
        let Loaded { supply, validation, tally, reference, .. } = loaded;
        Run { learned, validation, folder, tally, reference, supply, _claim: claim }
    }

    /// Steps done so far.
    pub fn steps(&self) -> u64 {
        self.learned.steps()
    }

    /// Positions to compare floats and integers with: those held out, and from the others as many as are missing.
    pub fn to_compare(&self, count: usize) -> Result<Vec<Record>, RunError> {
        let mut records = some_of(&self.validation, count);
        let missing = count - records.len();
        if missing > 0 {
            records.extend(some_of(self.supply.window(0)?.records(), missing));
        }
        Ok(records)
    }
}

/// Up to `count` records, spread evenly.
pub fn some_of(records: &[Record], count: usize) -> Vec<Record> {
    let count = count.min(records.len());
    (0..count).map(|number| records[number * records.len() / count]).collect()
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
