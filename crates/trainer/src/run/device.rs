// SPDX-License-Identifier: GPL-3.0-or-later
//! Which backend a run gets.

use std::sync::Arc;

use crate::{Backend, BackendError, Config, Cpu, Cuda, Dataset, Device, Layout, State};

/// Fails if the configuration insists on a device that is not there: before hours are spent on reading.
pub(super) fn check(config: &Config) -> Result<(), BackendError> {
    match config.device {
        Device::Cuda => Cuda::available(),
        Device::Auto | Device::Cpu => Ok(()),
    }
}

/// The backend that the configuration asks for, and why it is another one if it is.
pub(super) fn choose(
    config: &Config,
    layout: &Layout,
    data: &Arc<Dataset>,
    state: &State,
) -> Result<(Box<dyn Backend>, Option<String>), BackendError> {
    let rounded = config.network.fake_quantisation;
    let cpu = || {
        Cpu::new(layout.clone(), data.clone(), state, config.run.batch, config.threads, rounded)
            .map(|cpu| cpu.with_precision(config.precision))
    };
    let cuda = || Cuda::new(layout.clone(), data, state, config.run.batch, rounded);
    match config.device {
        Device::Cpu => Ok((Box::new(cpu()?), None)),
        Device::Cuda => Ok((Box::new(cuda()?), None)),
        Device::Auto => match cuda() {
            Ok(cuda) => Ok((Box::new(cuda), None)),
            Err(error) => Ok((Box::new(cpu()?), Some(format!("{error}; the CPU trains")))),
        },
    }
}
