// SPDX-License-Identifier: GPL-3.0-or-later
//! The project's chores as one program: `cargo xtask TASK`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a chore's output is its purpose")]

mod bench_check;
mod cargo;
mod fuzz;
mod layers;
mod packages;
mod postgres;
mod test;
mod web;

use std::process::ExitCode;

use clap::Parser;

/// The chores of the project.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Task {
    /// Everything a change must pass: format, lints, tests, layers, bench, the app in a browser
    Test,
    /// The app alone: layout, types, size, unit tests, and in a browser with the program in target/debug
    Web,
    /// Write the messages between server and browser for TypeScript
    Messages,
    /// Compare the dependencies of every crate with the table of layers
    Layers,
    /// Compare `nue bench` with the last `Bench:` trailer of the history, on every build this machine runs
    BenchCheck(bench_check::Options),
    /// Run the fuzz targets (needs cargo-fuzz)
    Fuzz(fuzz::Options),
}

fn main() -> ExitCode {
    let result = match Task::parse() {
        Task::Test => test::run(),
        Task::Web => web::check().and_then(|()| web::browser()),
        Task::Messages => web::messages(),
        Task::Layers => layers::run(),
        Task::BenchCheck(options) => bench_check::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
