// SPDX-License-Identifier: GPL-3.0-or-later
//! How a network is learned: from records of positions to a file that the engine plays with.
//!
//! ```text
//! Config ─► Layout (which numbers) ─► State ─► export ─► nnue::Net
//! files  ─► Dataset (which sample) ─► Backend::step ─┘
//! ```
//!
//! A [`Config`] is one TOML file. The [`Dataset`] knows which record every sample of the run is, by arithmetic
//! alone, so that a run can go on at any step. A [`Backend`] does the arithmetic: [`Cpu`] is the
//! specification, the same bits for every number of threads; `Cuda` must agree with it. The [`run`]
//! module drives them and keeps the run folder. Nothing here prints: whoever runs it watches.

mod backend;
mod config;
mod crosscheck;
mod dataset;
mod dropout;
pub mod export;
mod factor;
mod layout;
mod loss;
mod optimiser;
mod order;
mod record;
pub mod reference;
pub mod run;
mod schedule;
mod state;

pub use backend::{Backend, BackendError, Plan, cpu::Cpu, cuda::Cuda};
pub use config::{
    Config, ConfigError, DataSpec, Device, EXAMPLE, EloSpec, Judged, NetworkSpec, Precision, RunSpec,
};
pub use crosscheck::{CrossCheck, crosscheck};
pub use dataset::{
    DataError, Dataset, Part,
    intake::{Filter, Insight, Reading, Tally},
    read_records,
};
pub use dropout::Dropout;
pub use export::ExportError;
pub use factor::{Factor, FactorError};
pub use layout::{Grid, Layout, LayoutError, Tensor};
pub use loss::{Loss, LossKind, LossSpec, sigmoid};
pub use optimiser::{Formula, OptimiserKind, OptimiserSpec, Rule};
pub use order::{Permutation, ROUNDS};
pub use record::Record;
pub use schedule::{Course, Kind, Schedule};
pub use state::{State, StateError};
