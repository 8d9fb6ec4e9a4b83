// SPDX-License-Identifier: GPL-3.0-or-later
//! Predicting a yes or no: counters that learn, and a mixer that learns whom to believe.
//!
//! The way of Mahoney's PAQ compressors: each context keeps a probability, the probabilities are added in the
//! logistic domain (`ln(p / (1 - p))`) with weights, and the weights follow the error. Integers throughout;
//! the tables are computed in fixed point when the program is compiled.

use super::coder::Coder;

/// The logistic domain is counted in 1/256 and reaches from -8 to 8.
const REACH: i32 = 2047;

/// `65536 / (1 + exp(-x / 256))` for every x of the domain, index 0 being -2048.
const SQUASH: [u16; 4096] = squash_table();

/// The inverse: what in the logistic domain belongs to a probability of so many 4096ths.
const STRETCH: [i16; 4096] = stretch_table();

const fn squash_table() -> [u16; 4096] {
    const ONE: u128 = 1 << 60;
    // exp(-1/256) by its series, then powers of it.
    let mut step = ONE;
    let (mut term, mut n) = (ONE, 1);
    while n < 12 {
        term /= 256 * n;
        step = if n % 2 == 1 { step - term } else { step + term };
        n += 1;
    }
    let mut table = [0; 4096];
    let (mut power, mut x) = (ONE, 0);
    while x < 2048 {
        // power = exp(-x / 256)
        let yes = (65536 * ONE + (ONE + power) / 2) / (ONE + power);
        table[2048 + x] = if yes > 65535 { 65535 } else { yes as u16 };
        table[2048 - x] = (65536 - yes) as u16;
        power = (power * step) >> 60;
        x += 1;
    }
    table[2048] = 32768;
    table[0] = table[1];
    table
}

const fn stretch_table() -> [i16; 4096] {
    let mut table = [0; 4096];
    let (mut x, mut p) = (0, 0);
    while p < 4096 {
        while x < 4095 && (SQUASH[x] as usize) < p * 16 + 8 {
            x += 1;
        }
        table[p] = x as i16 - 2048;
        p += 1;
    }
    table
}

/// A probability that moves towards what it sees: fast at first, slower with experience.
#[derive(Copy, Clone, Debug)]
pub(super) struct Counter(u32);

impl Counter {
    /// Nothing seen yet. The low ten bits count the answers, the others are the probability of a yes.
    pub(super) const NEW: Counter = Counter(1 << 31);
    /// With so many answers seen a counter no longer slows down.
    const EXPERIENCE: u32 = 255;

    /// In the logistic domain.
    #[inline]
    fn stretched(self) -> i32 {
        STRETCH[(self.0 >> 20) as usize].into()
    }

    #[inline]
    fn learn(&mut self, answer: bool) {
        let seen = self.0 & 1023;
        let probability = (self.0 >> 10) as i32;
        let target = if answer { (1 << 22) - 1 } else { 0 };
        let change = (i64::from(target - probability) * i64::from(RATE[seen as usize])) >> 16;
        let probability = (probability + change as i32) as u32;
        self.0 = probability << 10 | (seen + (seen < Self::EXPERIENCE) as u32);
    }
}

/// How far a counter moves after so many answers, of 65536: 1 / (n + 1.5).
const RATE: [i32; Counter::EXPERIENCE as usize + 1] = {
    let mut table = [0; Counter::EXPERIENCE as usize + 1];
    let mut n = 0;
    while n < table.len() {
        table[n] = (2 * 65536 / (2 * n + 3)) as i32;
        n += 1;
    }
    table
};

/// A set of predictors for questions with `N` contexts each.
#[derive(Debug)]
pub(super) struct Predictor<const N: usize> {
    counters: [Vec<Counter>; N],
    weights: Vec<[i32; N]>,
}

impl<const N: usize> Predictor<N> {
    /// `1 << bits` counters for each context, at least 32, and so many sets of weights.
    pub(super) fn new(bits: [u32; N], sets: usize) -> Predictor<N> {
        let weight = 65536 * 3 / 2 / N as i32;
        Predictor {
            counters: bits.map(|bits| vec![Counter::NEW; 1 << bits]),
            weights: vec![[weight; N]; sets],
        }
    }

