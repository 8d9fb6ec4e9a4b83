// SPDX-License-Identifier: GPL-3.0-or-later
//! What all commands of `nue data` have in common: how to work, and what to say at the end.

use std::{
    io::{self, Write},
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use clap::Args;
use data::{Counts, DataError, Effort, Manifest, Source};
use serde_json::{Value, json};

use super::progress::Progress;

/// How to work; none of it changes a byte of the output.
#[derive(Args)]
pub(crate) struct Work {
    /// Threads that work [default: as many as the machine has]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,

    /// Save the state of the work so often: what is lost at most when it is killed
    #[arg(long, value_name = "SECONDS", default_value_t = 0.5)]
    pub(crate) save_every: f64,

    /// Stop at damaged input instead of skipping it
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print the outcome as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Where the input comes from.
#[derive(Args)]
pub(crate) struct Inputs {
    /// Files to read, one after the other
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
}

/// Where the output goes.
#[derive(Args)]
pub(crate) struct Target {
    /// The file to write; its ending says what is written
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Replace the output, or begin anew what was interrupted
    #[arg(long)]
    pub(crate) force: bool,
}

impl Work {
    pub(crate) fn effort(&self) -> Effort {
        let available = || thread::available_parallelism().map_or(1, usize::from);
        Effort {
            threads: self.threads.unwrap_or_else(available).max(1),
            strict: self.strict,
            save_every: Duration::try_from_secs_f64(self.save_every).unwrap_or_default(),
        }
    }

    /// Runs work on input files with a bar that shows the bytes read, and tells the outcome.
    pub(crate) fn on_files(
        &self,
        inputs: &Inputs,
        run: impl FnOnce(&Source, Effort, &mut data::Watch<'_>) -> Result<Manifest, DataError>,
    ) -> anyhow::Result<()> {
        let source = Source::open(&inputs.files)?;
        let mut progress = Progress::of_bytes(&source);
        self.finish(&mut progress, |progress| {
            run(&source, self.effort(), &mut |counts| progress.show(counts))
        })
    }

    /// Runs work that knows how many games it takes, and tells the outcome.
    pub(crate) fn on_games(
        &self,
        games: u64,
        run: impl FnOnce(Effort, &mut data::Watch<'_>) -> Result<Manifest, DataError>,
    ) -> anyhow::Result<()> {
        let mut progress = Progress::of_games(games);
        let run = |progress: &mut Progress| run(self.effort(), &mut |counts| progress.show(counts));
        self.finish(&mut progress, run)
    }

    fn finish(
        &self,
        progress: &mut Progress,
        run: impl FnOnce(&mut Progress) -> Result<Manifest, DataError>,
    ) -> anyhow::Result<()> {
        let begun = Instant::now();
        let outcome = run(progress);
        progress.end();
        let manifest = outcome?;
        let time = begun.elapsed();
        if !progress.was_shown() {
            note("finished earlier; nothing was left to do");
        }
        let line = if self.json {
            format!("{:#}", outcome_json(&manifest, progress.first(), time))
        } else {
            format!("{}{}", tallies(&manifest), summary(&manifest, progress.first(), time))
        };
        say!("{line}");
        Ok(())
    }
}

/// Says what deserves attention, apart from the outcome.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Positions of this run, without those of an interrupted one, in a second.
fn rate(counts: &Counts, before: &Counts, time: Duration) -> f64 {
    (counts.positions - before.positions) as f64 / time.as_secs_f64().max(1e-9)
}

/// What there is to know besides, a line each.
fn tallies(manifest: &Manifest) -> String {
    let line = |(name, count): (&String, &u64)| format!("{count:>12}  {name}\n");
    manifest.counts.tallies.iter().map(line).collect()
}

/// `games 99 positions 870 skipped 0 bytes 41808 seconds 0.1 positions/s 8700`
fn summary(manifest: &Manifest, before: &Counts, time: Duration) -> String {
    let (counts, seconds) = (&manifest.counts, time.as_secs_f64());
    let rate = rate(counts, before, time);
    format!("{counts} bytes {} seconds {seconds:.1} positions/s {rate:.0}", manifest.bytes())
}

fn outcome_json(manifest: &Manifest, before: &Counts, time: Duration) -> Value {
    let mut value = manifest.to_json();
    value["seconds"] = json!(time.as_secs_f64());
    value["positions_per_second"] = json!(rate(&manifest.counts, before, time));
    value
}
