// SPDX-License-Identifier: GPL-3.0-or-later
//! An NVIDIA GPU: the same steps as on the CPU, with the data set, the feature tables and all weights on the device.
//!
//! The driver and the compiler are loaded when they are asked for; without them a run gets a clear line and the
//! CPU. Floats are 32 bits wide as on the CPU, never shortened for tensor cores. Sums have a fixed order, so that a
//! run can be repeated to the bit, but not the order of the CPU: the two agree closely.
//! `kernels.cu` says what happens; this module only owns memory and launches.

#![allow(unsafe_code, reason = "kernels are launched with what they declare")]

mod memory;
mod program;
mod step;

use std::{cell::RefCell, collections::BTreeMap, sync::Arc, time::Instant};

use cudarc::driver::{CudaContext, CudaStream, DriverError, LaunchConfig, PushKernelArg};

use self::{
    memory::{Memory, slot_count},
    program::{BIAS_PARTS, HEAD_THREADS, Kernels, TILE, folded, listers, reducers},
    step::Step,
};
use super::{Backend, BackendError, Plan};
use crate::{Dataset, Layout, Record, State};

/// A backend on a GPU; see the module.
pub struct Cuda {
    layout: Layout,
    data: Arc<Dataset>,
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    kernels: Kernels,
    memory: Memory,
    batch: usize,
    tiles: usize,
    folded: bool,
    steps: u64,
    samples: u64,
    /// Seconds by kernel, if they are measured.
    times: Option<RefCell<BTreeMap<&'static str, f64>>>,
}

/// Names what was tried when the driver refused.
fn failed(what: &'static str) -> impl Fn(DriverError) -> BackendError {
    move |error| BackendError::Cuda { what, cause: error.to_string() }
}

/// Launches a kernel: blocks, threads, and arguments in the order of its declaration.
macro_rules! launch {
    ($self:expr, $kernel:ident, $blocks:expr, $threads:expr, $($argument:expr),* $(,)?) => {{
        let (grid, block) = (Shape::from($blocks), Shape::from($threads));
        let shape = LaunchConfig { grid_dim: grid.0, block_dim: block.0, shared_mem_bytes: 0 };
        let mut launch = $self.stream.launch_builder(&$self.kernels.$kernel);
        $(launch.arg(&$argument);)*
        let started = Instant::now();
        // SAFETY: arguments are those that the kernel declares, and its sizes are those of the buffers.
        unsafe { launch.launch(shape) }.map_err(failed(concat!("launching ", stringify!($kernel))))?;
        if let Some(times) = &$self.times {
            $self.stream.synchronize().map_err(failed(concat!("running ", stringify!($kernel))))?;
            *times.borrow_mut().entry(stringify!($kernel)).or_default() += started.elapsed().as_secs_f64();
        }
    }};
}

/// Blocks of a grid or threads of a block.
struct Shape((u32, u32, u32));

impl From<usize> for Shape {
    fn from(x: usize) -> Shape {
        Shape((x as u32, 1, 1))
    }
}

impl From<(usize, usize)> for Shape {
    fn from((x, y): (usize, usize)) -> Shape {
        Shape((x as u32, y as u32, 1))
    }
}

impl Cuda {
    /// Fails if there is no device.
    pub fn available() -> Result<(), BackendError> {
        program::open().map(|_| ())
    }

    /// A backend that goes on from a state.
    pub fn new(
        layout: Layout,
        data: &Arc<Dataset>,
        state: &State,
        batch: usize,
        rounded: bool,
    ) -> Result<Cuda, BackendError> {
        let (context, stream) = program::open()?;
        if data.samples() < batch as u64 {
            return Err(BackendError::Unsupported("a data set smaller than a batch"));
        }
        // A row may have a view twice there, which the inverse index of the kernels cannot say.
        if layout.features.is_counted() && layout.features.shares() {
            return Err(BackendError::Unsupported("features that are counted"));
        }
        if data.group() > 1 && layout.arch.buckets > 1 {
            return Err(BackendError::Unsupported("triplets with more than one bucket"));
        }
        let kernels = program::compile(&context, &layout, data.group(), rounded)?;
        let memory = Memory::new(&context, &stream, &layout, data, state, batch, rounded)?;
        let cuda = Cuda {
            folded: folded(&layout, rounded),
            tiles: slot_count(batch, layout.arch.buckets, data.group()) / TILE,
            data: data.clone(),
            steps: state.steps,
            samples: 0,
            times: None,
            layout,
            context,
            stream,
            kernels,
            memory,
            batch,
        };
        cuda.prepare()?;
        cuda.fold()?;
        Ok(cuda)
    }

