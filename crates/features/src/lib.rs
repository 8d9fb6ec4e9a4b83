// SPDX-License-Identifier: GPL-3.0-or-later
//! What evaluations look at: positions turned into numbered features.
//!
//! A feature has a number and at most a count, and nothing here has a value: values are weights, they are
//! learnt, and they live with whoever evaluates. Each feature is numbered in exactly one place, which
//! the engine, the trainer and the fitting programs share.

pub mod chess;
