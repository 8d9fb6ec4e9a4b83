// SPDX-License-Identifier: GPL-3.0-or-later
//! The one test command: every step a change must pass, cheapest first, stopping at the first failure.

use std::time::Instant;

use anyhow::Context;

use crate::{bench_check, cargo, layers, postgres::Cluster, web};

/// Runs every step.
pub(crate) fn run() -> anyhow::Result<()> {
    let begin = Instant::now();
    step("format", || call("fmt --all --check"))?;
    step("layers", layers::run)?;
    step("lints", || call("clippy --workspace --all-targets -- -D warnings"))?;
    step("lints with tunable numbers", || {
        call("clippy --package engine --features tune --all-targets -- -D warnings")
    })?;
    step("tests", tests)?;
    if web::has_node() {
        step("web", web::check)?;
        step("browser", web::browser)?;
    }
    step("tests with tunable numbers", || call("test --package nue --features tune --test spsa --quiet"))?;
    let bench = bench_check::Options { search_only: true, ..Default::default() };
    step("bench", || bench_check::run(&bench))?;
    println!("== all passed in {:.1} s", begin.elapsed().as_secs_f64());
    Ok(())
}

/// All tests of Rust; those of the store on PostgreSQL too, where it can be had.
fn tests() -> anyhow::Result<()> {
    let mut command = cargo::cargo(["test", "--workspace", "--quiet"]);
    let cluster = Cluster::start()?;
    match &cluster {
        Ok(cluster) => drop(command.env("NUE_TEST_POSTGRES", cluster.url())),
        Err(reason) => println!("tests on PostgreSQL: SKIPPED, {reason}"),
    }
    cargo::run(&mut command)
}

fn call(arguments: &str) -> anyhow::Result<()> {
    cargo::run(&mut cargo::cargo(arguments.split(' ')))
}

fn step(name: &str, action: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    println!("== {name}");
    let begin = Instant::now();
    let result = action();
    let seconds = begin.elapsed().as_secs_f64();
    result.with_context(|| format!("step '{name}' failed after {seconds:.1} s"))?;
    println!("== {name}: passed in {seconds:.1} s");
    Ok(())
}
