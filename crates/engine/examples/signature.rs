// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue bench` without the rest of the program: what `cargo xtask bench-check` builds for every instruction set.

#![allow(clippy::print_stdout, reason = "the count is its purpose")]

use engine::{ConfigureError, Options, bench};

fn main() -> Result<(), ConfigureError> {
    println!("{}", bench::run(Options::default(), bench::DEPTH)?);
    Ok(())
}
