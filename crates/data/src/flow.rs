// SPDX-License-Identifier: GPL-3.0-or-later
//! What most commands are: `pieces of input -> work on many threads -> bytes appended in order`.

use std::time::Duration;

use crate::{
    Counts, DataError,
    encode::Pieces,
    job::{Job, Manifest, Opened, Plan},
    pipeline,
};

/// Told after every task what became of all so far.
pub type Watch<'a> = dyn FnMut(&Counts) + 'a;

/// What came of a task: bytes for every file, and counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Bytes to append to the files, as far as there are any.
    pub pieces: Pieces,
    /// What became of the input.
    pub counts: Counts,
}

/// How work is done; the bytes that come of it do not depend on it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Threads that work.
    pub threads: usize,
    /// Whether the first damage ends the work.
    pub strict: bool,
    /// How often the work is saved: what is lost at most when the program is killed.
    pub save_every: Duration,
}

impl Default for Effort {
    /// One thread, patient with damage.
    fn default() -> Effort {
        Effort { threads: 1, strict: false, save_every: Duration::from_millis(500) }
    }
}

/// Opens a plan, runs the work if it is not yet done, and returns what there is to know about the outcome.
///
/// # Errors
/// When the files cannot be had, or the work fails.
pub fn carry_out(
    plan: Plan,
    effort: Effort,
    work: impl FnOnce(&mut Job) -> Result<(), DataError>,
) -> Result<Manifest, DataError> {
    match plan.open()? {
        Opened::Finished(manifest) => Ok(manifest),
        Opened::Job(mut job) => {
            job.save_every(effort.save_every);
            let worked = work(&mut job);
            // Whatever ended the work: what is done is done.
            job.save()?;
            worked?;
            job.finish()
        }
    }
}

/// Runs the tasks that are not yet done and appends what comes of them.
///
/// # Errors
/// The first error of a task, or of writing.
pub fn run<T: Send, S>(
    job: &mut Job,
    tasks: impl Iterator<Item = T> + Send,
    threads: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> Result<Done, DataError> + Sync,
    watch: &mut Watch<'_>,
) -> Result<(), DataError> {
    run_settling(job, tasks, threads, state, work, append, watch)
}

/// As [`run`], where somebody else appends.
///
/// # Errors
/// The first error of a task, of `settle`, or of writing.
pub fn run_settling<T: Send, S, R: Send>(
    job: &mut Job,
    tasks: impl Iterator<Item = T> + Send,
    threads: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> Result<R, DataError> + Sync,
    mut settle: impl FnMut(&mut Job, R) -> Result<Counts, DataError>,
    watch: &mut Watch<'_>,
) -> Result<(), DataError> {
    let done = usize::try_from(job.tasks()).unwrap_or(usize::MAX);
    watch(job.counts());
    pipeline::ordered(tasks.skip(done), threads, state, work, |result| {
        let counts = settle(job, result?)?;
        job.task_done(&counts)?;
        watch(job.counts());
        Ok(())
    })
}

fn append(job: &mut Job, done: Done) -> Result<Counts, DataError> {
    for (output, bytes) in done.pieces.iter().enumerate() {
        job.append(output, bytes)?;
    }
    Ok(done.counts)
}
