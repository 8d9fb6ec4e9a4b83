// SPDX-License-Identifier: GPL-3.0-or-later
//! The rounds of a run: learn, check, log, save, export, play.

use std::{
    ops::Range,
    path::{Path, PathBuf},
    time::Instant,
};

use nnue::{NetError, file::Format};

use super::{
    About, End, Entry, FolderError, Learned, Progress, Rating, Referee, Run, RunError, Watch, device, ledger,
    log, mean_loss, plan,
};
use crate::{Backend, ExportError, Plan};

impl Run {
    /// Trains to the end, or until whoever watches says stop.
    pub fn train(
        &mut self,
        watch: &mut dyn Watch,
        mut referee: Option<&mut dyn Referee>,
    ) -> Result<End, RunError> {
        let run = self.learned.config.run;
        let total = run.steps();
        // Rounds behind the last checkpoint come again.
        log::truncate(&self.folder, self.steps())?;
        let (mut learner, note) = self.learner(self.supply.window_of(self.steps()))?;
        watch.begins(&self.about(learner.backend.describe(), note));
        let mut seconds = log::last_seconds(&self.folder)?;
        let mut saved = Instant::now();
        let mut done = self.steps();
        while done < total {
            let end = total.min((done / run.round_steps() + 1) * run.round_steps());
            let started = Instant::now();
            let Some((loss, with)) = self.learn(learner, done..end, watch)? else { return Ok(End::Stopped) };
            learner = with;
            let taken = started.elapsed().as_secs_f64();
            let validation = self.validate(learner.backend.as_mut())?;
            seconds += started.elapsed().as_secs_f64();
            let mut entry = Entry {
                round: end.div_ceil(run.round_steps()),
                steps: end,
                positions: end * run.batch as u64,
                loss,
                validation,
                rate: self.learned.rate(end - 1),
                lambda: self.learned.lambda(end - 1),
                seconds,
                speed: (end - done) as f64 * run.batch as f64 / taken.max(1e-9),
                elo: None,
            };
            log::append(&self.folder, &entry)?;
            done = end;
            let exports = run.export_every > 0 && entry.round.is_multiple_of(run.export_every);
            let plays = referee.is_some() && self.plays_after(entry.round, done == total);
            if exports || plays || done == total || saved.elapsed().as_secs() >= run.checkpoint_seconds {
                self.learned.state = learner.backend.state()?;
                if exports {
                    // Before the checkpoint: a round that is not saved comes again, and with it its network.
                    self.export(&format!("{}-{:04}.net", self.learned.config.name, entry.round))?;
                }
                self.folder.save_checkpoint(done, &self.learned.state.to_bytes(), run.keep)?;
                saved = Instant::now();
            }
            if let (true, Some(referee)) = (plays, referee.as_deref_mut()) {
                watch.plays(entry.round);
                entry.elo = Some(self.play(referee)?);
                log::amend(&self.folder, &entry)?;
            }
            watch.round(&entry, &self.folder);
        }
        // Its window leaves memory: comparing may want one.
        drop(learner);
        let path = self.export(&format!("{}.net", self.learned.config.name))?;
        self.write_ledger(&path)?;
        Ok(End::Finished)
    }

    /// Does the steps of a round; the mean loss, or nothing if whoever watches said stop.
    fn learn(
        &mut self,
        mut learner: Learner,
        steps: Range<u64>,
        watch: &mut dyn Watch,
    ) -> Result<Option<(f64, Learner)>, RunError> {
        let (batch, started) = (self.learned.config.run.batch as u64, Instant::now());
        let (mut loss, mut counted) = (0.0, steps.start);
        for step in steps.clone() {
            let window = self.supply.window_of(step);
            if window != learner.window {
                loss += learner.backend.take_loss()? * (step - counted) as f64;
                counted = step;
                self.learned.state = learner.backend.state()?;
                // The old window leaves memory before the next one comes.
                let device = learner.backend.describe();
                drop(learner);
                let (next, note) = self.learner(window)?;
                learner = next;
                if learner.backend.describe() != device {
                    watch.moves(&learner.backend.describe(), note.as_deref().unwrap_or(&device));
                }
            }
            let first = self.supply.step_within(step) * batch;
            learner
                .backend
                .step(&Plan { first, ..plan(&self.learned.config, &self.learned.layout, step) })?;
            watch.step(&self.progress(step + 1, steps.start, started));
            if watch.stops() {
                return Ok(None);
            }
        }
        loss += learner.backend.take_loss()? * (steps.end - counted) as f64;
        loss /= (steps.end - steps.start) as f64;
        match loss.is_finite() {
            true => Ok(Some((loss, learner))),
            false => Err(RunError::Diverged { steps: steps.end }),
        }
    }

