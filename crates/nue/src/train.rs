// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue train`: a network from a configuration and data.

pub(crate) mod crosscheck;
mod curves;
pub(crate) mod export;
mod games;
mod insight;
pub(crate) mod resume;
mod watch;

use std::{fs, path::PathBuf, process::ExitCode, time::Duration};

use anyhow::{Context, bail, ensure};
use clap::Args;
use trainer::{
    Reading,
    run::{End, Referee, Run, bench},
};

use self::{games::Games, insight::Engines, watch::Watch};
use crate::screen::Screen;

/// Train a network.
///
/// Everything about the run stands in one TOML file. The run folder takes the configuration, the list of the data, a
/// log, curves, checkpoints and the finished network; if the run is interrupted, 'nue resume' goes on.
#[derive(Args)]
#[command(after_help = "Examples:
  nue train --init net.toml                 write a commented configuration
  nue train net.toml --out runs/first       train; the network is in runs/first/nets
  nue train net.toml --bench 20             how fast does this machine train it?")]
pub(crate) struct Train {
    /// The configuration
    #[arg(value_name = "CONFIG", required_unless_present = "init")]
    config: Option<PathBuf>,

    /// Where the run is kept
    #[arg(long, value_name = "FOLDER", default_value = "run")]
    out: PathBuf,

    /// Write a commented configuration to begin with
    #[arg(long, value_name = "FILE", conflicts_with = "config", num_args = 0..=1, default_missing_value = "net.toml")]
    init: Option<PathBuf>,

    /// Train for so many seconds without writing anything, and print positions per second last
    #[arg(long, value_name = "SECONDS")]
    bench: Option<f64>,
}

impl Train {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        if let Some(path) = self.init {
            ensure!(!path.exists(), "{}: exists already", path.display());
            fs::write(&path, trainer::EXAMPLE).with_context(|| path.display().to_string())?;
            say!("{}: edit the data files and the name, then: nue train {0}", path.display());
            return Ok(ExitCode::SUCCESS);
        }
        let Some(path) = self.config else { bail!("a configuration is expected") };
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let base = path.parent().map(PathBuf::from).unwrap_or_default();
        let named = || path.display().to_string();
        if let Some(seconds) = self.bench {
            ensure!(seconds > 0.0 && seconds < 1e6, "--bench {seconds}: expected a number of seconds");
            let time = Duration::from_secs_f64(seconds);
            let bench = reading(|reading| bench(&text, &base, time, reading)).with_context(named)?;
            let (samples, seconds) = (watch::short(bench.samples as f64), bench.reading.as_secs_f64());
            say!("{samples} samples, read and prepared in {seconds:.1} seconds");
            say!("{}", bench.device);
            say!("{:.0} positions per second", bench.speed);
            return Ok(ExitCode::SUCCESS);
        }
        let run = reading(|reading| Run::create(&text, &base, &self.out, reading)).with_context(named)?;
        go(run)
    }
}

/// Reads data with what this program has to offer: an engine, and somebody to watch.
fn reading<T>(work: impl FnOnce(Reading<'_>) -> T) -> T {
    let (engines, mut screen) = (Engines::new(), Screen::new(true));
    let progress = |tally: &trainer::Tally| {
        screen.state(|| format!("reading: {} positions\n", watch::short(tally.read as f64)));
    };
    let result = work(Reading { insight: Some(&engines), progress: Box::new(progress) });
    screen.end("");
    result
}

/// Trains to the end and says where the network is.
fn go(mut run: Run) -> anyhow::Result<ExitCode> {
    let config = &run.learned.config;
    let name = config.name.clone();
    let mut watch = Watch::new(&name);
    if let Some(tally) = &run.tally {
        watch.data(tally);
    }
    let threads = match config.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let reference = run.reference.clone();
    let mut games = config.elo.clone().map(|spec| Games { spec, reference, threads });
    let end = run.train(&mut watch, games.as_mut().map(|games| games as &mut dyn Referee))?;
    if end == End::Finished {
        // A run that was killed behind its last round has none to draw it after.
        curves::draw(&run.folder, &name)?;
        let path = run.folder.path().join("nets").join(format!("{name}.net"));
        watch.end(&format!("{}: finished after {} steps", path.display(), run.steps()));
    }
    Ok(ExitCode::SUCCESS)
}
