// SPDX-License-Identifier: GPL-3.0-or-later
//! What changes from step to step, as `struct Step` of the kernels has it.

use cudarc::driver::DeviceRepr;

use crate::{Dataset, Dropout, Formula, Layout, LossKind, Plan};

/// The same fields in the same order as in `kernels.cu`.
#[derive(Copy, Clone, Debug, Default)]
#[repr(C)]
pub(super) struct Step {
    first: u64,
    samples: u64,
    epoch: u64,
    half_bits: u32,
    parts: u32,
    batch: u32,
    tiles: u32,
    keys: [[u32; 4]; 2],
    loss_kind: u32,
    exponent: f32,
    slope: f32,
    target_slope: f32,
    lambda: f32,
    unit: f32,
    by_hand: f32,
    share: f32,
    formula: u32,
    rate: f32,
    memory: [f32; 2],
    root: f32,
    epsilon: f32,
    keep: f32,
    l2: f32,
    clip: f32,
    row_limit: f32,
    pull: f32,
    direct_limit: f32,
    drop_seed: u32,
    drop_below: u32,
    drop_scale: f32,
}

// SAFETY: plain numbers in C order; the kernels declare the same struct.
unsafe impl DeviceRepr for Step {}

impl Step {
    /// A step of a run.
    pub(super) fn new(plan: &Plan, data: &Dataset, layout: &Layout, batch: usize, tiles: usize) -> Step {
        let samples = data.samples();
        let epoch = plan.first / samples.max(1);
        let orders = [data.order(epoch), data.order(epoch + 1)];
        let (loss, rule) = (&plan.loss, &plan.rule);
        let dropout = Dropout::new(layout.dropout, orders[0].keys, plan.first);
        Step {
            first: plan.first,
            samples,
            epoch,
            half_bits: orders[0].half_bits,
            parts: data.parts().len() as u32,
            batch: batch as u32,
            tiles: tiles as u32,
            keys: orders.map(|order| order.keys),
            loss_kind: match loss.kind {
                LossKind::Power => 0,
                LossKind::CrossEntropy => 1,
                LossKind::MeanSquare => 2,
                LossKind::Pqr => 3,
            },
            exponent: loss.exponent,
            slope: loss.slope,
            target_slope: loss.target_slope,
            lambda: loss.lambda,
            unit: loss.unit,
            by_hand: loss.by_hand,
            share: 1.0 / batch as f32,
            formula: match rule.formula {
                Formula::Adaptive => 0,
                Formula::Cautious => 1,
                Formula::Adadelta => 2,
                Formula::Momentum => 3,
            },
            rate: rule.rate,
            memory: rule.memory,
            root: rule.root,
            epsilon: rule.epsilon,
            keep: rule.keep,
            l2: rule.l2,
            clip: rule.clip,
            row_limit: layout.tensors[Layout::ROWS].limit,
            pull: plan.pull.unwrap_or(0.0),
            direct_limit: layout.direct().map_or(0.0, |direct| layout.tensors[direct].limit),
            drop_seed: dropout.seed,
            drop_below: dropout.below,
            drop_scale: dropout.scale,
        }
    }

    /// A step that only asks for outputs.
    pub(super) fn outputs(tiles: usize, unit: f32) -> Step {
        Step { tiles: tiles as u32, unit, samples: 1, drop_scale: 1.0, ..Step::default() }
    }
}
