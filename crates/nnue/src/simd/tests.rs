// SPDX-License-Identifier: GPL-3.0-or-later
//! Every word of every level means what it means in plain Rust, at the edges of the numbers too.

use rules::Random;

use super::*;
use crate::lines::Line;

/// Lines of random numbers, edges among them.
struct Lines(Random);

impl Lines {
    fn next(&mut self) -> u64 {
        self.0.bits()
    }

    fn i16s(&mut self) -> I16s {
        const EDGES: [i16; 10] = [i16::MIN, i16::MIN + 1, -256, -1, 0, 1, 127, 255, 256, i16::MAX];
        Line(std::array::from_fn(|_| match self.next() % 4 {
            0 => EDGES[(self.next() % 10) as usize],
            1 => (self.next() % 512) as i16 - 128,
            _ => self.next() as i16,
        }))
    }

    fn i32s(&mut self) -> I32s {
        const EDGES: [i32; 7] = [i32::MIN, i32::MIN + 1, -1, 0, 1, 127, i32::MAX];
        Line(std::array::from_fn(|_| match self.next() % 4 {
            0 => EDGES[(self.next() % 7) as usize],
            1 => (self.next() % 16_384) as i32,
            _ => self.next() as i32,
        }))
    }

    fn weights(&mut self) -> I8s {
        const EDGES: [i8; 4] = [i8::MIN, -127, 0, i8::MAX];
        Line(std::array::from_fn(|_| match self.next() % 2 {
            0 => EDGES[(self.next() % 4) as usize],
            _ => self.next() as i8,
        }))
    }

    /// A group of activations, often zero, often at the limit.
    fn group(&mut self) -> u32 {
        match self.next() % 4 {
            0 => 0,
            1 => 0x7F7F_7F7F,
            _ => self.next() as u32 & 0x7F7F_7F7F,
        }
    }
}

/// Runs every word on random lines and writes all results down.
#[derive(Clone, Copy)]
struct Everything {
    seed: u64,
}

impl Kernel for Everything {
    type Output = Vec<i64>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Vec<i64> {
        let mut random = Lines(Random::new(self.seed));
        let mut log = Vec::new();
        for _ in 0..50 {
            words_on_i16(simd, &mut random, &mut log);
            words_on_bytes(simd, &mut random, &mut log);
            words_on_i32(simd, &mut random, &mut log);
        }
        log
    }
}

fn log_i16<S: Simd>(simd: S, value: S::I16, log: &mut Vec<i64>) {
    let mut line = I16s::ZERO;
    simd.store_i16(value, &mut line);
    log.extend(line.0.map(i64::from));
}

fn log_i32<S: Simd>(simd: S, value: S::I32, log: &mut Vec<i64>) {
    let mut line = I32s::ZERO;
    simd.store_i32(value, &mut line);
    log.extend(line.0.map(i64::from));
}

#[inline(always)]
fn words_on_i16<S: Simd>(simd: S, random: &mut Lines, log: &mut Vec<i64>) {
    let (a, b) = (simd.load_i16(&random.i16s()), simd.load_i16(&random.i16s()));
    let splat = simd.splat_i16(random.next() as i16);
    let shifted = simd.shift_u16(a, (random.next() % 16) as u32);
    let words = [
        simd.add_i16(a, b),
        simd.sub_i16(a, b),
        simd.min_i16(a, b),
        simd.max_i16(a, b),
        simd.mul_i16(a, b),
        splat,
        shifted,
    ];
    for word in words {
        log_i16(simd, word, log);
    }
    log_i32(simd, simd.pair_products(a, b), log);
}

