// SPDX-License-Identifier: GPL-3.0-or-later
//! The CPU: the specification in 32-bit floats, on all cores, the same bits for every number of threads.
//!
//! ```text
//! records ─► batch (rows, targets) ─► sparse::forward ─► head (layers, loss, back) ─► sparse gradients ─► update
//! ```
//!
//! Every sum has a fixed order: positions are cut into groups and segments by their number alone, and tasks
//! own what they write.

mod batch;
mod dense;
mod direct;
mod head;
mod inverse;
mod lanes;
pub(crate) mod memory;
mod panels;
mod sparse;
mod update;

use std::{ops::Range, sync::Arc};

use rayon::{ThreadPool, ThreadPoolBuilder, prelude::*};

use self::{
    batch::Batch,
    dense::Weights,
    direct::Direct,
    head::{Group, Pass},
    inverse::Inverse,
    lanes::{Line, floats, floats_mut, lines},
    panels::{Panels, SlopeOrder},
    sparse::Rows,
};
use super::{Backend, BackendError, Plan};
use crate::{Dataset, Dropout, Grid, Layout, Loss, Record, State};

/// Positions of a group: whole tiles, and whole segments of views.
const GROUP: usize = 240;
const _: () = assert!(GROUP.is_multiple_of(dense::TILE) && (2 * GROUP).is_multiple_of(batch::SMALL_SEGMENT));
const _: () = assert!(batch::UNIT == 2 * GROUP, "two threads share a unit");
/// Positions that are sorted by bucket and worked on together where kings do not matter; a multiple of a group.
const SMALL: usize = 8 * GROUP;
/// Units that are worked on together for each pair of threads: a compromise between what stays in the cache and how
/// often threads wait for each other.
const UNITS: usize = 4;
/// Positions whose rows are looked up together where they are worked on in smaller chunks: threads meet less often.
const PREPARED: usize = 8 * batch::UNIT;

