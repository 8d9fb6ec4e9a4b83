// SPDX-License-Identifier: GPL-3.0-or-later
//! The forward pass, written once for all instruction sets: accumulators in, raw output out.
//!
//! `accumulators -> activation (bytes, and a list of groups that are not zero) -> dense layers -> output`

use crate::{
    Activation, Arch,
    head::{Dense, Layers},
    lines::{Groups, I16s, I32s},
    simd::{Kernel, Simd},
    update::lines,
};

/// The part of an [`Arch`] that the forward pass asks for.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    activation: Activation,
    /// The limit of the accumulator's activation.
    top: i16,
    product_shift: u32,
    hidden_shift: u32,
    hidden_squared: bool,
    /// What the last neuron of a layer that is taken twofold says of the output.
    shortcut: Option<Shortcut>,
}

/// A neuron whose sum goes straight to the output.
#[derive(Clone, Debug)]
struct Shortcut {
    neuron: usize,
    /// The raw output that stands for 1.0, and the sum that does.
    output: i64,
    one: i64,
}

impl Shape {
    pub(crate) fn of(arch: &Arch) -> Shape {
        Shape {
            activation: arch.activation,
            top: arch.scales.input,
            product_shift: arch.product_shift(),
            hidden_shift: arch.hidden_shift(),
            hidden_squared: arch.hidden_activation == Activation::Squared,
            shortcut: arch.twofold.then(|| Shortcut {
                neuron: arch.hidden[0] - 1,
                output: arch.scales.output.into(),
                one: arch.shortcut_one(),
            }),
        }
    }
}

const MAX_WIDTH: usize = Arch::WIDTHS[Arch::WIDTHS.len() - 1];
const MAX_GROUPS: usize = 2 * MAX_WIDTH / 4;
const MAX_LINES: usize = Arch::MAX_NEURONS / I32s::LEN;

/// Room for what lies between accumulator and output; kept, since clearing it would cost time.
pub(crate) struct Scratch {
    /// Activations of both views.
    active: [Groups; MAX_GROUPS / Groups::LEN],
    /// Numbers of the groups that are not zero, with room for a line more.
    list: [u32; MAX_GROUPS + Groups::LEN],
    /// Activations of the last hidden layer as bytes and as numbers.
    bytes: Groups,
    numbers: [I32s; MAX_LINES],
}

impl Scratch {
    pub(crate) fn new() -> Box<Scratch> {
        Box::new(Scratch {
            active: [Groups::ZERO; MAX_GROUPS / Groups::LEN],
            list: [0; MAX_GROUPS + Groups::LEN],
            bytes: Groups::ZERO,
            numbers: [I32s::ZERO; MAX_LINES],
        })
    }
}

/// One forward pass for accumulators of `M` neurons.
pub(crate) struct Forward<'a, const M: usize> {
    pub(crate) shape: &'a Shape,
    pub(crate) layers: &'a Layers,
    /// The accumulator of the side to move, then the other.
    pub(crate) views: [&'a [I16s]; 2],
    pub(crate) scratch: &'a mut Scratch,
}

impl<const M: usize> Kernel for Forward<'_, M> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> i32 {
        let Forward { shape, layers, views, scratch } = self;
        let views = views.map(|view| &view[..lines::<M>(view.len())]);
        // The activation is spelled out so that each call is compiled for one.
        if layers.hidden.is_empty() {
            let sum = match shape.activation {
                Activation::Clipped => direct(simd, Activation::Clipped, shape, layers, views),
                Activation::Squared => direct(simd, Activation::Squared, shape, layers, views),
                Activation::Pairwise => direct(simd, Activation::Pairwise, shape, layers, views),
            };
            return layers.bias + sum as i32;
        }
        let count = match shape.activation {
            Activation::Clipped => activate(simd, Activation::Clipped, shape, views, scratch),
            Activation::Squared => activate(simd, Activation::Squared, shape, views, scratch),
            Activation::Pairwise => activate(simd, Activation::Pairwise, shape, views, scratch),
        };
        dense(simd, shape, layers, count, scratch)
    }
}

#[inline(always)]
fn clip<S: Simd>(simd: S, line: &I16s, top: i16) -> S::I16 {
    simd.max_i16(simd.min_i16(simd.load_i16(line), simd.splat_i16(top)), simd.splat_i16(0))
}