#[inline(always)]
fn words_on_bytes<S: Simd>(simd: S, random: &mut Lines, log: &mut Vec<i64>) {
    let packed = simd.pack(simd.load_i16(&random.i16s()), simd.load_i16(&random.i16s()));
    let mut stored = Groups::ZERO;
    simd.store_u8(packed, &mut stored);
    let mut ordered = [0; 16];
    for (to, from) in S::PACKED.into_iter().enumerate() {
        ordered[2 * from..2 * from + 2].copy_from_slice(&stored.0[2 * to..2 * to + 2]);
    }
    log.extend(ordered.map(i64::from));

    let mut numbers = [0; 16];
    let count = simd.nonzero(packed, 1000, &mut numbers);
    let expected = (0..16).filter(|&i| stored.0[i as usize] != 0).map(|i| 1000 + i);
    assert!(expected.eq(numbers[..count].iter().copied()), "{stored:?}: {numbers:?}, {count}");

    let sums = simd.load_i32(&random.i32s());
    log_i32(simd, simd.dot(sums, simd.splat_group(random.group()), &random.weights()), log);
    // The largest weights that two groups may have together.
    let small = [(); 2].map(|()| Line(random.weights().0.map(|weight| weight / 2 + weight % 2)));
    let inputs = [(); 2].map(|()| simd.splat_group(random.group()));
    log_i32(simd, simd.dot_pair(sums, inputs, [&small[0], &small[1]]), log);
}

#[inline(always)]
fn words_on_i32<S: Simd>(simd: S, random: &mut Lines, log: &mut Vec<i64>) {
    let (a, b) = (simd.load_i32(&random.i32s()), simd.load_i32(&random.i32s()));
    let (small, bytes) = (random.i32s().0.map(|x| x & 32_767), random.i32s().0.map(|x| x & 255));
    let (small, bytes) = (simd.load_i32(&Line(small)), simd.load_i32(&Line(bytes)));
    let short = simd.load_i32(&Line(random.i32s().0.map(|x| i32::from(x as i16))));
    let words = [
        simd.add_i32(a, b),
        simd.min_i32(a, b),
        simd.max_i32(a, b),
        simd.abs_i32(a),
        simd.splat_i32(random.next() as i32),
        simd.shift_i32(a, (random.next() % 32) as u32),
        simd.mul_short(small, short),
    ];
    for word in words {
        log_i32(simd, word, log);
    }
    log.extend(simd.narrow(bytes).map(i64::from));
    log.push(simd.reduce(a));
}

struct Entered(Everything);

impl Visitor for Entered {
    type Output = Vec<i64>;

    fn visit<S: Simd>(self, simd: S) -> Vec<i64> {
        simd.enter(self.0)
    }
}

#[test]
fn every_level_speaks_as_plain_rust_does() {
    for seed in 0..40 {
        let everything = Everything { seed };
        let expected = everything.run(Scalar);
        for level in Level::available() {
            let found = level.visit(Entered(everything)).expect("an available level");
            assert!(found == expected, "{level} with seed {seed}");
        }
    }
}

#[test]
fn plain_rust_is_what_the_documentation_says() {
    let bytes = Scalar.pack([300; 32], [-5; 32]);
    assert_eq!((bytes[0], bytes[31], bytes[32]), (255, 255, 0));
    assert_eq!(Scalar.dot([-7; 16], Scalar.splat_group(0x7F00_0002), &Line([-128; 64])), [-16_519; 16]);
    assert_eq!(Scalar.shift_i32([-65; 16], 6), [-2; 16]);
    assert_eq!(Scalar.pair_products([i16::MIN; 32], [i16::MIN; 32]), [i32::MIN; 16]);
    assert_eq!(
        Scalar.narrow(std::array::from_fn(|i| i as i32)),
        [0x0302_0100, 0x0706_0504, 0x0B0A_0908, 0x0F0E_0D0C]
    );
}

#[test]
fn levels_go_by_their_names() {
    for level in Level::ALL {
        assert_eq!(level.to_string().parse(), Ok(level));
    }
    assert_eq!(Level::choose(None), Ok(Level::best()));
    assert_eq!(Level::choose(Some("scalar")), Ok(Level::Scalar));
    let unknown = Level::choose(Some("mmx")).unwrap_err().to_string();
    assert_eq!(
        unknown,
        "unknown instruction set 'mmx', expected one of scalar, neon, avx2, avx512bw, avx512"
    );
    for level in Level::ALL {
        let chosen = Level::choose(Some(&level.to_string()));
        if Level::available().any(|available| available == level) {
            assert_eq!(chosen, Ok(level));
        } else if level != Level::Avx512Vnni {
            assert_eq!(chosen, Err(SimdError::Unavailable(level)));
        }
    }
}
