// SPDX-License-Identifier: GPL-3.0-or-later
//! Everything behind the accumulator, tile by tile: activation, layers, loss, and all the way back.

use std::ops::Range;

use nnue::{Activation, Arch};

use super::{
    batch::Batch,
    dense::{Gradients, Nonzero, STEP, Slopes, TILE, Weights, lines_of},
    lanes::{Lanes, Line, floats_mut},
    panels::SlopeOrder,
    strand::Common,
};
use crate::Dropout;

/// What the tiles of a pass have in common.
#[derive(Copy, Clone)]
pub(crate) struct Pass<'a> {
    pub(crate) common: &'a Common<'a>,
    pub(crate) batch: &'a Batch,
    /// The accumulators, clipped, in the order of `batch.sorted`; empty if each tile is to compute its own.
    pub(crate) sums: &'a [Line],
}

impl<'a> Pass<'a> {
    fn arch(&self) -> &'a Arch {
        &self.common.layout.arch
    }
}

/// The work of one task, and what it found out.
pub(crate) struct Group {
    /// The accumulators of a tile, clipped, two views for each position.
    clipped: Vec<Line>,
    /// By layer: the inputs of a tile; nothing for the first where they are `clipped` itself.
    values: Vec<Vec<Line>>,
    /// By layer: the sums of a tile, later their slopes.
    sums: Vec<Vec<Line>>,
    slopes: Vec<Vec<Line>>,
    nonzero: Box<Nonzero>,
    /// By position that was learned from last: the slope of the output.
    pub(crate) output_slopes: Vec<f32>,
    /// By bucket and layer.
    pub(crate) gradients: Vec<Gradients>,
    /// By bucket: whether it occurred.
    pub(crate) used: Vec<bool>,
    /// The sum of the losses.
    pub(crate) loss: f64,
}

impl Group {
    pub(crate) fn new(arch: &Arch) -> Group {
        let layers = arch.layers();
        let tile = |size: usize| vec![Line::ZERO; TILE * lines_of(size)];
        let gradients = || layers.iter().map(|&(inputs, outputs)| Gradients::new(inputs, outputs));
        Group {
            clipped: tile(2 * arch.width),
            values: layers.iter().map(|&(inputs, _)| tile(inputs)).collect(),
            sums: layers.iter().map(|&(_, outputs)| tile(outputs)).collect(),
            slopes: layers.iter().map(|&(_, outputs)| tile(outputs)).collect(),
            nonzero: Box::new(Nonzero::new()),
            output_slopes: Vec::new(),
            gradients: (0..arch.buckets).flat_map(|_| gradients()).collect(),
            used: vec![false; arch.buckets],
            loss: 0.0,
        }
    }

    /// Forgets what was found out in the last step; the first tile of a bucket begins its gradients anew.
    pub(crate) fn begin(&mut self) {
        self.used.fill(false);
        self.loss = 0.0;
    }

    /// Learns from some positions; `slopes` takes the gradients of their accumulators, two views each.
    pub(crate) fn learn(
        &mut self,
        pass: &Pass<'_>,
        positions: Range<usize>,
        slopes: &mut [Line],
        order: SlopeOrder,
    ) {
        self.output_slopes.clear();
        let (start, views) = (positions.start, 2 * positions.len());
        for (bucket, tile) in tiles(pass.batch, positions) {
            self.forward(pass, bucket, tile.clone());
            self.score(pass, tile.clone());
            let first = 2 * (tile.start - start);
            let to = |view: usize, line: usize| order.places(views, first + view, line);
            self.backward(pass, bucket, tile, slopes, to);
            self.used[bucket] = true;
        }
    }

    /// The outputs of some positions.
    pub(crate) fn outputs(&mut self, pass: &Pass<'_>, positions: Range<usize>, outputs: &mut [f32]) {
        let start = positions.start;
        for (bucket, tile) in tiles(pass.batch, positions) {
            self.forward(pass, bucket, tile.clone());
            let last = &self.sums[pass.arch().hidden.len()];
            for (at, position) in tile.enumerate() {
                outputs[position - start] = last[at].0[0];
            }
        }
    }

    fn forward(&mut self, pass: &Pass<'_>, bucket: usize, tile: Range<usize>) {
        let layers = pass.arch().hidden.len() + 1;
        let count = tile.len().next_multiple_of(STEP);
        self.activate(pass, tile.clone());
        for layer in 0..layers {
            let weights = &pass.common.weights[bucket * layers + layer];
            let values = inputs(pass, layer, &self.clipped, &self.values);
            weights.forward(count, values, &mut self.sums[layer]);
            if layer + 1 < layers {
                let (values, grid) = (&mut self.values[layer + 1], pass.common.grids[layer + 1]);
                for (value, sum) in values.iter_mut().zip(&self.sums[layer]) {
                    Lanes::load(sum).clipped().store(value);
                }
                round_down(values, grid.before);
                if pass.arch().hidden_activation == Activation::Squared {
                    square(values);
                    round_down(values, grid.after);
                }
            }
        }
        if let Some(direct) = pass.common.direct {
            let said = |view: usize| -> f32 {
                let rows = pass.batch.rows(view).iter();
                rows.map(|&row| direct[row as usize * pass.arch().buckets + bucket]).sum()
            };
            for (position, sum) in tile.zip(&mut self.sums[layers - 1]) {
                sum.0[0] += 0.5 * (said(2 * position) - said(2 * position + 1));
            }
        }
    }

