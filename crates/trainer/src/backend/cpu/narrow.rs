// SPDX-License-Identifier: GPL-3.0-or-later
//! The largest product of the way forward from halves: the layer behind the accumulator with inputs and weights of
//! sixteen bits and sums of 32.
//!
//! An option (`precision = "bf16"`). The way back knows nothing of it: slopes, gradients and the weights that are learned
//! stay floats.

use super::{
    dense::lines_of,
    lanes::{
        Lanes, Line,
        halves::{Halves, Pairs, pair},
    },
};

/// Pairs of lines that are made halves at a time: 128 inputs, for accumulators are multiples of 128 wide.
const PART: usize = 4;
/// Inputs of a part.
const INPUTS: usize = PART * 2 * Line::LEN;

/// The weights of a layer as halves.
pub(crate) struct Narrow {
    outputs: usize,
    /// By pair of inputs: all outputs.
    by_pair: Vec<Pairs>,
}

impl Narrow {
    /// Room for a layer; `inputs` is a multiple of 128.
    pub(crate) fn new(inputs: usize, outputs: usize) -> Narrow {
        debug_assert!(inputs.is_multiple_of(INPUTS));
        Narrow { outputs, by_pair: vec![Pairs::ZERO; inputs / 2 * lines_of(outputs)] }
    }

    /// Takes over weights: a row of `inputs` for each output.
    pub(crate) fn set(&mut self, weights: &[f32], inputs: usize) {
        let narrow = lines_of(self.outputs);
        for (output, row) in weights.chunks_exact(inputs).enumerate() {
            for (number, &[first, second]) in row.as_chunks().0.iter().enumerate() {
                self.by_pair[number * narrow + output / Line::LEN].0[output % Line::LEN] =
                    pair(first, second);
            }
        }
    }

    /// `sums = bias + weights · inputs` for `count` positions.
    pub(crate) fn forward(&self, count: usize, bias: &[Line], inputs: &[Line], sums: &mut [Line]) {
        match lines_of(self.outputs) {
            1 => self.forward_blocks::<16, 1>(count, bias, inputs, sums),
            2 => self.forward_blocks::<8, 2>(count, bias, inputs, sums),
            3 => self.forward_blocks::<4, 3>(count, bias, inputs, sums),
            _ => self.forward_blocks::<4, 4>(count, bias, inputs, sums),
        }
    }

    /// Blocks of `P` positions and all `V` lines of outputs.
    #[inline(always)]
    fn forward_blocks<const P: usize, const V: usize>(
        &self,
        count: usize,
        bias: &[Line],
        inputs: &[Line],
        sums: &mut [Line],
    ) {
        let weights = self.by_pair.as_chunks::<V>().0;
        let wide = weights.len() * 2 / Line::LEN;
        let bias: [Lanes; V] = std::array::from_fn(|v| Lanes::load(&bias[v]));
        let blocks = inputs.chunks_exact(P * wide).zip(sums.chunks_exact_mut(P * V));
        for (inputs, sums) in blocks.take(count / P) {
            let mut total = [bias; P];
            for (part, weights) in weights.as_chunks::<{ INPUTS / 2 }>().0.iter().enumerate() {
                let mut packed = [[Pairs::ZERO; PART]; P];
                for (p, packed) in packed.iter_mut().enumerate() {
                    let lines = inputs[p * wide + part * 2 * PART..].as_chunks::<2>().0;
                    for (pairs, [first, second]) in packed.iter_mut().zip(lines) {
                        Halves::of(first, second).store(pairs);
                    }
                }
                for (number, weights) in weights.iter().enumerate() {
                    let weights: [Halves; V] = std::array::from_fn(|v| Halves::load(&weights[v]));
                    for p in 0..P {
                        let input = Halves::splat(packed[p][number / Line::LEN].0[number % Line::LEN]);
                        for v in 0..V {
                            total[p][v] = input.dot(weights[v], total[p][v]);
                        }
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
}

#[cfg(test)]
mod tests {
    use rules::Random;

    use super::{
        super::lanes::{floats, lines},
        *,
    };

    #[test]
    fn sums_are_those_of_floats_within_what_halves_can_tell() {
        let mut dice = Random::new(5);
        let mut random =
            |count: usize| -> Vec<f32> { (0..count).map(|_| dice.unit() as f32 - 0.5).collect() };
        for (inputs, outputs) in [(256, 32), (384, 16), (512, 7), (128, 48), (1024, 64)] {
            let count = 32;
            let (w, b, x) = (random(inputs * outputs), random(outputs), random(count * inputs));
            let mut layer = Narrow::new(inputs, outputs);
            layer.set(&w, inputs);
            let mut sums = vec![Line::ZERO; count * lines_of(outputs)];
            layer.forward(count, &lines(&b), &lines(&x), &mut sums);
            let mut rounded = false;
            for (position, sums) in sums.chunks_exact(lines_of(outputs)).enumerate() {
                for output in 0..outputs {
                    let products = (0..inputs)
                        .map(|i| f64::from(w[output * inputs + i]) * f64::from(x[position * inputs + i]));
                    let expected = f64::from(b[output]) + products.clone().sum::<f64>();
                    // Both factors are rounded by at most one part in 2^9 of themselves.
                    let may = products.map(f64::abs).sum::<f64>() * (2.0 / 512.0 + 1e-4) + 1e-5;
                    let apart = (f64::from(floats(sums)[output]) - expected).abs();
                    assert!(apart < may, "{inputs} -> {outputs}: {apart} apart, expected below {may}");
                    rounded |= apart > 1e-5;
                }
            }
            assert!(rounded, "{inputs} -> {outputs}: nothing was rounded");
        }
    }
}
