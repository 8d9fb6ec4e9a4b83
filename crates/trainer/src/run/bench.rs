// SPDX-License-Identifier: GPL-3.0-or-later
//! How fast a configuration trains on this machine.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use super::{RunError, device, layout, manifest, plan};
use crate::{Config, Reading, State};

/// Trains for a time without writing anything; tells the device and the positions per second.
///
/// The first fifth of the time is not counted: caches fill, clocks rise, kernels are compiled.
pub fn bench(
    text: &str,
    base: &Path,
    time: Duration,
    mut reading: Reading<'_>,
) -> Result<(String, f64), RunError> {
    let config = Config::parse(text)?;
    let layout = layout(&config)?;
    // Without a folder only as many positions are read as memory may hold.
    let (loaded, _) = manifest::load(&config, base, None, &mut reading)?;
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
    Ok((backend.describe(), speed))
}
