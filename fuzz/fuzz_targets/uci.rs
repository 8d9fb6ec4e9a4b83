// SPDX-License-Identifier: GPL-3.0-or-later
//! Any text as lines of UCI, from either side.

#![no_main]

#[path = "../bodies/uci.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::check(data));
