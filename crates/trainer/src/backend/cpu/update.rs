// SPDX-License-Identifier: GPL-3.0-or-later
//! The end of a step: gradients are summed up, weights follow, and what the passes use is made anew.

use rayon::prelude::*;

use super::{
    Cpu,
    dense::lines_of,
    head::Group,
    lanes::{Line, floats, floats_mut},
    panels::Panels,
    strand::Strand,
};
use crate::{Factor, Layout, Plan, Rule, Tensor};

/// Rows that one task updates.
const ROWS: usize = 64;

impl Cpu {
    /// Lets all weights follow the gradients of the batch.
    pub(super) fn update(&mut self, plan: &Plan) {
        let rule = &plan.rule;
        self.update_layers(rule);
        // The first strand takes the others' gradients to its own.
        if let Some((first, others)) = self.strands.split_first_mut() {
            others.iter().for_each(|other| first.add_rows(other));
        }
        let bias: Vec<Line> = self.strands[0].panels.bias.iter().flatten().copied().collect();
        self.apply(Layout::BIAS, rule, &bias);
        if let Some(shared) = self.layout.shared() {
            let gradients = self.shared_gradients();
            self.apply(shared, rule, &gradients);
        }
        if let (Some(tensor), Some(direct)) = (self.layout.direct(), self.strands[0].direct.take()) {
            self.apply(tensor, rule, &direct.0);
            self.strands[0].direct = Some(direct);
        }
        self.update_rows(rule);
        if let Some(pull) = plan.pull {
            self.pull(pull);
        }
        self.refresh_weights();
    }

    /// Updates a whole tensor.
    fn apply(&mut self, tensor: usize, rule: &Rule, gradients: &[Line]) {
        let limit = self.layout.tensors[tensor].limit;
        let numbers = &mut self.numbers[tensor];
        let mut none: [Line; 0] = [];
        let (first, second) = match self.slots.as_mut_slice() {
            [first, second, ..] => (&mut first[tensor][..], &mut second[tensor][..]),
            [first] => (&mut first[tensor][..], &mut none[..]),
            [] => return,
        };
        rule.apply(floats_mut(numbers), floats(gradients), [floats_mut(first), floats_mut(second)], limit);
    }

    fn update_layers(&mut self, rule: &Rule) {
        let layers = self.layout.layers();
        let summed: Vec<[Vec<Line>; 2]> = (0..self.weights.len())
            .into_par_iter()
            .map(|number| {
                let (inputs, outputs) = (self.weights[number].inputs, self.weights[number].outputs);
                let groups = self.strands.iter().flat_map(|strand| &strand.groups);
                sum_layer(groups, number, layers, inputs, outputs)
            })
            .collect();
        for (number, [weights, bias]) in summed.into_iter().enumerate() {
            let (weight_tensor, bias_tensor) = self.layout.layer(number / layers, number % layers);
            self.apply(weight_tensor, rule, &weights);
            self.apply(bias_tensor, rule, &bias);
        }
    }

    /// The gradients of the virtual rows: those of their real rows, summed up.
    fn shared_gradients(&self) -> Vec<Line> {
        let width = self.layout.arch.width / Line::LEN;
        let Some(factor) = &self.layout.factor else { return Vec::new() };
        let Strand { touched, panels, .. } = &self.strands[0];
        let mut gradients = vec![Line::ZERO; factor.count * width];
        gradients.par_chunks_exact_mut(width).enumerate().for_each(|(shared, total)| {
            for &row in factor.members(shared) {
                if touched[row as usize] {
                    for (column, total) in total.chunks_exact_mut(panels.width).enumerate() {
                        let gradient = panels.row(column, row as usize);
                        for (total, gradient) in floats_mut(total).iter_mut().zip(floats(gradient)) {
                            *total += gradient;
                        }
                    }
                }
            }
        });
        gradients
    }

    fn update_rows(&mut self, rule: &Rule) {
        let width = self.layout.arch.width / Line::LEN;
        let limit = self.layout.tensors[Layout::ROWS].limit;
        // Without memory, gradient and decay a row stays as it is.
        let still = rule.keep == 1.0 && rule.l2 == 0.0;
        let Strand { touched, panels, .. } = &self.strands[0];
        let zeros = vec![Line::ZERO; panels.width];
        let mut slots = self.slots.iter_mut().map(|slot| &mut slot[Layout::ROWS][..]);
        let (first, second) = (slots.next().unwrap_or_default(), slots.next());
        // A rule with one slot has nothing for the other.
        let tasks = self.numbers[Layout::ROWS].len().div_ceil(ROWS * width);
        let second = second.into_iter().flat_map(|slot| slot.chunks_mut(ROWS * width)).map(Some);
        let mut second: Vec<_> = second.chain(std::iter::repeat_with(|| None)).take(tasks).collect();
        self.numbers[Layout::ROWS]
            .par_chunks_mut(ROWS * width)
            .zip(first.par_chunks_mut(ROWS * width))
            .zip(&mut second)
            .zip(self.ever.par_chunks_mut(ROWS))
            .enumerate()
            .for_each(|(number, (((numbers, first), second), ever))| {
                for (at, ever) in ever.iter_mut().enumerate() {
                    let row = number * ROWS + at;
                    *ever |= touched[row];
                    if still && !*ever {
                        continue;
                    }
                    for column in 0..panels.panels.len() {
                        let piece =
                            at * width + column * panels.width..at * width + (column + 1) * panels.width;
                        let gradient = if touched[row] { panels.row(column, row) } else { &zeros };
                        let second = second.as_deref_mut().map(|slot| &mut slot[piece.clone()]);
                        let slots = [&mut first[piece.clone()], second.unwrap_or_default()];
                        rule.apply(
                            floats_mut(&mut numbers[piece]),
                            floats(gradient),
                            slots.map(floats_mut),
                            limit,
                        );
                    }
                }
            });
        self.fold_all();
    }

