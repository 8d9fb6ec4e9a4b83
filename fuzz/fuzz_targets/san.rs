// SPDX-License-Identifier: GPL-3.0-or-later
//! Any text as a FEN and moves in SAN.

#![no_main]

#[path = "../bodies/san.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::check(data));
