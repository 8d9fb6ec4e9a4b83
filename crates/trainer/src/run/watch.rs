// SPDX-License-Identifier: GPL-3.0-or-later
//! What a run has to say while it goes on.

use super::{Entry, Folder};

/// What a run tells whoever watches.
pub trait Watch {
    /// The run begins or goes on.
    fn begins(&mut self, about: &About);
    /// From the next step on it computes somewhere else; why, or where it did before.
    fn moves(&mut self, _device: &str, _why: &str) {}
    /// A step is done.
    fn step(&mut self, progress: &Progress);
    /// Games begin with the network of a round.
    fn plays(&mut self, _round: u64) {}
    /// A round is done and logged.
    fn round(&mut self, entry: &Entry, folder: &Folder);
    /// Asked after every step: whether to stop at once.
    fn stops(&mut self) -> bool {
        false
    }
}

/// What there is to say at the beginning.
#[derive(Clone, Debug)]
pub struct About {
    /// Where it computes.
    pub device: String,
    /// Why it does not compute where one might expect.
    pub note: Option<String>,
    /// The shape.
    pub network: String,
    /// Numbers to learn.
    pub parameters: usize,
    /// Samples of an epoch.
    pub samples: u64,
    /// In how many windows they come, one after the other; 1 if all are in memory.
    pub windows: u64,
    /// Positions to check with.
    pub validation: usize,
    /// Steps done by earlier runs.
    pub steps_done: u64,
    /// Steps of the whole run.
    pub steps: u64,
}

/// How far a run is.
#[derive(Copy, Clone, Debug)]
pub struct Progress {
    /// Steps done.
    pub steps: u64,
    /// Steps of the whole run.
    pub total: u64,
    /// Positions seen.
    pub positions: u64,
    /// Positions per second of this round.
    pub speed: f64,
    /// Seconds until the end at this speed.
    pub left: f64,
    /// The learning rate.
    pub rate: f64,
}
