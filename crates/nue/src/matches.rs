// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue match` and `nue sprt`: engines against each other, a fixed number of games or until it is clear who is stronger.

pub(crate) mod games;
mod options;
mod program_file;
mod report;
mod run;
pub(crate) mod sprt;
