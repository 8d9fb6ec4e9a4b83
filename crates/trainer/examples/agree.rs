// SPDX-License-Identifier: GPL-3.0-or-later
//! Do the CPU and the GPU agree, and where does the GPU's time go?
//!
//! `cargo run --release -p trainer --example agree` trains small networks of every kind for 1,000 steps (or as many as
//! are asked for) on both, with positions from random games. Losses of every step are compared, and a second
//! run on the GPU must end with the same bits. Training magnifies the smallest difference, so the CPU also
//! trains from a start that differs in the last bits: what two such runs are apart is not for a GPU to mend. The gradients
//! of the first step are compared number by number.
//!
//! `... --example agree -- CONFIG STEPS` compares on the data of a configuration and then measures the GPU alone, once
//! freely and once waiting for every kernel.

#[path = "agree/cases.rs"]
mod cases;
#[path = "../tests/laws/positions.rs"]
mod positions;
#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/laws/shapes.rs"]
mod shapes;

use std::{env, fs, path::Path, process::ExitCode, sync::Arc, time::Instant};

use anyhow::{Result, bail};
use trainer::{Backend, Config, Cpu, Cuda, Dataset, State, run};

fn main() -> Result<ExitCode> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => Ok(cases::all(1000)),
        [steps] => Ok(cases::all(steps.parse()?)),
        [config, steps] => on_data(config, steps.parse()?).map(|()| ExitCode::SUCCESS),
        _ => bail!("expected STEPS, or CONFIG and STEPS"),
    }
}

#[allow(clippy::print_stdout, reason = "an example reports on standard output")]
fn on_data(path: &str, steps: u64) -> Result<()> {
    let config = Config::parse(&fs::read_to_string(path)?)?;
    let base = Path::new(path).parent().unwrap_or(Path::new(""));
    let layout = run::layout(&config)?;
    if layout.arch.hand_crafted > 0 {
        bail!(
            "network.hand_crafted: there is no engine here, expected 0; `agree STEPS` has such networks too"
        );
    }
    let files: Vec<_> =
        config.data.files.iter().map(|file| file.parts()).map(|(path, w)| (base.join(path), w)).collect();
    let (data, held_out) =
        Dataset::load(&files, config.data.hold_out, config.seed, config.loss.kind.group())?;
    let data = Arc::new(data);
    let state = State::start(&layout, config.optimiser.slots(), config.seed);
    let (batch, rounded) = (config.run.batch, config.network.fake_quantisation);
    let mut cuda = Cuda::new(layout.clone(), &data, &state, batch, rounded)?;
    println!("{} of {} on {}", layout.arch, layout.features, cuda.describe());

    if steps > 0 {
        let mut cpu = Cpu::new(layout.clone(), data.clone(), &state, batch, config.threads, rounded)?;
        let (mut worst, mut worst_at) = (0.0, 0);
        for step in 0..steps {
            let plan = run::plan(&config, &layout, step);
            cpu.step(&plan)?;
            cuda.step(&plan)?;
            let (a, b) = (cpu.take_loss()?, cuda.take_loss()?);
            let apart = (a / b - 1.0).abs();
            if apart.is_nan() || apart > worst {
                (worst, worst_at) = (apart, step);
            }
            if step < 3 || (step + 1) % (steps / 5).max(1) == 0 {
                println!("step {step}: CPU {a:.9}, GPU {b:.9}, apart {apart:.2e}");
            }
        }
        println!(
            "largest relative difference of the loss over {steps} steps: {worst:.2e} at step {worst_at}"
        );
        let some = &held_out[..held_out.len().min(20_000)];
        let pairs = cpu.outputs(some)?.into_iter().zip(cuda.outputs(some)?);
        let apart = pairs.map(|(a, b)| f64::from((a - b).abs())).fold(0.0, f64::max);
        println!("largest difference of {} outputs: {apart:.2e}", some.len());
    }

    let go = |cuda: &mut Cuda, from: u64, count: u64| -> Result<f64> {
        let started = Instant::now();
        for step in from..from + count {
            cuda.step(&run::plan(&config, &layout, step))?;
        }
        cuda.take_loss()?;
        Ok(count as f64 * batch as f64 / started.elapsed().as_secs_f64())
    };
    go(&mut cuda, steps, 100)?;
    println!("GPU alone: {:.2} million positions per second", go(&mut cuda, steps + 100, 1000)? / 1e6);
    cuda.measure();
    go(&mut cuda, steps + 1100, 200)?;
    for (kernel, seconds) in cuda.times() {
        println!("{kernel:<12} {:8.1} µs per step", 1e6 * seconds / 200.0);
    }
    Ok(())
}