    /// The activations of the accumulators; positions that fill up the tile are zero.
    fn activate(&mut self, pass: &Pass<'_>, tile: Range<usize>) {
        let lines = pass.arch().width / Line::LEN;
        let (used, rest) = self.clipped.split_at_mut(2 * tile.len() * lines);
        let (views, start) = (2 * tile.start..2 * tile.end, tile.start);
        if pass.sums.is_empty() {
            pass.common.rows.accumulate(pass.batch, &pass.batch.sorted[views], used);
        } else {
            for (view, clipped) in views.zip(used.chunks_exact_mut(lines)) {
                let at = pass.batch.place[view] as usize * lines;
                clipped.copy_from_slice(&pass.sums[at..][..lines]);
            }
        }
        rest.fill(Line::ZERO);
        match pass.arch().activation {
            Activation::Clipped if !pass.common.dropout.drops() => {}
            Activation::Clipped => self.values[0].copy_from_slice(&self.clipped),
            Activation::Squared => {
                self.values[0].copy_from_slice(&self.clipped);
                square(&mut self.values[0]);
            }
            Activation::Pairwise => {
                let views = self.values[0].chunks_exact_mut(lines / 2).zip(self.clipped.chunks_exact(lines));
                for (values, clipped) in views {
                    let (first, second) = clipped.split_at(lines / 2);
                    for ((value, a), b) in values.iter_mut().zip(first).zip(second) {
                        Lanes::load(a).mul(Lanes::load(b)).store(value);
                    }
                }
            }
        }
        round_down(&mut self.values[0], pass.common.grids[0].after);
        if pass.common.dropout.drops() {
            let per_position = lines_of(pass.arch().activations());
            let positions = self.values[0].chunks_exact_mut(per_position);
            for (values, &seed) in positions.zip(&pass.batch.seeds[start..]) {
                for (line, value) in values.iter_mut().enumerate() {
                    Lanes::load(value).mul(factors(&pass.common.dropout, seed, line)).store(value);
                }
            }
        }
    }

    /// Losses, and the slopes of the outputs.
    fn score(&mut self, pass: &Pass<'_>, tile: Range<usize>) {
        let last = pass.arch().hidden.len();
        let mut outputs = [0.0; TILE];
        for (at, record) in pass.batch.records[tile.clone()].iter().enumerate() {
            outputs[at] = pass.common.loss.joined(self.sums[last][at].0[0], record);
        }
        let slopes = &mut self.slopes[last];
        slopes.fill(Line::ZERO);
        let targets = &pass.batch.targets[tile.clone()];
        pass.common.loss.each(&outputs[..tile.len()], targets, |at, loss, slope| {
            self.loss += f64::from(loss);
            slopes[at].0[0] = pass.common.share * slope;
        });
        if pass.common.direct.is_some() {
            self.output_slopes.extend(slopes[..tile.len()].iter().map(|line| line.0[0]));
        }
    }

    /// From the slopes of the outputs to all gradients, and to the slopes of the accumulators.
    fn backward<P: Iterator<Item = usize>>(
        &mut self,
        pass: &Pass<'_>,
        bucket: usize,
        tile: Range<usize>,
        to: &mut [Line],
        places: impl Fn(usize, usize) -> P,
    ) {
        let (layers, count) = (pass.arch().hidden.len() + 1, tile.len());
        for layer in (0..layers).rev() {
            let weights = &pass.common.weights[bucket * layers + layer];
            let gradients = &mut self.gradients[bucket * layers + layer];
            let (before, slopes) = self.slopes.split_at_mut(layer);
            self.nonzero.find(count, weights.outputs, &slopes[0]);
            let slopes = Slopes { count, slopes: &slopes[0], nonzero: &self.nonzero };
            let values = inputs(pass, layer, &self.clipped, &self.values);
            weights.gradients(slopes, values, gradients, !self.used[bucket]);
            let Some(before) = before.last_mut() else {
                return accumulators(pass, tile, weights, slopes, &self.clipped, to, places);
            };
            let sums = &self.sums[layer - 1];
            let narrow = lines_of(weights.inputs);
            let squared = pass.arch().hidden_activation == Activation::Squared;
            let margin = pass.common.grids[layer].margin;
            weights.backward(slopes, |position, line, block| {
                let from = position * narrow + line;
                for ((&back, sum), before) in block.iter().zip(&sums[from..]).zip(&mut before[from..]) {
                    let sum = Lanes::load(sum);
                    sum.gate(if squared { twice(sum, back) } else { back }, margin).store(before);
                }
            });
        }
    }
}

