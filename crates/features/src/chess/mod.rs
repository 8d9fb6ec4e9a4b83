// SPDX-License-Identifier: GPL-3.0-or-later
//! Features of chess positions: sets of indices for networks, and the terms of the hand-crafted evaluation.

pub mod sets;
pub mod terms;

pub use sets::{
    Changes, Counts, Delta, ExpressionError, FeatureSet, Features, Provided, Sight, Statistics, Update,
    provided, statistics,
};
