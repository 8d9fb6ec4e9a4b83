// SPDX-License-Identifier: GPL-3.0-or-later
//! The CPU: the specification in 32-bit floats, on all cores, the same bits for every number of threads.
//!
//! ```text
//! strands: records ─► batch (rows, targets) ─► sparse ─► head (layers, loss, back) ─► panels (gradients)
//! then:    all gradients ─► update
//! ```
//!
//! Every sum has a fixed order: positions are cut into strands, groups and segments by their number alone, and tasks
//! own what they write.

mod batch;
mod dense;
mod direct;
mod head;
mod inverse;
mod lanes;
pub(crate) mod memory;
mod narrow;
mod panels;
mod sparse;
mod strand;
mod update;

use std::{ops::Range, sync::Arc};

use rayon::{ThreadPool, ThreadPoolBuilder, prelude::*};

use self::{
    dense::Weights,
    lanes::{Line, floats, lines},
    sparse::Rows,
    strand::{Common, Strand},
};
use super::{Backend, BackendError, Plan};
use crate::{Dataset, Dropout, Grid, Layout, Loss, Precision, Record, State};

/// Positions of a group, the work of one task: whole tiles, and few enough for the cache of a core.
const GROUP: usize = 240;
const _: () = assert!(GROUP.is_multiple_of(dense::TILE) && batch::UNIT.is_multiple_of(GROUP));

/// A backend on the CPU; see the module.
pub struct Cpu {
    layout: Layout,
    data: Arc<Dataset>,
    pool: Arc<ThreadPool>,
    rounded: bool,
    precision: Precision,
    steps: u64,
    /// The learned numbers by tensor.
    numbers: Vec<Vec<Line>>,
    /// What the optimiser remembers, by slot and tensor.
    slots: Vec<Vec<Vec<Line>>>,
    /// The rows that the forward pass uses, where they are not the learned ones.
    effective: Option<Vec<Line>>,
    /// By row: whether it ever had a gradient.
    ever: Vec<bool>,
    /// The layers by bucket and number, as the passes use them.
    weights: Vec<Weights>,
    /// The accumulator's bias as the passes use it.
    bias: Vec<Line>,
    /// The direct weights by row and bucket, as the passes use them.
    direct: Option<Vec<Line>>,
    /// By layer: how its inputs are rounded down.
    grids: Vec<Grid>,
    ranges: Vec<Range<u32>>,
    size: usize,
    strands: Vec<Strand>,
    loss: f64,
    samples: u64,
}