    /// A backend for a window, and why it is not where one might expect.
    fn learner(&self, window: u64) -> Result<(Learner, Option<String>), RunError> {
        let data = self.supply.window(window)?;
        let Learned { config, layout, state } = &self.learned;
        let (backend, note) = device::choose(config, layout, &data, state)?;
        Ok((Learner { window, backend }, note))
    }

    fn about(&self, device: String, note: Option<String>) -> About {
        About {
            device,
            note,
            network: format!("{} of {}", self.learned.layout.arch, self.learned.layout.features),
            parameters: self.learned.layout.parameters(),
            samples: self.supply.samples(),
            windows: self.supply.windows(),
            validation: self.validation.len(),
            steps_done: self.steps(),
            steps: self.learned.config.run.steps(),
        }
    }

    /// Whether games are played after a round.
    fn plays_after(&self, round: u64, is_last: bool) -> bool {
        self.learned.config.elo.as_ref().is_some_and(|elo| is_last || round.is_multiple_of(elo.every))
    }

    /// Plays games with the network as it is now.
    fn play(&self, referee: &mut dyn Referee) -> Result<Rating, RunError> {
        let path = self.export("latest.net")?;
        referee.play(&path).map_err(RunError::Games)
    }

    /// Exports the network as it is now into the folder.
    fn export(&self, name: &str) -> Result<PathBuf, RunError> {
        let path = self.folder.net(name)?;
        match nnue::file::save(&self.learned.net()?, &path, Format::Nue, true) {
            Ok(()) => Ok(path),
            Err(NetError::Io(cause)) => Err(FolderError::Io { path, cause }.into()),
            Err(error) => Err(ExportError::from(error).into()),
        }
    }

    fn write_ledger(&self, net: &Path) -> Result<(), RunError> {
        let check = ledger::compare(&self.learned, &self.to_compare(ledger::COMPARED)?)?;
        let log = log::read(&self.folder)?;
        let bytes = net.metadata().map_or(0, |about| about.len());
        let line = ledger::line(&self.learned, self.supply.parts(), log.last(), &check, bytes);
        self.folder.write("ledger.md", line.as_bytes())?;
        Ok(())
    }

    /// The mean loss over the positions to check with; none without any.
    fn validate(&self, backend: &mut dyn Backend) -> Result<Option<f64>, RunError> {
        if self.validation.is_empty() {
            return Ok(None);
        }
        // The last share of the score counts, so that the curve shows the network and not the schedule.
        let Learned { config, layout, .. } = &self.learned;
        let loss = config.loss.at(config.loss.lambda.end(), layout);
        let outputs = backend.outputs(&self.validation)?;
        Ok(Some(mean_loss(&loss, &self.validation, &outputs)))
    }

    fn progress(&self, steps: u64, first: u64, started: Instant) -> Progress {
        let (batch, total) = (self.learned.config.run.batch as u64, self.learned.config.run.steps());
        let speed = ((steps - first) * batch) as f64 / started.elapsed().as_secs_f64().max(1e-9);
        Progress {
            steps,
            total,
            positions: steps * batch,
            speed,
            left: ((total - steps) * batch) as f64 / speed.max(1.0),
            rate: self.learned.rate(steps - 1),
        }
    }
}

/// A backend and the window of the data that it has.
struct Learner {
    window: u64,
    backend: Box<dyn Backend>,
}