/// A backend on the CPU; see the module.
pub struct Cpu {
    layout: Layout,
    data: Arc<Dataset>,
    pool: Arc<ThreadPool>,
    rounded: bool,
    steps: u64,
    /// The learned numbers by tensor.
    numbers: Vec<Vec<Line>>,
    /// What the optimiser remembers, by slot and tensor.
    slots: Vec<Vec<Vec<Line>>>,
    /// The rows that the forward pass uses, where they are not the learned ones.
    effective: Option<Vec<Line>>,
    /// By row: whether it ever had a gradient.
    ever: Vec<bool>,
    /// By row: whether it had one in this step.
    touched: Vec<bool>,
    /// Rows that had their first one of this step just now.
    fresh: Vec<u32>,
    /// The layers by bucket and number, as the passes use them.
    weights: Vec<Weights>,
    /// The direct weights as the passes use them, and their gradients.
    direct: Option<Direct>,
    /// By layer: how its inputs are rounded down.
    grids: Vec<Grid>,
    ranges: Vec<Range<u32>>,
    size: usize,
    /// Positions of a batch that are prepared together, a multiple of the next.
    prepared: usize,
    /// Positions of a batch that are worked on together.
    chunk: usize,
    batch: Batch,
    inverses: Vec<Inverse>,
    panels: Panels,
    /// The accumulator's bias as the forward pass uses it.
    bias: Vec<Line>,
    sums: Vec<Line>,
    slopes: Vec<Line>,
    groups: Vec<Group>,
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
        // Rows of one king fit the cache for the whole batch; where all kings share them, what passes between the
        // layers should stay in the cache instead.
        let alike = layout.features.classes() == 1;
        let threads = pool.current_num_threads();
        let (chunk, prepared) = match (alike, layout.arch.buckets) {
            (false, _) => (batch, batch),
            // Wherever batches can be cut, the order of all sums is the same for every size.
            (true, 1) => {
                let chunk = UNITS * batch::UNIT * threads.div_ceil(2);
                (chunk, PREPARED.next_multiple_of(chunk))
            }
            (true, _) => (SMALL, SMALL),
        };
        let panels = Panels::new(layout.arch.inputs, width, if alike { 4 } else { 8 }, threads);
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
            touched: vec![false; layout.arch.inputs],
            weights: (0..layout.arch.buckets).flat_map(weights).collect(),
            direct: layout.direct().map(|direct| Direct::new(layout.tensors[direct].len)),
            grids,
            ranges: batch::class_ranges(&layout.features),
            groups: (0..batch.div_ceil(GROUP)).map(|_| Group::new(&layout.arch)).collect(),
            fresh: Vec::new(),
            size: batch,
            prepared,
            chunk,
            steps: state.steps,
            batch: Batch::default(),
            inverses: Vec::new(),
            bias: Vec::new(),
            sums: Vec::new(),
            slopes: Vec::new(),
            loss: 0.0,
            samples: 0,
            layout,
            data,
            pool: Arc::new(pool),
            rounded,
            numbers,
            slots,
            ever,
            panels,
        };
        cpu.refresh_weights();
        cpu.fold_all();
        Ok(cpu)
    }

    /// Prepares the records of a batch and computes its accumulators.
    fn accumulate(
        &mut self,
        loss: &Loss,
        dropout: &Dropout,
        records: &[Record],
        count: usize,
        locate: impl Fn(usize) -> usize + Sync,
    ) {
        let width = self.layout.arch.width / Line::LEN;
        self.batch.fill(&self.layout, loss, dropout, records, count, locate);
        self.bias = self.numbers[Layout::BIAS].clone();
        if self.rounded {
            let tensor = &self.layout.tensors[Layout::BIAS];
            floats_mut(&mut self.bias).iter_mut().for_each(|number| *number = tensor.rounded(*number));
        }
        // Where all kings share their rows, each tile computes its own accumulators.
        let count = if self.layout.features.classes() == 1 { 0 } else { 2 * count * width };
        memory::resize(&mut self.sums, Line::ZERO, count);
        let rows = self.effective.as_deref().unwrap_or(&self.numbers[Layout::ROWS]);
        Rows { rows, bias: &self.bias }.accumulate_all(&self.batch, &mut self.sums);
    }

    fn learn(&mut self, plan: &Plan) {
        let (data, samples) = (self.data.clone(), self.data.samples());
        let epoch = plan.first / samples;
        let orders = [data.order(epoch), data.order(epoch + 1), data.order(epoch + 2)];
        let dropout = Dropout::new(self.layout.dropout, orders[0].keys, plan.first);
        self.touched.fill(false);
        self.direct.iter_mut().for_each(Direct::forget);
        self.panels.bias.iter_mut().for_each(|bias| bias.fill(Line::ZERO));
        for start in (0..self.size).step_by(self.prepared) {
            let count = self.prepared.min(self.size - start);
            self.accumulate(&plan.loss, &dropout, data.records(), count, |at| {
                let sample = plan.first + (start + at) as u64;
                let (now, place) = (sample / samples, sample % samples);
                match orders.get((now - epoch) as usize) {
                    Some(order) => data.locate(order, now, place),
                    // Only if the batch is larger than the data.
                    None => data.locate(&data.order(now), now, place),
                }
            });
            inverse::invert(&self.batch, &self.ranges, &mut self.inverses);
            for from in (0..count).step_by(self.chunk) {
                let chunk = from..(from + self.chunk).min(count);
                self.backpropagate(&plan.loss, dropout, chunk, (start + from) / GROUP);
            }
        }
        self.loss += self.groups.iter().map(|group| group.loss).sum::<f64>();
        self.samples += self.size as u64;
        self.update(plan);
        self.steps += 1;
    }

    /// Losses and gradients of some positions of the batch that were accumulated; `first` is the number of their
    /// first group.
    fn backpropagate(&mut self, loss: &Loss, dropout: Dropout, positions: Range<usize>, first: usize) {
        let per_position = 2 * self.layout.arch.width / Line::LEN;
        let count = positions.len();
        let alike = self.layout.features.classes() == 1;
        let order = SlopeOrder {
            lines: per_position / 2,
            width: self.panels.width,
            first: 2 * positions.start,
            views: 2 * count,
            group: alike.then_some(2 * GROUP),
        };
        memory::resize(&mut self.slopes, Line::ZERO, count * per_position);
        let pass = Pass {
            arch: &self.layout.arch,
            weights: &self.weights,
            batch: &self.batch,
            rows: Rows {
                rows: self.effective.as_deref().unwrap_or(&self.numbers[Layout::ROWS]),
                bias: &self.bias,
            },
            sums: &self.sums,
            loss,
            share: 1.0 / self.size as f32,
            direct: self.direct.as_ref().map(|direct| direct.weights.as_slice()),
            dropout,
            grids: &self.grids,
        };
        let slopes = self.slopes.par_chunks_mut(GROUP * per_position);
        self.groups[first..].par_iter_mut().zip(slopes).enumerate().for_each(|(number, (group, slopes))| {
            let start = positions.start + number * GROUP;
            group.learn(&pass, start..start + slopes.len() / per_position, slopes, order);
        });
        // Segments lie within chunks, wherever there are several.
        let from = self.batch.segments.partition_point(|segment| segment.start < 2 * positions.start);
        let to = self.batch.segments.partition_point(|segment| segment.start < 2 * positions.end);
        let (segments, inverses) = (&self.batch.segments[from..to], &self.inverses[from..to]);
        self.fresh.clear();
        for inverse in inverses {
            inverse.mark(&mut self.touched, &mut self.fresh);
        }
        let (panels, batch, direct) = (&mut self.panels, &self.batch, &mut self.direct);
        let groups = &self.groups[first..first + count.div_ceil(GROUP)];
        panels.add(batch, segments, inverses, &self.fresh, &self.slopes, order);
        if let Some(direct) = direct {
            let slopes = groups.iter().flat_map(|group| &group.output_slopes).copied();
            direct.add(batch, positions, slopes);
        }
    }
}