/// The output straight from the accumulators.
#[inline(always)]
fn direct<S: Simd>(
    simd: S,
    activation: Activation,
    shape: &Shape,
    layers: &Layers,
    views: [&[I16s]; 2],
) -> i64 {
    let mut total = 0;
    for (view, weights) in views.into_iter().zip(layers.direct.chunks_exact(layers.direct.len() / 2)) {
        // No lane overflows: at most 96 products of 32,767 and 255.
        let mut sums = simd.splat_i32(0);
        for (i, weights) in weights.iter().enumerate() {
            let (weights, a) = (simd.load_i16(weights), clip(simd, &view[i], shape.top));
            let products = match activation {
                Activation::Clipped => simd.pair_products(a, weights),
                Activation::Squared => simd.pair_products(simd.mul_i16(a, weights), a),
                Activation::Pairwise => {
                    let b = clip(simd, &view[i + view.len() / 2], shape.top);
                    simd.pair_products(simd.mul_i16(a, weights), b)
                }
            };
            sums = simd.add_i32(sums, products);
        }
        total += simd.reduce(sums);
    }
    match activation {
        Activation::Clipped => total,
        Activation::Squared | Activation::Pairwise => total / i64::from(shape.top),
    }
}

/// Writes the activations as bytes and lists the groups that are not zero; returns how many these are.
#[inline(always)]
fn activate<S: Simd>(
    simd: S,
    activation: Activation,
    shape: &Shape,
    views: [&[I16s]; 2],
    scratch: &mut Scratch,
) -> usize {
    let (mut line, mut count) = (0, 0);
    for view in views {
        let (first, second) = match activation {
            Activation::Clipped | Activation::Squared => (view, view),
            Activation::Pairwise => view.split_at(view.len() / 2),
        };
        for (a, b) in first.as_chunks::<2>().0.iter().zip(second.as_chunks::<2>().0) {
            let low = activated(simd, activation, shape, &a[0], &b[0]);
            let high = activated(simd, activation, shape, &a[1], &b[1]);
            let bytes = simd.pack(low, high);
            simd.store_u8(bytes, &mut scratch.active[line]);
            if let Some(room) = scratch.list[count..].first_chunk_mut() {
                count += simd.nonzero(bytes, (line * Groups::LEN) as u32, room);
            }
            line += 1;
        }
    }
    count
}

/// A line of activations, negative ones to be clipped by packing.
#[inline(always)]
fn activated<S: Simd>(simd: S, activation: Activation, shape: &Shape, a: &I16s, b: &I16s) -> S::I16 {
    match activation {
        Activation::Clipped => simd.min_i16(simd.load_i16(a), simd.splat_i16(shape.top)),
        Activation::Squared | Activation::Pairwise => {
            let product = simd.mul_i16(clip(simd, a, shape.top), clip(simd, b, shape.top));
            simd.shift_u16(product, shape.product_shift)
        }
    }
}

/// The hidden layers and the output behind them.
#[inline(always)]
fn dense<S: Simd>(simd: S, shape: &Shape, layers: &Layers, count: usize, scratch: &mut Scratch) -> i32 {
    let mut straight = 0;
    for (number, layer) in layers.hidden.iter().enumerate() {
        if let (0, Some(shortcut)) = (number, &shape.shortcut) {
            straight = twofold(simd, shape, shortcut, layer, count, scratch);
            continue;
        }
        let sparse = (number == 0).then_some(count);
        match layer.lines {
            1 => hidden::<S, 1>(simd, shape, layer, sparse, scratch),
            2 => hidden::<S, 2>(simd, shape, layer, sparse, scratch),
            3 => hidden::<S, 3>(simd, shape, layer, sparse, scratch),
            _ => hidden::<S, 4>(simd, shape, layer, sparse, scratch),
        }
    }
    let mut sums = simd.splat_i32(0);
    for (numbers, weights) in scratch.numbers.iter().zip(&layers.output) {
        sums = simd.add_i32(sums, simd.mul_short(simd.load_i32(numbers), simd.load_i32(weights)));
    }
    layers.bias + simd.reduce(sums) as i32 + straight
}

