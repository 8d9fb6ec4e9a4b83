// SPDX-License-Identifier: GPL-3.0-or-later
//! What a network computes: from features to one number, in integers, at the speed of the CPU.
//!
//! ```text
//! FloatWeights ─quantise─► Net ─► Network ─► Accumulators ─► raw output
//!   (trainer)        file ◄──┘   (laid out     (one per thread: push, pop, evaluate)
//!                                 for a CPU)
//! ```
//!
//! A [`Net`] is what a file holds: the features, the [`Arch`] and integers in their natural order. A [`Network`]
//! is the same for one CPU: aligned, packed, with the code path chosen once. An [`Accumulators`] follows
//! the pieces through a search and asks the network only when an evaluation is needed.
//!
//! Which features a position has is not decided here but in the crate `features`; how good the network is,
//! in the trainer. The scalar path is the specification, every other path equals it bit for bit.

mod accumulators;
mod arch;
mod cache;
mod error;
mod explain;
pub mod file;
mod forward;
mod head;
mod lines;
mod mean;
mod network;
mod order;
pub mod pages;
mod paths;
mod quantise;
mod simd;
mod update;
mod weights;

pub use accumulators::Accumulators;
pub use arch::{Activation, Arch, ArchError, Scales};
pub use error::NetError;
pub use explain::{Contribution, Explanation, Neuron, explain};
pub use mean::mean;
pub use network::{Network, Room};
pub use order::order_neurons;
pub use quantise::{FloatAffine, FloatHead, FloatWeights, QuantiseError, dequantise, quantise};
pub use simd::{Level, SimdError};
pub use weights::{Affine, Head, Net, Weights};
