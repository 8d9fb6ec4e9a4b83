// SPDX-License-Identifier: GPL-3.0-or-later
//! Small matrices: the three products of a dense layer over a tile of positions.
//!
//! Sizes are filled up with zeros to whole lines, tiles to a multiple of sixteen positions, so that every
//! product is a loop over blocks whose sums stay in registers. On the way back half of the slopes are zero, those of
//! neurons that were clipped: both products pass over them.

use nnue::Arch;

use super::{
    lanes::{Lanes, Line, floats},
    narrow::Narrow,
};

/// The largest tile; whole triplets fit it.
pub(crate) const TILE: usize = 48;
/// Positions of a tile are filled up to a multiple of this.
pub(crate) const STEP: usize = 16;

/// The weights of one layer of one bucket, laid out for both directions.
pub(crate) struct Weights {
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    /// By input: all outputs.
    by_input: Vec<Line>,
    /// By output: all inputs, and a line more: rows of a power of two would all fall on the same few places of the cache.
    by_output: Vec<Line>,
    bias: Vec<Line>,
    /// What the way forward takes instead, if it is to be of halves.
    narrow: Option<Narrow>,
}

/// The gradients of one layer of one bucket.
#[derive(Clone)]
pub(crate) struct Gradients {
    /// By output: all inputs.
    pub(crate) weights: Vec<Line>,
    pub(crate) bias: Vec<Line>,
}

pub(crate) const fn lines_of(count: usize) -> usize {
    count.div_ceil(Line::LEN)
}

impl Gradients {
    pub(crate) fn new(inputs: usize, outputs: usize) -> Gradients {
        Gradients {
            weights: vec![Line::ZERO; outputs * lines_of(inputs)],
            bias: vec![Line::ZERO; lines_of(outputs)],
        }
    }
}

impl Weights {
    pub(crate) fn new(inputs: usize, outputs: usize) -> Weights {
        Weights {
            inputs,
            outputs,
            by_input: vec![Line::ZERO; lines_of(inputs) * Line::LEN * lines_of(outputs)],
            by_output: vec![Line::ZERO; outputs * (lines_of(inputs) + 1)],
            bias: vec![Line::ZERO; lines_of(outputs)],
            narrow: None,
        }
    }

    /// From now on, or rather from the next weights on, the way forward is one of halves.
    pub(crate) fn narrow(&mut self) {
        self.narrow = Some(Narrow::new(self.inputs, self.outputs));
    }

    /// Takes over weights (a row of inputs for each output) and bias.
    pub(crate) fn set(&mut self, weights: &[f32], bias: &[f32]) {
        let (wide, narrow) = (lines_of(self.inputs), lines_of(self.outputs));
        for (output, row) in weights.chunks_exact(self.inputs).enumerate() {
            for (input, &weight) in row.iter().enumerate() {
                self.by_input[input * narrow + output / Line::LEN].0[output % Line::LEN] = weight;
                self.by_output[output * (wide + 1) + input / Line::LEN].0[input % Line::LEN] = weight;
            }
        }
        for (output, &bias) in bias.iter().enumerate() {
            self.bias[output / Line::LEN].0[output % Line::LEN] = bias;
        }
        if let Some(narrow) = &mut self.narrow {
            narrow.set(weights, self.inputs);
        }
    }

    /// `sums = bias + weights · inputs` for `count` positions, a multiple of [`STEP`].
    pub(crate) fn forward(&self, count: usize, inputs: &[Line], sums: &mut [Line]) {
        if let Some(narrow) = &self.narrow {
            return narrow.forward(count, &self.bias, inputs, sums);
        }
        match lines_of(self.outputs) {
            1 => self.forward_blocks::<16, 1>(count, inputs, sums),
            2 => self.forward_blocks::<8, 2>(count, inputs, sums),
            3 => self.forward_blocks::<4, 3>(count, inputs, sums),
            _ => self.forward_blocks::<4, 4>(count, inputs, sums),
        }
    }

    /// Blocks of `P` positions and all `V` lines of outputs.
    #[inline(always)]
    fn forward_blocks<const P: usize, const V: usize>(
        &self,
        count: usize,
        inputs: &[Line],
        sums: &mut [Line],
    ) {
        let wide = lines_of(self.inputs);
        let weights = self.by_input.as_chunks::<V>().0;
        let bias: [Lanes; V] = std::array::from_fn(|v| Lanes::load(&self.bias[v]));
        let blocks = inputs.chunks_exact(P * wide).zip(sums.chunks_exact_mut(P * V));
        for (inputs, sums) in blocks.take(count / P) {
            let inputs: [&[f32]; P] =
                std::array::from_fn(|p| &floats(&inputs[p * wide..][..wide])[..weights.len()]);
            let mut total = [bias; P];
            for (i, weights) in weights.iter().enumerate() {
                let weights: [Lanes; V] = std::array::from_fn(|v| Lanes::load(&weights[v]));
                for p in 0..P {
                    let input = Lanes::splat(inputs[p][i]);
                    for v in 0..V {
                        total[p][v] = total[p][v].fused(input, weights[v]);
                    }
                }
            }
            for (sums, total) in sums.chunks_exact_mut(V).zip(total) {
                for (sum, total) in sums.iter_mut().zip(total) {
                    total.store(sum);
                }
            }
        }
    }

