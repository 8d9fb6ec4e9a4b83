// SPDX-License-Identifier: GPL-3.0-or-later
//! Any bytes as PGN in bulk.

#![no_main]

#[path = "../bodies/bulk.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::check(data));
