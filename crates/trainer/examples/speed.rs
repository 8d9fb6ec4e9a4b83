// SPDX-License-Identifier: GPL-3.0-or-later
//! How much CPU time training takes: `cargo run --release -p trainer --example speed -- CONFIG STEPS`.
//!
//! Positions per second of CPU time do not depend on what else the machine is doing; `nue train --bench` counts
//! seconds of the clock.

use std::{env, fs, path::Path};

use anyhow::{Result, bail};
use trainer::{Backend, Config, Cpu, Reading, State, run};

/// CPU seconds of this process; Linux counts hundredths.
fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let times = stat.split_whitespace().skip(13).take(2);
    times.filter_map(|word| word.parse::<f64>().ok()).sum::<f64>() / 100.0
}

#[allow(clippy::print_stdout, reason = "an example reports on standard output")]
fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [config, steps] = arguments.as_slice() else { bail!("expected CONFIG and STEPS") };
    let (config, steps) = (Config::parse(&fs::read_to_string(config)?)?, steps.parse::<u64>()?);
    let layout = run::layout(&config)?;
    let (data, _) = run::data(&config, Path::new(""), Reading::default())?;
    let state = State::start(&layout, config.optimiser.slots(), config.seed);
    let batch = config.run.batch;
    let rounded = config.network.fake_quantisation;
    let cpu = Cpu::new(layout.clone(), data, &state, batch, config.threads, rounded)?;
    let mut cpu = cpu.with_precision(config.precision);
    for step in 0..5 {
        cpu.step(&run::plan(&config, &layout, step))?;
    }
    let before = cpu_seconds();
    for step in 5..5 + steps {
        cpu.step(&run::plan(&config, &layout, step))?;
    }
    let taken = cpu_seconds() - before;
    let speed = steps as f64 * batch as f64 / taken;
    println!("{}: {speed:.0} positions per second of one core", cpu.describe());
    Ok(())
}
