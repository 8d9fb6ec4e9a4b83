// SPDX-License-Identifier: GPL-3.0-or-later
//! Any bytes as a diagram and the moves played from it.

#![no_main]

#[path = "../bodies/positions.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::check(data));
