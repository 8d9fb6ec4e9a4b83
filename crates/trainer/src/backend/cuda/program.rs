// SPDX-License-Identifier: GPL-3.0-or-later
//! The device and the kernels, compiled for one network.

use std::{fmt::Write as _, sync::Arc};

use cudarc::{
    driver::{CudaContext, CudaFunction, CudaStream},
    nvrtc::{CompileError, CompileOptions, compile_ptx_with_opts},
};
use nnue::Activation;

use super::failed;
use crate::{BackendError, Grid, Layout};

const SOURCE: &str = include_str!("kernels.cu");

/// Positions of a tile.
pub(super) const TILE: usize = 64;
/// Views whose gradients one task of the gather sums up.
pub(super) const CHUNK: usize = 128;
/// Parts of the gradient of the accumulator's bias.
pub(super) const BIAS_PARTS: usize = 256;
/// Threads of the head.
pub(super) const HEAD_THREADS: usize = 256;
/// Shared memory that a block has without asking for more.
const SHARED_MEMORY: usize = 48 << 10;

/// Rows of threads that share a sum.
pub(super) fn reducers(width: usize) -> usize {
    2048 / width
}

/// Threads that share the list of a view; small sets are counted otherwise.
pub(super) fn listers(inputs: usize) -> usize {
    if inputs <= 8192 { 1 } else { 16 }
}

/// Whether the forward pass uses other rows than those that are learned.
pub(super) fn folded(layout: &Layout, rounded: bool) -> bool {
    layout.factor.is_some() || rounded
}

macro_rules! kernels {
    ($($name:ident),* $(,)?) => {
        /// The kernels by name.
        pub(super) struct Kernels { $(pub(super) $name: CudaFunction),* }

        impl Kernels {
            fn load(module: &Arc<cudarc::driver::CudaModule>) -> Result<Kernels, BackendError> {
                Ok(Kernels {
                    $($name: module.load_function(stringify!($name)).map_err(failed("finding a kernel"))?),*
                })
            }
        }
    };
}

kernels! {
    sample, arrange, unpack, count, tally, scan, place, order, order_many, accumulate, head, slopes, layer, gather, bias,
    collect, direct_gather, reduce, update, update_rows, update_direct, pull, fold, prepare,
}

/// Opens the first device; an absent driver is an error with a clear line, never a crash.
pub(super) fn open() -> Result<(Arc<CudaContext>, Arc<CudaStream>), BackendError> {
    // SAFETY: both only try to load a library.
    let (driver, compiler) =
        unsafe { (cudarc::driver::sys::is_culib_present(), cudarc::nvrtc::sys::is_culib_present()) };
    if !driver {
        return Err(BackendError::NoCuda("there is no NVIDIA driver (libcuda)".to_owned()));
    }
    if !compiler {
        let hint =
            "there is no libnvrtc; it comes with CUDA, and LD_LIBRARY_PATH may have to name its folder";
        return Err(BackendError::NoCuda(hint.to_owned()));
    }
    let context = CudaContext::new(0).map_err(|error| BackendError::NoCuda(error.to_string()))?;
    // SAFETY: everything happens on one stream, in the order of the calls.
    unsafe { context.disable_event_tracking() };
    let stream = context.new_stream().map_err(failed("making a stream"))?;
    Ok((context, stream))
}

/// Compiles the kernels for a network.
pub(super) fn compile(
    context: &Arc<CudaContext>,
    layout: &Layout,
    group: usize,
    rounded: bool,
) -> Result<Kernels, BackendError> {
    let (major, minor) = context.compute_capability().map_err(failed("asking for the device's kind"))?;
    let options = CompileOptions {
        options: vec![format!("--gpu-architecture=compute_{major}{minor}"), "--std=c++17".to_owned()],
        ..CompileOptions::default()
    };
    let source = format!("{}{SOURCE}", definitions(layout, group, rounded)?);
    let program = compile_ptx_with_opts(source, options).map_err(|error| {
        let cause = match &error {
            CompileError::CompileError { log, .. } => log.to_string_lossy().into_owned(),
            other => format!("{other:?}"),
        };
        BackendError::Cuda { what: "compiling the kernels", cause }
    })?;
    Kernels::load(&context.load_module(program).map_err(failed("loading the kernels"))?)
}

/// The sizes of a network as macros.
pub(super) fn definitions(layout: &Layout, group: usize, rounded: bool) -> Result<String, BackendError> {
    let (arch, features) = (&layout.arch, &layout.features);
    let mut sizes = vec![arch.activations()];
    sizes.extend(arch.layers().into_iter().map(|(_, outputs)| outputs));
    sizes.resize(5, 0);
    let filled = sizes[1].next_multiple_of(4);
    let largest = sizes[1..4].iter().fold(32, |largest, &size| largest.max(size));
    let floats =
        TILE * (largest + 1) + 32 * filled + sizes[1..].iter().map(|size| TILE * (size + 1)).sum::<usize>();
    if 4 * floats + 8 * TILE > SHARED_MEMORY {
        return Err(BackendError::Unsupported("layers as large as these"));
    }
    let activation = match arch.activation {
        Activation::Clipped => 0,
        Activation::Squared => 1,
        Activation::Pairwise => 2,
    };
    let values = [
        ("INPUTS", arch.inputs),
        ("WIDTH", arch.width),
        ("ACTIVATION", activation),
        ("SQUARED_HIDDEN", usize::from(arch.hidden_activation == Activation::Squared)),
        ("BUCKETS", arch.buckets),
        ("LAYERS", layout.layers()),
        ("N0", sizes[0]),
        ("N1", sizes[1]),
        ("N2", sizes[2]),
        ("N3", sizes[3]),
        ("N4", sizes[4]),
        ("STRIDE", features.max_rows()),
        ("MAX_ACTIVE", features.max_active()),
        ("UNIQUE", usize::from(features.needs_counts())),
        ("SHARED", usize::from(layout.factor.is_some())),
        ("GROUP", group),
        ("DIRECT", usize::from(arch.psqt)),
        ("BY_HAND", usize::from(arch.hand_crafted > 0)),
        ("DROPOUT", usize::from(layout.dropout > 0.0)),
        ("ROUNDED", usize::from(rounded)),
        ("TILE", TILE),
        ("CHUNK", CHUNK),
        ("BIAS_PARTS", BIAS_PARTS),
        ("HEAD_THREADS", HEAD_THREADS),
        ("REDUCERS", reducers(arch.width)),
        ("LISTERS", listers(arch.inputs)),
        ("FOLDED", usize::from(folded(layout, rounded))),
    ];
    let mut text = String::new();
    for (name, value) in values {
        let _ = writeln!(text, "#define {name} {value}");
    }
    let mut float = |name: &str, value: f32| {
        let _ = writeln!(text, "#define {name} {value:?}f");
    };
    float("ROW_QUANTUM", layout.tensors[Layout::ROWS].quantum);
    float("DIRECT_QUANTUM", arch.scales.output as f32);
    let mut grids = layout.grids();
    grids.resize(4, Grid::default());
    for (layer, grid) in grids.into_iter().enumerate() {
        // Zero stands for no rounding.
        float(&format!("BEFORE{layer}"), grid.before.filter(|_| rounded).unwrap_or(0.0));
        float(&format!("AFTER{layer}"), grid.after.filter(|_| rounded).unwrap_or(0.0));
        float(&format!("MARGIN{layer}"), if rounded { grid.margin } else { 0.0 });
    }
    Ok(text)
}
