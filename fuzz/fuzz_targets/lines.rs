// SPDX-License-Identifier: GPL-3.0-or-later
//! Any bytes as a text of positions or puzzles.

#![no_main]

#[path = "../bodies/lines.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::check(data));
