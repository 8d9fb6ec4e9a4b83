// SPDX-License-Identifier: GPL-3.0-or-later
//! Any bytes as numpy arrays.

#![no_main]

#[path = "../bodies/npy.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::check(data));
