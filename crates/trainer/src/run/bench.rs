// SPDX-License-Identifier: GPL-3.0-or-later
//! How fast a configuration trains on this machine.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use super::{RunError, device, layout, manifest, plan};
use crate::{Config, Reading, State};

/// What a short training without a folder found out.
#[derive(Clone, Debug)]
pub struct Bench {
    /// Where it computed.
    pub device: String,
    /// Samples of an epoch.
    pub samples: u64,
    /// How long it took to read them, and to judge them where somebody does.
    pub reading: Duration,
    /// Positions per second of the training behind that, from the records in memory on.
    pub speed: f64,
}

/// Trains for a time without writing anything.
///
/// The first fifth of the time is not counted: caches fill, clocks rise, kernels are compiled.
pub fn bench(text: &str, base: &Path, time: Duration, mut reading: Reading<'_>) -> Result<Bench, RunError> {
    let config = Config::parse(text)?;
    device::check(&config)?;
    let layout = layout(&config)?;
    // Without a folder only as many positions are read as memory may hold.
    let started = Instant::now();
    let (loaded, _) = manifest::load(&config, base, None, &mut reading)?;
    let reading = started.elapsed();
    let data = loaded.supply.window(0)?;
    let state = State::start(&layout, config.optimiser.slots(), config.seed);
    let (mut backend, _) = device::choose(&config, &layout, &data, &state)?;
    let mut step = 0;
    let mut steps_for = |backend: &mut dyn crate::Backend, time: Duration| -> Result<f64, RunError> {
        let (started, first) = (Instant::now(), step);
        while started.elapsed() < time {
            // The loss is asked for now and then, which waits until the device has done what it was told.
            for _ in 0..16 {
                backend.step(&plan(&config, &layout, step))?;
                step += 1;
                if started.elapsed() >= time {
                    break;
                }
            }
            backend.take_loss()?;
        }
        Ok((step - first) as f64 * config.run.batch as f64 / started.elapsed().as_secs_f64())
    };
    steps_for(backend.as_mut(), time / 5)?;
    let speed = steps_for(backend.as_mut(), time * 4 / 5)?;
    Ok(Bench { device: backend.describe(), samples: data.samples(), reading, speed })
}