    /// Lets the slow weights follow, and the fast ones begin with them.
    fn pull(&mut self, pull: f32) {
        let [_, _, slow] = self.slots.as_mut_slice() else { return };
        for (fast, slow) in self.numbers.iter_mut().zip(slow) {
            fast.par_iter_mut().zip(slow).for_each(|(fast, slow)| {
                for (fast, slow) in fast.0.iter_mut().zip(&mut slow.0) {
                    *slow += pull * (*fast - *slow);
                    *fast = *slow;
                }
            });
        }
        self.fold_all();
    }

    /// Computes the rows that the forward pass uses, where they are not the learned ones.
    pub(super) fn fold_all(&mut self) {
        let Some(effective) = &mut self.effective else { return };
        let width = self.layout.arch.width / Line::LEN;
        let shared = self.layout.shared().map(|shared| &self.numbers[shared]);
        let (factor, rounded) = (self.layout.factor.as_ref(), self.rounded);
        let tensor = &self.layout.tensors[Layout::ROWS];
        effective
            .par_chunks_mut(ROWS * width)
            .zip(self.numbers[Layout::ROWS].par_chunks(ROWS * width))
            .enumerate()
            .for_each(|(number, (effective, rows))| {
                let pairs = effective.chunks_exact_mut(width).zip(rows.chunks_exact(width));
                for (at, (effective, row)) in pairs.enumerate() {
                    let more = factor.zip(shared).and_then(|(factor, shared)| {
                        let row = factor.of_row[number * ROWS + at];
                        (row != Factor::NONE).then(|| &shared[row as usize * width..][..width])
                    });
                    fold(floats_mut(effective), floats(row), more.map(floats), rounded.then_some(tensor));
                }
            });
    }

    /// Makes bias, layers and direct weights ready for the passes.
    pub(super) fn refresh_weights(&mut self) {
        let layers = self.layout.layers();
        let (layout, numbers, rounded) = (&self.layout, &self.numbers, self.rounded);
        let in_use = |number: usize| in_use(&numbers[number], &layout.tensors[number], rounded);
        self.bias = in_use(Layout::BIAS);
        self.direct = layout.direct().map(in_use);
        self.weights.par_iter_mut().enumerate().for_each(|(number, weights)| {
            let (weight_tensor, bias_tensor) = layout.layer(number / layers, number % layers);
            let count = layout.tensors[weight_tensor].len;
            weights.set(&floats(&in_use(weight_tensor))[..count], floats(&in_use(bias_tensor)));
        });
    }
}

/// A tensor as the passes use it.
fn in_use(numbers: &[Line], tensor: &Tensor, rounded: bool) -> Vec<Line> {
    let mut numbers = numbers.to_vec();
    if rounded {
        floats_mut(&mut numbers).iter_mut().for_each(|number| *number = tensor.rounded(*number));
    }
    numbers
}

/// A row and its virtual row together, rounded if so wanted.
fn fold(effective: &mut [f32], row: &[f32], more: Option<&[f32]>, rounded: Option<&Tensor>) {
    match more {
        Some(more) => {
            for ((effective, row), more) in effective.iter_mut().zip(row).zip(more) {
                *effective = row + more;
            }
        }
        None => effective.copy_from_slice(row),
    }
    if let Some(tensor) = rounded {
        effective.iter_mut().for_each(|number| *number = tensor.rounded(*number));
    }
}

/// The gradients of a layer from all groups in their order: weights and bias without filling.
fn sum_layer<'a>(
    groups: impl Iterator<Item = &'a Group>,
    number: usize,
    layers: usize,
    inputs: usize,
    outputs: usize,
) -> [Vec<Line>; 2] {
    let wide = lines_of(inputs);
    let mut weights = vec![Line::ZERO; (inputs * outputs).div_ceil(Line::LEN)];
    let mut bias = vec![Line::ZERO; lines_of(outputs)];
    for group in groups.filter(|group| group.used[number / layers]) {
        let gradients = &group.gradients[number];
        let rows = floats_mut(&mut weights).chunks_exact_mut(inputs);
        for (total, row) in rows.zip(gradients.weights.chunks_exact(wide)) {
            total.iter_mut().zip(floats(row)).for_each(|(total, gradient)| *total += gradient);
        }
        let totals = floats_mut(&mut bias)[..outputs].iter_mut();
        totals.zip(floats(&gradients.bias)).for_each(|(total, gradient)| *total += gradient);
    }
    [weights, bias]
}

impl Panels {
    /// Some columns of the gradient of a row.
    fn row(&self, column: usize, row: usize) -> &[Line] {
        &self.panels[column][row * self.width..][..self.width]
    }
}