/// One hidden layer of `N` lines; the first reads the listed groups of the accumulators' activations, the
/// others all groups of the layer before.
#[inline(always)]
fn hidden<S: Simd, const N: usize>(
    simd: S,
    shape: &Shape,
    layer: &Dense,
    sparse: Option<usize>,
    scratch: &mut Scratch,
) {
    const ALL: [u32; Groups::LEN] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    let sums: [S::I32; N] = match sparse {
        Some(count) => affine(simd, layer, &scratch.active, &scratch.list[..count]),
        None => affine(simd, layer, std::slice::from_ref(&scratch.bytes), &ALL[..layer.groups]),
    };
    let top = simd.splat_i32(Arch::BYTE_LIMIT);
    for (n, sum) in sums.into_iter().enumerate() {
        let shifted = simd.shift_i32(sum, shape.hidden_shift);
        let mut value = simd.max_i32(simd.min_i32(shifted, top), simd.splat_i32(0));
        if shape.hidden_squared {
            value = simd.shift_i32(simd.mul_short(value, value), 7);
        }
        simd.store_i32(value, &mut scratch.numbers[n]);
        scratch.bytes.0[4 * n..4 * n + 4].copy_from_slice(&simd.narrow(value));
    }
}

/// The first hidden layer where it is taken twofold: sixteen squares and sixteen clipped sums. Returns what goes straight
/// to the output.
#[inline(always)]
fn twofold<S: Simd>(
    simd: S,
    shape: &Shape,
    shortcut: &Shortcut,
    layer: &Dense,
    count: usize,
    scratch: &mut Scratch,
) -> i32 {
    let [sums]: [S::I32; 1] = affine(simd, layer, &scratch.active, &scratch.list[..count]);
    let top = simd.splat_i32(Arch::BYTE_LIMIT);
    let size = simd.min_i32(simd.abs_i32(sums), simd.splat_i32(i16::MAX.into()));
    let square = simd.shift_i32(simd.mul_short(size, size), 2 * shape.hidden_shift + 7);
    let clipped =
        simd.max_i32(simd.min_i32(simd.shift_i32(sums, shape.hidden_shift), top), simd.splat_i32(0));
    scratch.bytes.0[..4].copy_from_slice(&simd.narrow(simd.min_i32(square, top)));
    scratch.bytes.0[4..8].copy_from_slice(&simd.narrow(clipped));
    let mut numbers = I32s::ZERO;
    simd.store_i32(sums, &mut numbers);
    (i64::from(numbers.0[shortcut.neuron]) * shortcut.output / shortcut.one) as i32
}

/// Bias and weighted inputs of `N` lines of neurons, from the listed groups of inputs.
#[inline(always)]
fn affine<S: Simd, const N: usize>(simd: S, layer: &Dense, inputs: &[Groups], list: &[u32]) -> [S::I32; N] {
    let weights = layer.weights.as_chunks::<N>().0;
    let mut sums = [[simd.splat_i32(0); N]; 4];
    if let Some(bias) = layer.bias.first_chunk::<N>() {
        for (sum, bias) in sums[0].iter_mut().zip(bias) {
            *sum = simd.load_i32(bias);
        }
    }
    // Several sums per neuron, so that a product need not wait for the one before it.
    let turns = const { S::IN_FLIGHT.div_ceil(N) };
    let rest = if S::PAIRS && layer.pairs {
        let (pairs, rest) = list.as_chunks();
        for &[a, b] in pairs {
            let (left, right) = (input(simd, inputs, a), input(simd, inputs, b));
            for n in 0..N {
                let weights = [&weights[a as usize][n], &weights[b as usize][n]];
                sums[0][n] = simd.dot_pair(sums[0][n], [left, right], weights);
            }
        }
        rest
    } else {
        let mut chunks = list.chunks_exact(turns);
        for chunk in &mut chunks {
            for (&group, sums) in chunk.iter().zip(&mut sums) {
                let input = input(simd, inputs, group);
                for n in 0..N {
                    sums[n] = simd.dot(sums[n], input, &weights[group as usize][n]);
                }
            }
        }
        chunks.remainder()
    };
    for &group in rest {
        let input = input(simd, inputs, group);
        for n in 0..N {
            sums[0][n] = simd.dot(sums[0][n], input, &weights[group as usize][n]);
        }
    }
    let mut total = sums[0];
    for more in &sums[1..turns] {
        for n in 0..N {
            total[n] = simd.add_i32(total[n], more[n]);
        }
    }
    total
}

/// A group of inputs for all sixteen neurons of a line.
#[inline(always)]
fn input<S: Simd>(simd: S, inputs: &[Groups], group: u32) -> S::U8 {
    simd.splat_group(inputs[group as usize / Groups::LEN].0[group as usize % Groups::LEN])
}
