// SPDX-License-Identifier: GPL-3.0-or-later
//! The layers behind the accumulator, laid out for the forward pass.
//!
//! A dense layer stands by groups of four inputs, since the CPU multiplies four bytes at a time: for each group
//! one line per sixteen neurons with the four weights of each. A group of zero activations is passed over
//! together with its lines. Sizes are filled up with zeros to whole groups and lines.

use crate::{
    Affine, Arch, Head,
    lines::{I8s, I16s, I32s},
};

/// The layers of one output bucket.
pub(crate) struct Layers {
    /// Dense layers; none if the output follows the accumulator.
    pub(crate) hidden: Vec<Dense>,
    /// Bias of the output.
    pub(crate) bias: i32,
    /// Weights of the output behind dense layers.
    pub(crate) output: Vec<I32s>,
    /// Weights of the output behind the accumulator, one view after the other.
    pub(crate) direct: Vec<I16s>,
}

/// A dense layer.
pub(crate) struct Dense {
    /// Lines of neurons: one for sixteen.
    pub(crate) lines: usize,
    /// Groups of four inputs.
    pub(crate) groups: usize,
    pub(crate) bias: Vec<I32s>,
    /// `lines` lines for each group.
    pub(crate) weights: Vec<I8s>,
    /// Whether any two groups of inputs can be summed up in 16 bits; see `Simd::dot_pair`.
    pub(crate) pairs: bool,
}

impl Layers {
    /// Lays out a head whose numbers have been checked; `packed` is the order that `Simd::pack` leaves.
    pub(crate) fn new(arch: &Arch, head: &Head, packed: [usize; 8]) -> Layers {
        let (mut hidden, mut output, mut direct) = (Vec::new(), Vec::new(), Vec::new());
        let mut bias = 0;
        for (number, (affine, (inputs, outputs))) in head.layers.iter().zip(arch.layers()).enumerate() {
            if number < arch.hidden.len() {
                hidden.push(match number {
                    0 => {
                        Dense::new(affine, (inputs, outputs), inputs, |input| packed_position(input, packed))
                    }
                    1 if arch.twofold => {
                        let places = 2 * Arch::MAX_TWOFOLD;
                        Dense::new(affine, (inputs, outputs), places, |input| twofold_position(input, inputs))
                    }
                    _ => Dense::new(affine, (inputs, outputs), inputs, |input| input),
                });
            } else {
                bias = affine.bias[0];
                match arch.hidden.is_empty() {
                    true => direct = lines_i16(&affine.weights),
                    false => output = lines_i32(affine.weights.iter().map(|&weight| weight.into())),
                }
            }
        }
        Layers { hidden, bias, output, direct }
    }
}

impl Dense {
    /// `order` tells at which of the places of the activations an input stands.
    fn new(
        affine: &Affine,
        (inputs, outputs): (usize, usize),
        places: usize,
        order: impl Fn(usize) -> usize,
    ) -> Dense {
        let lines = outputs.div_ceil(I32s::LEN);
        let groups = places.div_ceil(4);
        let mut weights = vec![I8s::ZERO; groups * lines];
        for (neuron, row) in affine.weights.chunks_exact(inputs).enumerate() {
            for (input, &weight) in row.iter().enumerate() {
                let place = order(input);
                let line = place / 4 * lines + neuron / I32s::LEN;
                weights[line].0[4 * (neuron % I32s::LEN) + place % 4] = weight as i8;
            }
        }
        let pairs = fits_pairs(&weights, lines);
        Dense { lines, groups, bias: lines_i32(affine.bias.iter().copied()), weights, pairs }
    }
}

/// Whether the largest sums that two groups can give to a pair of neighbouring inputs fit 16 bits together.
fn fits_pairs(weights: &[I8s], lines: usize) -> bool {
    let reach = |group: &[I8s]| {
        let pairs = group.iter().flat_map(|line| line.0.as_chunks::<2>().0);
        let sums = pairs.map(|pair| {
            let [a, b] = pair.map(i32::from);
            (a.max(0) + b.max(0)).max(-(a.min(0) + b.min(0)))
        });
        sums.max().unwrap_or(0)
    };
    let (mut first, mut second) = (0, 0);
    for reach in weights.chunks_exact(lines).map(reach) {
        (first, second) = (first.max(reach), second.max(reach.min(first)));
    }
    (first + second) * Arch::BYTE_LIMIT <= i32::from(i16::MAX)
}

/// Where neuron `input` stands after packing: pieces of eight change places within each line of 64.
fn packed_position(input: usize, packed: [usize; 8]) -> usize {
    let piece = input % 64 / 8;
    let place = packed.iter().position(|&from| from == piece).unwrap_or(piece);
    input / 64 * 64 + 8 * place + input % 8
}

/// Where one of `inputs` inputs stands that are squares in the first half and clipped sums in the second.
fn twofold_position(input: usize, inputs: usize) -> usize {
    match input.checked_sub(inputs / 2) {
        Some(clipped) => Arch::MAX_TWOFOLD + clipped,
        None => input,
    }
}

/// Numbers in lines, filled up with zeros.
pub(crate) fn lines_i16(numbers: &[i16]) -> Vec<I16s> {
    let mut lines = vec![I16s::ZERO; numbers.len().div_ceil(I16s::LEN)];
    for (line, part) in lines.iter_mut().zip(numbers.chunks(I16s::LEN)) {
        line.0[..part.len()].copy_from_slice(part);
    }
    lines
}

fn lines_i32(numbers: impl ExactSizeIterator<Item = i32>) -> Vec<I32s> {
    let mut lines = vec![I32s::ZERO; numbers.len().div_ceil(I32s::LEN)];
    for (place, number) in numbers.enumerate() {
        lines[place / I32s::LEN].0[place % I32s::LEN] = number;
    }
    lines
}