    /// From now on waits for every kernel and measures it: slower, but it shows where the time goes.
    pub fn measure(&mut self) {
        self.times = Some(RefCell::default());
    }

    /// Seconds by kernel since [`Cuda::measure`].
    pub fn times(&self) -> Vec<(&'static str, f64)> {
        self.times.iter().flat_map(|times| times.borrow().clone()).collect()
    }

    /// Computes what the passes use from the small tensors.
    fn prepare(&self) -> Result<(), BackendError> {
        let m = &self.memory;
        let small = m.small.count as u32;
        launch!(
            self,
            prepare,
            m.small.count.div_ceil(256),
            256,
            small,
            m.small.numbers,
            m.quanta,
            m.small_effective,
            m.first_layer
        );
        Ok(())
    }

    /// Computes what the forward pass uses from the feature rows; in an ordinary step `update_rows` does.
    fn fold(&self) -> Result<(), BackendError> {
        if self.folded {
            let m = &self.memory;
            let (lanes, rows) = self.row_block();
            launch!(
                self,
                fold,
                self.layout.arch.inputs.div_ceil(rows),
                (lanes, rows),
                m.rows.numbers,
                m.shared.numbers,
                m.shared_rows,
                m.effective
            );
        }
        Ok(())
    }

    /// Threads of a row, and rows of a block.
    fn row_block(&self) -> (usize, usize) {
        let lanes = self.layout.arch.width / 4;
        (lanes, (256 / lanes).max(1))
    }

    /// From the records of the slots to their accumulators.
    fn forward(
        &self,
        step: Step,
        tiles: usize,
        records: &cudarc::driver::CudaSlice<u32>,
    ) -> Result<(), BackendError> {
        let m = &self.memory;
        let views = 2 * TILE * tiles;
        launch!(
            self,
            unpack,
            views.div_ceil(128),
            128,
            step,
            *records,
            m.slots,
            m.table,
            m.lengths,
            m.lists,
            m.list_lengths,
            m.targets,
            m.seeds
        );
        let rows = if self.folded { &m.effective } else { &m.rows.numbers };
        let threads = self.layout.arch.width / 2;
        launch!(
            self,
            accumulate,
            TILE * tiles,
            threads,
            *rows,
            m.small_effective,
            m.lists,
            m.list_lengths,
            m.tile_buckets,
            m.direct.numbers,
            m.sums,
            m.said
        );
        Ok(())
    }

    fn learn(&mut self, plan: &Plan) -> Result<(), BackendError> {
        let step = Step::new(plan, &self.data, &self.layout, self.batch, self.tiles);
        self.choose(step)?;
        self.forward(step, self.tiles, &self.memory.records)?;
        self.invert()?;
        self.backward(step)?;
        self.update(step, plan.pull.is_some())?;
        self.prepare()?;
        self.steps += 1;
        self.samples += self.batch as u64;
        Ok(())
    }

    /// Which record each slot is.
    fn choose(&mut self, step: Step) -> Result<(), BackendError> {
        let blocks = self.batch.div_ceil(256);
        if self.layout.arch.buckets > 1 {
            let m = &mut self.memory;
            self.stream.memcpy_dtod(&m.nothing, &mut m.slots).map_err(failed("clearing slots"))?;
        }
        let m = &self.memory;
        launch!(self, sample, blocks, 256, step, m.parts, m.records, m.slots, m.chosen, m.ranks, m.counts);
        if self.layout.arch.buckets > 1 {
            launch!(
                self,
                arrange,
                blocks,
                256,
                step,
                m.chosen,
                m.ranks,
                m.counts,
                m.slots,
                m.tile_buckets,
                m.bucket_tiles
            );
        }
        Ok(())
    }