    /// The slopes of the inputs from those of the sums, `weightsᵀ · slopes`: block by block they go to `take`, with
    /// their position and the number of the block's first line.
    #[inline(always)]
    pub(crate) fn backward(&self, slopes: Slopes<'_>, mut take: impl FnMut(usize, usize, &[Lanes])) {
        match lines_of(self.inputs) {
            wide if wide.is_multiple_of(8) => {
                self.backward_blocks::<8>(slopes, |p, l, block| take(p, l, &block))
            }
            wide if wide.is_multiple_of(2) => {
                self.backward_blocks::<2>(slopes, |p, l, block| take(p, l, &block))
            }
            _ => self.backward_blocks::<1>(slopes, |p, l, block| take(p, l, &block)),
        }
    }

    /// Blocks of `V` lines of inputs.
    #[inline(always)]
    fn backward_blocks<const V: usize>(
        &self,
        slopes: Slopes<'_>,
        mut take: impl FnMut(usize, usize, [Lanes; V]),
    ) {
        let (wide, narrow) = (lines_of(self.inputs), lines_of(self.outputs));
        let positions = floats(slopes.slopes).chunks_exact(narrow * Line::LEN);
        for column in (0..wide).step_by(V) {
            for (position, slopes_here) in positions.clone().take(slopes.count).enumerate() {
                let mut total = [Lanes::splat(0.0); V];
                for output in slopes.nonzero.outputs(position) {
                    let slope = Lanes::splat(slopes_here[output]);
                    let row = &self.by_output[output * (wide + 1) + column..];
                    let Some(row) = row.first_chunk::<V>() else { return };
                    for v in 0..V {
                        total[v] = total[v].fused(slope, Lanes::load(&row[v]));
                    }
                }
                take(position, column, total);
            }
        }
    }

    /// Adds the gradients of weights and bias, `slopes · inputsᵀ`, to what is there or, `anew`, to nothing.
    pub(crate) fn gradients(&self, slopes: Slopes<'_>, inputs: &[Line], to: &mut Gradients, anew: bool) {
        match lines_of(self.inputs) {
            wide if wide.is_multiple_of(8) => self.gradient_blocks::<8>(slopes, inputs, to, anew),
            wide if wide.is_multiple_of(2) => self.gradient_blocks::<2>(slopes, inputs, to, anew),
            _ => self.gradient_blocks::<1>(slopes, inputs, to, anew),
        }
        let narrow = lines_of(self.outputs);
        if anew {
            to.bias.fill(Line::ZERO);
        }
        for slopes in slopes.slopes.chunks_exact(narrow).take(slopes.count) {
            for (total, slope) in to.bias.iter_mut().zip(slopes) {
                Lanes::load(total).add(Lanes::load(slope)).store(total);
            }
        }
    }

    /// Blocks of `V` lines of inputs.
    #[inline(always)]
    fn gradient_blocks<const V: usize>(
        &self,
        slopes: Slopes<'_>,
        inputs: &[Line],
        to: &mut Gradients,
        anew: bool,
    ) {
        let (wide, narrow) = (lines_of(self.inputs), lines_of(self.outputs) * Line::LEN);
        let all = floats(slopes.slopes);
        for column in (0..wide).step_by(V) {
            // Side by side the columns of all positions fit the fastest cache; as they lie they share few places of it.
            let mut packed = [[Lanes::splat(0.0); V]; TILE];
            for (packed, inputs) in packed.iter_mut().zip(inputs.chunks_exact(wide)).take(slopes.count) {
                *packed = std::array::from_fn(|v| Lanes::load(&inputs[column + v]));
            }
            for output in 0..self.outputs {
                let Some(to) = to.weights[output * wide + column..].first_chunk_mut::<V>() else { return };
                let mut total = match anew {
                    true => [Lanes::splat(0.0); V],
                    false => std::array::from_fn(|v| Lanes::load(&to[v])),
                };
                for position in slopes.nonzero.positions(output) {
                    let slope = Lanes::splat(all[position * narrow + output]);
                    let inputs = &packed[position];
                    for v in 0..V {
                        total[v] = total[v].fused(slope, inputs[v]);
                    }
                }
                for (to, total) in to.iter_mut().zip(total) {
                    total.store(to);
                }
            }
        }
    }
}

/// The slopes of a layer's sums over a tile.
#[derive(Copy, Clone)]
pub(crate) struct Slopes<'a> {
    /// How many positions there are.
    pub(crate) count: usize,
    pub(crate) slopes: &'a [Line],
    pub(crate) nonzero: &'a Nonzero,
}