impl Backend for Cpu {
    fn describe(&self) -> String {
        let instructions = match () {
            () if cfg!(target_feature = "avx512f") => "AVX-512",
            () if cfg!(all(target_feature = "avx2", target_feature = "fma")) => "AVX2",
            () => "plain",
        };
        format!("CPU, {} threads, {instructions}", self.pool.current_num_threads())
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
        let loss = crate::LossSpec::default().at(1.0, self.layout.unit());
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

impl Cpu {
    fn evaluate(&mut self, loss: &Loss, records: &[Record], outputs: &mut [f32]) {
        // The batch sorts its records; the numbers tell where each came from.
        let mut order: Vec<usize> = (0..records.len()).collect();
        for order in order.chunks_mut(batch::unit(&self.layout, loss.kind)) {
            order.sort_by_key(|&at| records[at].piece_count());
        }
        self.accumulate(loss, &Dropout::NONE, records, records.len(), |at| at);
        let pass = Pass {
            arch: &self.layout.arch,
            weights: &self.weights,
            batch: &self.batch,
            rows: Rows {
                rows: self.effective.as_deref().unwrap_or(&self.numbers[Layout::ROWS]),
                bias: &self.bias,
            },
            sums: &self.sums,
            loss,
            share: 0.0,
            direct: self.direct.as_ref().map(|direct| direct.weights.as_slice()),
            dropout: Dropout::NONE,
            grids: &self.grids,
        };
        let mut sorted = vec![0.0; records.len()];
        // As many groups as there are, whatever they hold is made anew in every step.
        let groups = self.groups.len();
        let share = records.len().div_ceil(groups).max(1);
        self.groups.par_iter_mut().zip(sorted.par_chunks_mut(share)).enumerate().for_each(
            |(number, (group, outputs))| {
                let start = number * share;
                group.outputs(&pass, start..start + outputs.len(), outputs);
            },
        );
        for (at, output) in order.into_iter().zip(sorted) {
            outputs[at] = output;
        }
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