    /// The inverse index: row to views.
    fn invert(&mut self) -> Result<(), BackendError> {
        self.stream.memset_zeros(&mut self.memory.row_counts).map_err(failed("clearing counts"))?;
        self.stream.memset_zeros(&mut self.memory.many).map_err(failed("clearing counts"))?;
        let m = &self.memory;
        let views = 2 * TILE * self.tiles;
        let threads = views * listers(self.layout.arch.inputs);
        let (blocks, count) = (threads.div_ceil(256), views as u32);
        launch!(self, count, blocks, 256, count, m.lists, m.list_lengths, m.row_counts);
        let sums = self.layout.arch.inputs.div_ceil(1024);
        launch!(self, tally, sums, 1024, m.row_counts, m.block_views, m.block_tasks);
        launch!(
            self,
            scan,
            sums,
            1024,
            m.row_counts,
            m.block_views,
            m.block_tasks,
            m.row_starts,
            m.row_tasks,
            m.cursors,
            m.tasks,
            m.many
        );
        launch!(self, place, blocks, 256, count, m.lists, m.list_lengths, m.cursors, m.sorted);
        launch!(self, order, self.layout.arch.inputs.div_ceil(8), 256, m.row_starts, m.sorted, m.ordered);
        launch!(self, order_many, 1024, 256, count, m.many, m.row_starts, m.sorted, m.ordered);
        Ok(())
    }

    /// From the sums to the outputs; also back again if something is to be learned.
    fn head(&self, step: Step, tiles: usize, learn: bool) -> Result<(), BackendError> {
        let m = &self.memory;
        let learn = u32::from(learn);
        launch!(
            self,
            head,
            tiles,
            HEAD_THREADS,
            step,
            learn,
            m.records,
            m.sums,
            m.small_effective,
            m.first_layer,
            m.said,
            m.seeds,
            m.tile_buckets,
            m.slots,
            m.targets,
            m.outputs,
            m.layer_slopes,
            m.head_parts,
            m.total
        );
        Ok(())
    }

    fn backward(&self, step: Step) -> Result<(), BackendError> {
        let m = &self.memory;
        self.head(step, self.tiles, true)?;
        let columns = self.layout.arch.activations() / 64;
        launch!(
            self,
            slopes,
            (self.tiles, columns),
            256,
            step,
            m.sums,
            m.small_effective,
            m.seeds,
            m.tile_buckets,
            m.layer_slopes,
            m.view_slopes
        );
        let range = m.range as u32;
        launch!(
            self,
            layer,
            (columns, self.tiles.div_ceil(m.range)),
            256,
            step,
            range,
            m.sums,
            m.seeds,
            m.tile_buckets,
            m.bucket_tiles,
            m.layer_slopes,
            m.layer_parts
        );
        let (lanes, rows) = self.row_block();
        launch!(
            self,
            gather,
            m.max_tasks.div_ceil(rows),
            (lanes, rows),
            m.row_starts,
            m.row_tasks,
            m.tasks,
            m.ordered,
            m.view_slopes,
            m.partial
        );
        let views = (2 * TILE * self.tiles) as u32;
        launch!(
            self,
            bias,
            BIAS_PARTS,
            (lanes, reducers(self.layout.arch.width)),
            views,
            m.view_slopes,
            m.bias_parts
        );
        let count = m.small.count as u32;
        launch!(
            self,
            collect,
            m.small.count.div_ceil(32),
            (32, 16),
            count,
            range,
            m.bucket_tiles,
            m.bias_parts,
            m.layer_parts,
            m.head_parts,
            m.small.gradients
        );
        if self.layout.arch.psqt {
            launch!(
                self,
                direct_gather,
                m.max_tasks.div_ceil(16),
                (16, 16),
                m.row_starts,
                m.row_tasks,
                m.tasks,
                m.ordered,
                m.tile_buckets,
                m.outputs,
                m.direct_partial
            );
        }
        Ok(())
    }