impl Cpu {
    /// A backend that goes on from a state. No number of threads (0) means all cores.
    pub fn new(
        layout: Layout,
        data: Arc<Dataset>,
        state: &State,
        batch: usize,
        threads: usize,
        rounded: bool,
    ) -> Result<Cpu, BackendError> {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|cause| BackendError::Threads { threads, cause: cause.to_string() })?;
        let width = layout.arch.width / Line::LEN;
        let numbers: Vec<Vec<Line>> = state.numbers.iter().map(|numbers| lines(numbers)).collect();
        let slots: Vec<Vec<Vec<Line>>> =
            state.slots.iter().map(|slot| slot.iter().map(|numbers| lines(numbers)).collect()).collect();
        let ever = ever_touched(&slots, layout.arch.inputs, width);
        let folded = layout.factor.is_some() || rounded;
        let layers = layout.arch.layers();
        let grids = if rounded { layout.grids() } else { vec![Grid::default(); layout.layers()] };
        let weights = |_| layers.iter().map(|&(inputs, outputs)| Weights::new(inputs, outputs));
        let mut cpu = Cpu {
            effective: folded.then(|| memory::filled(Line::ZERO, layout.arch.inputs * width)),
            weights: (0..layout.arch.buckets).flat_map(weights).collect(),
            strands: strand::strands(&layout, batch, pool.current_num_threads()),
            bias: Vec::new(),
            direct: None,
            grids,
            ranges: batch::class_ranges(&layout.features),
            size: batch,
            steps: state.steps,
            loss: 0.0,
            samples: 0,
            layout,
            data,
            pool: Arc::new(pool),
            rounded,
            precision: Precision::F32,
            numbers,
            slots,
            ever,
        };
        cpu.refresh_weights();
        cpu.fold_all();
        Ok(cpu)
    }

    /// The same backend with another precision of the layer behind the accumulator.
    pub fn with_precision(mut self, precision: Precision) -> Cpu {
        if precision == Precision::Bf16 {
            self.weights.iter_mut().step_by(self.layout.layers()).for_each(Weights::narrow);
            self.refresh_weights();
            self.precision = precision;
        }
        self
    }

    fn learn(&mut self, plan: &Plan) {
        let (data, samples) = (self.data.clone(), self.data.samples());
        let epoch = plan.first / samples;
        let orders = [data.order(epoch), data.order(epoch + 1), data.order(epoch + 2)];
        let dropout = Dropout::new(self.layout.dropout, orders[0].keys, plan.first);
        let locate = |at: usize| {
            let sample = plan.first + at as u64;
            let (now, place) = (sample / samples, sample % samples);
            match orders.get((now - epoch) as usize) {
                Some(order) => data.locate(order, now, place),
                // Only if the batch is larger than the data.
                None => data.locate(&data.order(now), now, place),
            }
        };
        // Taken out while they read everything else.
        let (size, mut strands) = (self.size, std::mem::take(&mut self.strands));
        let common = Common { dropout, share: 1.0 / size as f32, ..self.common(&plan.loss, data.records()) };
        strands.par_iter_mut().with_max_len(1).for_each(|strand| strand.learn(&common, size, &locate));
        self.loss += strands.iter().flat_map(|strand| &strand.groups).map(|group| group.loss).sum::<f64>();
        self.samples += size as u64;
        self.strands = strands;
        self.update(plan);
        self.steps += 1;
    }

    /// What all strands read, for a pass without dropout and gradients.
    fn common<'a>(&'a self, loss: &'a Loss, records: &'a [Record]) -> Common<'a> {
        let rows = self.effective.as_deref().unwrap_or(&self.numbers[Layout::ROWS]);
        Common {
            layout: &self.layout,
            weights: &self.weights,
            rows: Rows { rows, bias: &self.bias },
            loss,
            share: 0.0,
            direct: self.direct.as_deref().map(floats),
            dropout: Dropout::NONE,
            grids: &self.grids,
            ranges: &self.ranges,
            records,
        }
    }

    fn evaluate(&mut self, loss: &Loss, records: &[Record], outputs: &mut [f32]) {
        let mut strands = std::mem::take(&mut self.strands);
        let common = self.common(loss, records);
        let share = records.len().div_ceil(strands.len()).max(1);
        let shares = records.par_chunks(share).zip(outputs.par_chunks_mut(share));
        strands.par_iter_mut().zip(shares).with_max_len(1).for_each(|(strand, (records, outputs))| {
            strand.outputs(&common, records, outputs);
        });
        self.strands = strands;
    }
}

impl Backend for Cpu {
    fn describe(&self) -> String {
        let instructions = match () {
            () if cfg!(target_feature = "avx512f") => "AVX-512",
            () if cfg!(all(target_feature = "avx2", target_feature = "fma")) => "AVX2",
            () => "plain",
        };
        let halves = if self.precision == Precision::Bf16 { ", bf16 forward" } else { "" };
        format!("CPU, {} threads, {instructions}{halves}", self.pool.current_num_threads())
    }

    fn step(&mut self, plan: &Plan) -> Result<(), BackendError> {
        let pool = self.pool.clone();
        pool.install(|| self.learn(plan));
        Ok(())
    }

    fn take_loss(&mut self) -> Result<f64, BackendError> {
        let (loss, samples) = (std::mem::take(&mut self.loss), std::mem::take(&mut self.samples));
        Ok(loss / samples.max(1) as f64)
    }

    fn outputs(&mut self, records: &[Record]) -> Result<Vec<f32>, BackendError> {
        // Targets are computed too and not looked at, so any loss will do.
        let loss = crate::LossSpec::default().at(1.0, &self.layout);
        let mut outputs = vec![0.0; records.len()];
        for (records, outputs) in records.chunks(1 << 14).zip(outputs.chunks_mut(1 << 14)) {
            let pool = self.pool.clone();
            pool.install(|| self.evaluate(&loss, records, outputs));
        }
        Ok(outputs)
    }

    fn state(&mut self) -> Result<State, BackendError> {
        let tensors = &self.layout.tensors;
        let list = |lists: &[Vec<Line>]| -> Vec<Vec<f32>> {
            lists.iter().zip(tensors).map(|(lines, tensor)| floats(lines)[..tensor.len].to_vec()).collect()
        };
        Ok(State {
            steps: self.steps,
            numbers: list(&self.numbers),
            slots: self.slots.iter().map(|slot| list(slot)).collect(),
        })
    }
}

/// By row: whether the optimiser remembers anything of it.
fn ever_touched(slots: &[Vec<Vec<Line>>], rows: usize, width: usize) -> Vec<bool> {
    let memory = &slots[..slots.len().min(2)];
    let row = |row: usize| {
        let lines = memory.iter().flat_map(|slot| &slot[Layout::ROWS][row * width..][..width]);
        lines.flat_map(|line| line.0).any(|number| number != 0.0)
    };
    (0..rows).map(row).collect()
}