/// Which slopes of a tile are not zero, by position and by output: a bit each.
pub(crate) struct Nonzero {
    outputs: [u64; TILE],
    positions: [u64; Arch::MAX_NEURONS],
}

// A position and an output are numbers of bits.
const _: () = assert!(TILE <= 64 && Arch::MAX_NEURONS <= 64);

impl Nonzero {
    pub(crate) fn new() -> Nonzero {
        Nonzero { outputs: [0; TILE], positions: [0; Arch::MAX_NEURONS] }
    }

    /// Looks through the slopes of `count` positions.
    pub(crate) fn find(&mut self, count: usize, outputs: usize, slopes: &[Line]) {
        self.positions = [0; Arch::MAX_NEURONS];
        for (position, slopes) in slopes.chunks_exact(lines_of(outputs)).take(count).enumerate() {
            let mut found = 0;
            for (line, slopes) in slopes.iter().enumerate() {
                found |= u64::from(Lanes::load(slopes).nonzero()) << (line * Line::LEN);
            }
            self.outputs[position] = found;
            for output in bits(found) {
                self.positions[output] |= 1 << position;
            }
        }
    }

    fn outputs(&self, position: usize) -> impl Iterator<Item = usize> + use<> {
        bits(self.outputs[position])
    }

    fn positions(&self, output: usize) -> impl Iterator<Item = usize> + use<> {
        bits(self.positions[output])
    }
}

/// The numbers of the bits that are set, in order.
#[inline(always)]
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        let found = set != 0;
        set &= set.wrapping_sub(1);
        found.then_some(bit)
    })
}

#[cfg(test)]
mod tests {
    use rules::Random;

    use super::{super::lanes::lines, *};

    fn random(random: &mut Random, count: usize) -> Vec<f32> {
        (0..count).map(|_| random.unit() as f32 - 0.5).collect()
    }

    /// Rows of numbers, each filled up to whole lines.
    fn padded(rows: &[f32], len: usize) -> Vec<Line> {
        rows.chunks_exact(len).flat_map(lines).collect()
    }

    fn near(found: &[Line], width: usize, expected: impl Fn(usize, usize) -> f64, what: &str) {
        for (row, line) in found.chunks_exact(lines_of(width)).enumerate() {
            for i in 0..width {
                let (found, expected) = (f64::from(floats(line)[i]), expected(row, i));
                assert!((found - expected).abs() < 1e-5, "{what} {row}, {i}: {found}, expected {expected}");
            }
        }
    }

    #[test]
    fn the_products_are_those_of_plain_loops() {
        let mut dice = Random::new(3);
        for (inputs, outputs) in
            [(256, 32), (384, 16), (32, 32), (20, 7), (16, 1), (512, 1), (128, 64), (48, 33)]
        {
            let count = 32;
            let (w, b) = (random(&mut dice, inputs * outputs), random(&mut dice, outputs));
            let (x, s) = (random(&mut dice, count * inputs), random(&mut dice, count * outputs));
            let f = |x: &[f32], i: usize| f64::from(x[i]);
            let mut weights = Weights::new(inputs, outputs);
            weights.set(&w, &b);
            let (lined, sloped) = (padded(&x, inputs), padded(&s, outputs));

            let mut sums = vec![Line::ZERO; count * lines_of(outputs)];
            weights.forward(count, &lined, &mut sums);
            let sum = |p, o| {
                f(&b, o) + (0..inputs).map(|i| f(&w, o * inputs + i) * f(&x, p * inputs + i)).sum::<f64>()
            };
            near(&sums, outputs, sum, "sum");

            let mut back = vec![Line::ZERO; count * lines_of(inputs)];
            let wide = lines_of(inputs);
            let mut nonzero = Nonzero::new();
            nonzero.find(count, outputs, &sloped);
            let slopes = Slopes { count, slopes: &sloped, nonzero: &nonzero };
            weights.backward(slopes, |position, line, block| {
                for (slope, to) in block.iter().zip(&mut back[position * wide + line..]) {
                    slope.store(to);
                }
            });
            let slope =
                |p, i| (0..outputs).map(|o| f(&w, o * inputs + i) * f(&s, p * outputs + o)).sum::<f64>();
            near(&back, inputs, slope, "slope");

            let mut gradients = Gradients::new(inputs, outputs);
            gradients.weights.fill(lines(&[9.0])[0]);
            weights.gradients(slopes, &lined, &mut gradients, true);
            weights.gradients(slopes, &lined, &mut gradients, false);
            let twice =
                |o, i| (0..count).map(|p| 2.0 * f(&s, p * outputs + o) * f(&x, p * inputs + i)).sum::<f64>();
            near(&gradients.weights, inputs, twice, "weight");
            let bias = |_, o| (0..count).map(|p| 2.0 * f(&s, p * outputs + o)).sum::<f64>();
            near(&gradients.bias, outputs, bias, "bias");
        }
    }
}
