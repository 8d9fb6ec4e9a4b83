// SPDX-License-Identifier: GPL-3.0-or-later
//! Running the fuzz targets, on the stable toolchain and therefore without sanitizers.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context, ensure};

use crate::cargo;

/// Options of `cargo xtask fuzz`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Seconds for each target
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Run only this target
    target: Option<String>,
}

/// Runs the targets one after another; fails at the first finding.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    ensure!(
        succeeds(cargo::cargo(["fuzz", "--version"])),
        "cargo-fuzz is missing; install it with: cargo install cargo-fuzz (it also needs a C++ compiler)"
    );
    let known = targets()?;
    let chosen = match &options.target {
        Some(target) => {
            ensure!(known.contains(target), "no fuzz target '{target}', there are: {}", known.join(", "));
            vec![target.clone()]
        }
        None => known,
    };
    for target in chosen {
        println!("== fuzz {target} for {} s", options.seconds);
        fuzz(&target, options.seconds)?;
    }
    Ok(())
}

fn fuzz(target: &str, seconds: u32) -> anyhow::Result<()> {
    // The first folder takes the new inputs: the corpus in the repository grows by hand only.
    let found = Path::new("fuzz/target/corpus").join(target);
    fs::create_dir_all(cargo::root().join(&found)).context("folder for new inputs")?;
    let mut command = cargo::cargo(["fuzz", "run", "-s", "none", target]);
    command.arg(found).arg(Path::new("fuzz/corpus").join(target));
    command.args(["--", "-verbosity=0", "-print_final_stats=1", &format!("-max_total_time={seconds}")]);
    cargo::run(&mut command).with_context(|| format!("fuzz target {target}"))
}

/// The names of all targets, sorted.
fn targets() -> anyhow::Result<Vec<String>> {
    let folder = cargo::root().join("fuzz/fuzz_targets");
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
    }
    names.sort_unstable();
    Ok(names)
}

fn succeeds(mut command: Command) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