    fn update(&self, step: Step, pull: bool) -> Result<(), BackendError> {
        let m = &self.memory;
        let (lanes, rows) = self.row_block();
        if let Some(factor) = &self.layout.factor {
            launch!(
                self,
                reduce,
                factor.count,
                (lanes, reducers(self.layout.arch.width)),
                m.member_starts,
                m.members,
                m.row_tasks,
                m.partial,
                m.shared.gradients
            );
            let count = m.shared.count as u32;
            launch!(
                self,
                update,
                m.shared.count.div_ceil(256),
                256,
                step,
                count,
                m.shared.numbers,
                m.shared.slots[0],
                m.shared.slots[1],
                m.shared.gradients,
                m.shared_limits
            );
        }
        let count = m.small.count as u32;
        launch!(
            self,
            update,
            m.small.count.div_ceil(256),
            256,
            step,
            count,
            m.small.numbers,
            m.small.slots[0],
            m.small.slots[1],
            m.small.gradients,
            m.limits
        );
        launch!(
            self,
            update_rows,
            self.layout.arch.inputs.div_ceil(rows),
            (lanes, rows),
            step,
            m.row_tasks,
            m.partial,
            m.rows.numbers,
            m.rows.slots[0],
            m.rows.slots[1],
            m.shared.numbers,
            m.shared_rows,
            m.effective
        );
        if self.layout.arch.psqt {
            launch!(
                self,
                update_direct,
                m.direct.count.div_ceil(256),
                256,
                step,
                m.row_tasks,
                m.direct_partial,
                m.direct.numbers,
                m.direct.slots[0],
                m.direct.slots[1]
            );
        }
        if pull {
            for tensor in [&m.rows, &m.small, &m.shared, &m.direct] {
                if let Some(slow) = tensor.slots.get(2) {
                    let count = tensor.count as u64;
                    launch!(self, pull, 1024, 256, step, count, tensor.numbers, *slow);
                }
            }
            self.fold()?;
        }
        Ok(())
    }

    /// The outputs of at most a batch of positions.
    fn evaluate(&mut self, records: &[Record], outputs: &mut [f32]) -> Result<(), BackendError> {
        let arch = &self.layout.arch;
        let mut order: Vec<usize> = (0..records.len()).collect();
        order.sort_by_key(|&at| arch.bucket(records[at].piece_count()));
        let (mut slots, mut buckets) = (Vec::new(), Vec::new());
        for at in order {
            let bucket = arch.bucket(records[at].piece_count()) as u32;
            if slots.len() % TILE == 0 || buckets.last() != Some(&bucket) {
                slots.resize(slots.len().next_multiple_of(TILE), u32::MAX);
                buckets.push(bucket);
            }
            slots.push(at as u32);
        }
        slots.resize(slots.len().next_multiple_of(TILE), u32::MAX);
        let tiles = buckets.len();
        self.memory.upload_check(&self.stream, records, &slots, &buckets)?;
        let step = Step::outputs(tiles, self.layout.unit() as f32);
        self.forward(step, tiles, &self.memory.check)?;
        self.head(step, tiles, false)?;
        let found = self.stream.clone_dtoh(&self.memory.outputs).map_err(failed("reading outputs"))?;
        for (&record, output) in slots.iter().zip(found) {
            if record != u32::MAX {
                outputs[record as usize] = output;
            }
        }
        self.memory.restore_slots(&self.stream, self.layout.arch.buckets)
    }
}

impl Backend for Cuda {
    fn describe(&self) -> String {
        self.context.name().unwrap_or_else(|_| "CUDA".to_owned())
    }

    fn step(&mut self, plan: &Plan) -> Result<(), BackendError> {
        self.learn(plan)
    }

    fn take_loss(&mut self) -> Result<f64, BackendError> {
        let total = self.stream.clone_dtoh(&self.memory.total).map_err(failed("reading the loss"))?;
        self.stream.memset_zeros(&mut self.memory.total).map_err(failed("clearing the loss"))?;
        let samples = std::mem::take(&mut self.samples);
        Ok(total.iter().sum::<f64>() / samples.max(1) as f64)
    }

    fn outputs(&mut self, records: &[Record]) -> Result<Vec<f32>, BackendError> {
        let mut outputs = vec![0.0; records.len()];
        let batch = self.batch;
        for (records, outputs) in records.chunks(batch).zip(outputs.chunks_mut(batch)) {
            self.evaluate(records, outputs)?;
        }
        Ok(outputs)
    }

    fn state(&mut self) -> Result<State, BackendError> {
        self.memory.state(&self.stream, &self.layout, self.steps)
    }
}