/// The inputs of a layer.
fn inputs<'a>(pass: &Pass<'_>, layer: usize, clipped: &'a [Line], values: &'a [Vec<Line>]) -> &'a [Line] {
    let same = layer == 0 && pass.arch().activation == Activation::Clipped && !pass.common.dropout.drops();
    if same { clipped } else { &values[layer] }
}

/// The next lower numbers that the integers can hold. Sums of floats may be a little below the number they mean.
fn round_down(values: &mut [Line], one: Option<f32>) {
    if let Some(one) = one {
        for value in floats_mut(values) {
            *value = (*value * one + 1.0 / 4096.0).floor() / one;
        }
    }
}

fn square(values: &mut [Line]) {
    for value in values {
        let x = Lanes::load(value);
        x.mul(x).store(value);
    }
}

/// What dropout multiplies a line of activations of a position with.
fn factors(dropout: &Dropout, seed: u32, line: usize) -> Lanes {
    let number = |i: usize| (line * Line::LEN + i) as u32;
    Lanes::load(&Line(std::array::from_fn(|i| dropout.factor(seed, number(i)))))
}

/// Through the first layer to the slopes of the accumulators, two views for each position of the tile; `places` tells
/// where the lines of a view go, from one of them on.
fn accumulators<P: Iterator<Item = usize>>(
    pass: &Pass<'_>,
    tile: Range<usize>,
    weights: &Weights,
    slopes: Slopes<'_>,
    clipped: &[Line],
    to: &mut [Line],
    places: impl Fn(usize, usize) -> P,
) {
    if pass.common.dropout.drops() {
        let seeds = &pass.batch.seeds[tile];
        accumulator_slopes(pass, weights, slopes, clipped, to, places, |position, line, back| {
            back.mul(factors(&pass.common.dropout, seeds[position], line))
        });
    } else {
        accumulator_slopes(pass, weights, slopes, clipped, to, places, |_, _, back| back);
    }
}

/// The same; `through` is what dropout makes of a slope.
#[inline(always)]
fn accumulator_slopes<P: Iterator<Item = usize>>(
    pass: &Pass<'_>,
    weights: &Weights,
    slopes: Slopes<'_>,
    clipped: &[Line],
    to: &mut [Line],
    places: impl Fn(usize, usize) -> P,
    through: impl Fn(usize, usize, Lanes) -> Lanes,
) {
    let (arch, margin) = (pass.arch(), pass.common.grids[0].margin);
    let lines = arch.width / Line::LEN;
    // Lines of the activations of one view.
    let half = lines_of(arch.activations()) / 2;
    // No division: it would take as long as the rest.
    let at = |position: usize, line: usize| {
        if line < half { (2 * position, line) } else { (2 * position + 1, line - half) }
    };
    if arch.activation == Activation::Pairwise {
        return weights.backward(slopes, |position, first, block| {
            for (number, &back) in (first..).zip(block) {
                let ((view, line), back) = (at(position, number), through(position, number, back));
                let sums = &clipped[view * lines..][..lines];
                let (a, b) = (Lanes::load(&sums[line]), Lanes::load(&sums[line + half]));
                let slopes =
                    [(a.gate(back.mul(b), margin), line), (b.gate(back.mul(a), margin), line + half)];
                for (slope, line) in slopes {
                    places(view, line).take(1).for_each(|place| slope.store(&mut to[place]));
                }
            }
        });
    }
    let squared = arch.activation == Activation::Squared;
    weights.backward(slopes, |position, first, block| {
        // Widths are multiples of 128, so that a block lies within one view.
        let (view, line) = at(position, first);
        let views = block.iter().zip(&clipped[view * lines + line..]).zip(places(view, line));
        for (number, ((&back, x), place)) in (first..).zip(views) {
            let (x, back) = (Lanes::load(x), through(position, number, back));
            x.gate(if squared { twice(x, back) } else { back }, margin).store(&mut to[place]);
        }
    });
}

/// The slope of a square: `2 x · back`.
#[inline(always)]
fn twice(x: Lanes, back: Lanes) -> Lanes {
    x.add(x).mul(back)
}

/// Runs of at most [`TILE`] positions of one bucket.
fn tiles(batch: &Batch, positions: Range<usize>) -> impl Iterator<Item = (usize, Range<usize>)> + '_ {
    let mut start = 0;
    batch.bucket_ends.iter().enumerate().flat_map(move |(bucket, &end)| {
        let run = start.max(positions.start)..end.min(positions.end);
        start = end;
        let last = run.end;
        run.step_by(TILE).map(move |at| (bucket, at..(at + TILE).min(last)))
    })
}
