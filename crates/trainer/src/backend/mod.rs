// SPDX-License-Identifier: GPL-3.0-or-later
//! Where the arithmetic happens: the CPU, which is the specification, or an NVIDIA GPU, which must agree.

pub(crate) mod cpu;
pub(crate) mod cuda;

use thiserror::Error;

use crate::{Loss, Record, Rule, State};

/// One step of a run.
#[derive(Copy, Clone, Debug)]
pub struct Plan {
    /// The number of the first sample; a batch follows.
    pub first: u64,
    /// How weights follow their gradients.
    pub rule: Rule,
    /// What is minimised.
    pub loss: Loss,
    /// How far the slow weights follow after this step, if they do.
    pub pull: Option<f32>,
}

/// Something that learns.
pub trait Backend {
    /// What it is, for a person.
    fn describe(&self) -> String;

    /// Learns from one batch of the data set it was made with.
    fn step(&mut self, plan: &Plan) -> Result<(), BackendError>;

    /// The mean loss of all samples since the last call.
    fn take_loss(&mut self) -> Result<f64, BackendError>;

    /// The outputs for some positions, with the weights as the engine will have them if they are rounded in
    /// training, and as they are otherwise.
    fn outputs(&mut self, records: &[Record]) -> Result<Vec<f32>, BackendError>;

    /// Everything that was learned and is remembered.
    fn state(&mut self) -> Result<State, BackendError>;
}

/// What can go wrong on a device.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum BackendError {
    #[error("no CUDA device can be used: {0}")]
    NoCuda(String),
    #[error("CUDA: {what}: {cause}")]
    Cuda { what: &'static str, cause: String },
    #[error(
        "data and room to work take {needed} bytes, and {free} of the GPU are free: lower data.memory_mb or run.batch"
    )]
    Memory { needed: u64, free: u64 },
    #[error("{0} cannot be trained on the GPU")]
    Unsupported(&'static str),
    #[error("cannot start {threads} threads: {cause}")]
    Threads { threads: usize, cause: String },
}
