// SPDX-License-Identifier: GPL-3.0-or-later
//! What evaluations look at: positions turned into counted features.
//!
//! A feature has a number and a count, and nothing here has a value: values are coefficients, they are
//! learnt, and they live with whoever evaluates. Each feature is numbered in exactly one place, which
//! the engine and the fitting programs share.

pub mod chess;
