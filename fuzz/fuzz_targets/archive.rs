// SPDX-License-Identifier: GPL-3.0-or-later
//! Any bytes as an archive of games, or as a block of one.

#![no_main]

#[path = "../bodies/archive.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::check(data));
