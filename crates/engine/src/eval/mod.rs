// SPDX-License-Identifier: GPL-3.0-or-later
//! What a position is worth without searching.

mod coefficients;
mod handcrafted;
mod pair;
#[cfg(test)]
mod tests;
mod trace;

pub use handcrafted::{MAX_EVALUATION, evaluate};
pub use trace::{Trace, trace};
