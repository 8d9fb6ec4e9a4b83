// SPDX-License-Identifier: GPL-3.0-or-later
//! Any text as a FEN.

#![no_main]

#[path = "../bodies/fen.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::check(data));
