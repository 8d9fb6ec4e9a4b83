// SPDX-License-Identifier: GPL-3.0-or-later
//! The bench check: the engine must search the same nodes as the history says, however it is built.
//!
//! A compiler can be wrong about one instruction set alone, and a search can depend on one by
//! accident. Both show in the node count of `nue bench`.

use std::{path::Path, thread};

use anyhow::{Context, bail, ensure};

use crate::cargo;

/// Options of `cargo xtask bench-check`.
#[derive(clap::Args, Default)]
pub(crate) struct Options {
    /// Check only the default build, which is made for this machine's CPU
    #[arg(long)]
    pub(crate) native_only: bool,
    /// Of the default build too, take the search alone: built as the program is, in half the time
    #[arg(long)]
    pub(crate) search_only: bool,
}

/// One way to build and run the engine.
struct Build {
    name: &'static str,
    /// Set while building and while running.
    environment: &'static [(&'static str, &'static str)],
    /// Whether this machine has the instructions.
    runs_here: fn() -> bool,
}

const BUILDS: &[Build] = &[
    Build { name: "native", environment: &[], runs_here: || true },
    #[cfg(target_arch = "x86_64")]
    Build { name: "x86-64", environment: &[("RUSTFLAGS", "-Ctarget-cpu=x86-64")], runs_here: || true },
    #[cfg(target_arch = "x86_64")]
    Build { name: "x86-64-v3", environment: &[("RUSTFLAGS", "-Ctarget-cpu=x86-64-v3")], runs_here: has_v3 },
    #[cfg(target_arch = "x86_64")]
    Build { name: "x86-64-v4", environment: &[("RUSTFLAGS", "-Ctarget-cpu=x86-64-v4")], runs_here: has_v4 },
];

#[cfg(target_arch = "x86_64")]
fn has_v3() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("movbe")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(target_arch = "x86_64")]
fn has_v4() -> bool {
    has_v3()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
}

/// Builds and runs every build; fails with the first wrong count.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let search = ["log", "-1", "-E", "--grep=^Bench: [0-9]+$", "--format=%h%n%B"];
    let message = cargo::read(cargo::program("git").args(search))?;
    let (commit, expected) = trailer(&message)
        .context("the history has no trailer 'Bench: <nodes>', expected one with the count of `nue bench`")?;
    println!("expecting {expected} nodes, the bench of commit {commit}");

    let metadata = cargo::metadata()?;
    let target = Path::new(metadata["target_directory"].as_str().context("metadata without target")?);
    let chosen = BUILDS.iter().filter(|build| !options.native_only || build.environment.is_empty());
    let (here, elsewhere): (Vec<_>, Vec<_>) = chosen.partition(|build| (build.runs_here)());
    for build in elsewhere {
        println!("{}: skipped, this machine lacks its instructions", build.name);
    }
    // Side by side: the last step of the native build keeps a single core busy.
    let (native, others): (Vec<_>, Vec<_>) = here.into_iter().partition(|build| build.environment.is_empty());
    let check = |builds: Vec<&Build>| {
        builds.into_iter().try_for_each(|build| {
            let name = build.name;
            let got = bench(build, target, options).with_context(|| format!("bench of build {name}"))?;
            ensure!(
                got == expected,
                "build {name} searches {got} nodes, expected {expected} (commit {commit})"
            );
            println!("{name}: {got} nodes");
            Ok(())
        })
    };
    thread::scope(|scope| {
        let others = scope.spawn(|| check(others));
        let native = check(native);
        others.join().expect("no panic in a bench").and(native)
    })
}

/// The commit and its node count, from its short hash and message.
fn trailer(message: &str) -> Option<(&str, u64)> {
    let commit = message.lines().next()?;
    let count = message.lines().rev().find_map(|line| line.strip_prefix("Bench: ")?.trim().parse().ok())?;
    Some((commit, count))
}

fn bench(build: &Build, target: &Path, options: &Options) -> anyhow::Result<u64> {
    const SEARCH: [&str; 4] = ["--package", "engine", "--example", "signature"];
    let mut command = cargo::cargo(["run", "--quiet"]);
    // Flags of the caller's environment would replace those of the project.
    command.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    if build.environment.is_empty() {
        command.arg("--release");
        command.args(if options.search_only { &SEARCH[..] } else { &["--package", "nue"] });
    } else {
        // Its search alone, which takes a fraction to build. A folder of its own, so that the default build stays
        // where `cargo run` finds it; with the target named, macros are built once for all instruction sets.
        command.args(["--profile", "signature"]).args(SEARCH);
        command.args(["--target", "host-tuple", "--target-dir"]).arg(target.join("bench-check"));
    }
    command.envs(build.environment.iter().copied()).args(["--", "bench"]); // the example takes no notice
    nodes(&cargo::read(&mut command)?)
}

/// The count in the last line of the output: `<nodes> nodes <nps> nps`.
fn nodes(output: &str) -> anyhow::Result<u64> {
    let last = output.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    match last.split_ascii_whitespace().collect::<Vec<_>>()[..] {
        [count, "nodes", _, "nps"] => count.parse().with_context(|| format!("node count '{count}'")),
        _ => bail!("last line of the bench is '{last}', expected '<nodes> nodes <nps> nps'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_trailer() {
        let message = "1a2b3c4\nsearch: reduce more\n\nBench: 1 was before.\n\nBench: 2569707\n";
        assert_eq!(trailer(message), Some(("1a2b3c4", 2_569_707)));
        assert_eq!(trailer(""), None);
        assert_eq!(trailer("1a2b3c4\ndocs: a word\n"), None);
    }

    #[test]
    fn reads_the_last_line() {
        assert_eq!(nodes("position 1: 5 nodes\n42 nodes 1000 nps\n").unwrap(), 42);
        assert!(nodes("42 nodes\n").is_err());
        assert!(nodes("").is_err());
    }
}
