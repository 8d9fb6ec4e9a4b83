// SPDX-License-Identifier: GPL-3.0-or-later
//! What a position is worth without searching.

mod built_in;
mod coefficients;
mod evaluator;
mod handcrafted;
mod network;
mod pair;
#[cfg(test)]
mod tests;
mod trace;

pub(crate) use built_in::load;
pub use built_in::{built_in, built_in_net, level};
pub(crate) use evaluator::Evaluator;
pub use handcrafted::{MAX_EVALUATION, evaluate};
pub use network::{NEURONS_SHOWN, NetworkTrace, trace_network};
pub use trace::{Trace, trace};
