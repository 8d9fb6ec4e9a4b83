// SPDX-License-Identifier: GPL-3.0-or-later
//! Any bytes as records of positions.

#![no_main]

#[path = "../bodies/records.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::check(data));