    /// Codes one answer under its contexts, and learns from it. Contexts are folded into their tables.
    #[inline]
    pub(super) fn code(
        &mut self,
        coder: &mut impl Coder,
        contexts: [u32; N],
        set: usize,
        answer: bool,
    ) -> bool {
        let slots: [usize; N] = std::array::from_fn(|n| fold(contexts[n], self.counters[n].len()));
        let inputs: [i32; N] = std::array::from_fn(|n| self.counters[n][slots[n]].stretched());
        let weights = &mut self.weights[set];
        let sum: i32 = (0..N).map(|n| (weights[n] * inputs[n]) >> 8).sum();
        let mixed = (sum >> 8).clamp(-REACH, REACH);
        let probability = u32::from(SQUASH[(mixed + 2048) as usize]).clamp(24, 65536 - 24);
        let answer = coder.code(answer, probability);
        let error = if answer { 65536 } else { 0 } - probability as i32;
        for n in 0..N {
            let change = ((inputs[n] * error) >> 10) * LEARNING;
            weights[n] = (weights[n] + (change >> 10)).clamp(-HEAVIEST, HEAVIEST);
            self.counters[n][slots[n]].learn(answer);
        }
        answer
    }

    /// What a context alone says about a yes, in the logistic domain.
    #[inline]
    pub(super) fn opinion(&self, n: usize, context: u32) -> i32 {
        self.counters[n][fold(context, self.counters[n].len())].stretched()
    }
}

/// How fast weights follow the error.
const LEARNING: i32 = 6;

/// No weight grows beyond this; 65536 is one. Times the reach it still fits 31 bits.
const HEAVIEST: i32 = 1 << 19;

/// A place in a table of a power of two for any context; small ones keep their own. Contexts that differ in
/// their low four bits only stay together in memory, for questions that are asked one after the other.
#[inline]
fn fold(context: u32, size: usize) -> usize {
    let mask = size as u32 - 1;
    let place = if context <= mask {
        context
    } else {
        let lines = mask.count_ones() - 4;
        ((context >> 4).wrapping_mul(0x9E37_79B1) >> (32 - lines)) << 4 | context & 15
    };
    (place & mask) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::coder::{Decoder, Encoder};

    #[test]
    fn the_tables_are_the_logistic_function_and_its_inverse() {
        for x in [-2047, -1000, -256, -1, 0, 1, 77, 256, 1024, 2047] {
            let exact = 65536.0 / (1.0 + (-f64::from(x) / 256.0).exp());
            let found = f64::from(SQUASH[(x + 2048) as usize]);
            assert!((exact - found).abs() <= 1.0, "{x}: {found}, expected {exact}");
        }
        for p in [8, 100, 2048, 3000, 4087] {
            let exact = 256.0 * (f64::from(p) / (4096.0 - f64::from(p))).ln();
            let found = f64::from(STRETCH[p as usize]);
            assert!((exact - found).abs() < 40.0, "{p}: {found}, expected {exact}");
        }
    }

    #[test]
    fn a_predictor_learns_what_repeats() {
        let answers: Vec<bool> = (0..20_000).map(|n| n % 3 == 0).collect();
        let mut predictor = Predictor::new([5, 8], 1);
        let mut encoder = Encoder::new();
        for (n, &answer) in answers.iter().enumerate() {
            predictor.code(&mut encoder, [n as u32 % 3, 7], 0, answer);
        }
        let bytes = encoder.finish();
        assert!(bytes.len() < 150, "{} bytes", bytes.len());
        let mut predictor = Predictor::new([5, 8], 1);
        let mut decoder = Decoder::new(&bytes);
        for (n, &answer) in answers.iter().enumerate() {
            assert_eq!(predictor.code(&mut decoder, [n as u32 % 3, 7], 0, false), answer);
        }
    }
}
