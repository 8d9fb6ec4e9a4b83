// SPDX-License-Identifier: GPL-3.0-or-later
//! AVX2: a line is two registers.

use std::arch::x86_64::*;

use super::{Kernel, Simd};
use crate::lines::{Groups, I8s, I16s, I32s, Line};

/// Proof that the CPU has AVX2.
#[derive(Copy, Clone)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// The proof, if the CPU has what `enter` is compiled for.
    pub(crate) fn detect() -> Option<Avx2> {
        let has = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        has.then_some(Avx2(()))
    }
}

/// Two registers: the first and second half of a line.
type Halves = [__m256i; 2];

/// Words that do the same to both halves of two operands.
macro_rules! by_halves {
    ($($word:ident = $instruction:ident),* $(,)?) => {$(
        #[inline(always)]
        fn $word(self, a: Halves, b: Halves) -> Halves {
            // SAFETY: `self` proves that the CPU has AVX2.
            unsafe { [$instruction(a[0], b[0]), $instruction(a[1], b[1])] }
        }
    )*};
}

#[inline(always)]
fn load<T>(from: &Line<T>) -> Halves {
    const { assert!(size_of::<Line<T>>() == 64) };
    let from: *const __m256i = std::ptr::from_ref(from).cast();
    // SAFETY: a line is 64 bytes on a 64-byte boundary, and only code that has proof of AVX2 comes here.
    unsafe { [_mm256_load_si256(from), _mm256_load_si256(from.add(1))] }
}

#[inline(always)]
fn store<T>(value: Halves, to: &mut Line<T>) {
    const { assert!(size_of::<Line<T>>() == 64) };
    let to: *mut __m256i = std::ptr::from_mut(to).cast();
    // SAFETY: as for loading; lines are made of integers, which take any bits.
    unsafe {
        _mm256_store_si256(to, value[0]);
        _mm256_store_si256(to.add(1), value[1]);
    }
}

/// For every set of eight bits the positions of its members, a byte each.
static MEMBERS: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if set >> bit & 1 != 0 {
                table[set][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        set += 1;
    }
    table
};

impl Simd for Avx2 {
    type I16 = Halves;
    type I32 = Halves;
    type U8 = Halves;

    // The instruction packs the 16-byte parts of its operands one by one.
    const PACKED: [usize; 8] = [0, 2, 1, 3, 4, 6, 5, 7];
    const IN_FLIGHT: usize = 1;
    const PAIRS: bool = true;

    #[inline(always)]
    fn enter<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
        fn inside<K: Kernel>(simd: Avx2, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        // SAFETY: `self` proves that the CPU has these features.
        unsafe { inside(self, kernel) }
    }

    by_halves! {
        add_i16 = _mm256_add_epi16,
        sub_i16 = _mm256_sub_epi16,
        min_i16 = _mm256_min_epi16,
        max_i16 = _mm256_max_epi16,
        mul_i16 = _mm256_mullo_epi16,
        pair_products = _mm256_madd_epi16,
        add_i32 = _mm256_add_epi32,
        min_i32 = _mm256_min_epi32,
        max_i32 = _mm256_max_epi32,
        // The upper half of each lane of the first operand is zero.
        mul_short = _mm256_madd_epi16,
    }

    #[inline(always)]
    fn load_i16(self, from: &I16s) -> Halves {
        load(from)
    }

    #[inline(always)]
    fn store_i16(self, value: Halves, to: &mut I16s) {
        store(value, to);
    }

    #[inline(always)]
    fn splat_i16(self, value: i16) -> Halves {
        // SAFETY: `self` proves that the CPU has AVX2.
        [unsafe { _mm256_set1_epi16(value) }; 2]
    }

    #[inline(always)]
    fn shift_u16(self, value: Halves, count: u32) -> Halves {
        // SAFETY: `self` proves that the CPU has AVX2.
        unsafe {
            let count = _mm_cvtsi32_si128(count as i32);
            [_mm256_srl_epi16(value[0], count), _mm256_srl_epi16(value[1], count)]
        }
    }

    #[inline(always)]
    fn pack(self, low: Halves, high: Halves) -> Halves {
        // SAFETY: `self` proves that the CPU has AVX2.
        unsafe { [_mm256_packus_epi16(low[0], low[1]), _mm256_packus_epi16(high[0], high[1])] }
    }

    #[inline(always)]
    fn store_u8(self, value: Halves, to: &mut Groups) {
        store(value, to);
    }

    #[inline(always)]
    fn nonzero(self, value: Halves, first: u32, to: &mut [u32; 16]) -> usize {
        let mut count = 0;
        let mut first = first;
        for half in value {
            // SAFETY: `self` proves AVX2; at most eight numbers are counted before the second half, so
            // eight more fit behind them.
            unsafe {
                let zero = _mm256_cmpeq_epi32(half, _mm256_setzero_si256());
                let set = !_mm256_movemask_ps(_mm256_castsi256_ps(zero)) as u8;
                let members = _mm_loadl_epi64(MEMBERS[usize::from(set)].as_ptr().cast());
                let numbers =
                    _mm256_add_epi32(_mm256_cvtepu8_epi32(members), _mm256_set1_epi32(first as i32));
                _mm256_storeu_si256(to.as_mut_ptr().add(count).cast(), numbers);
                count += set.count_ones() as usize;
            }
            first += 8;
        }
        count
    }

    #[inline(always)]
    fn splat_group(self, group: u32) -> Halves {
        // SAFETY: `self` proves that the CPU has AVX2.
        [unsafe { _mm256_set1_epi32(group as i32) }; 2]
    }

    #[inline(always)]
    fn dot(self, sums: Halves, inputs: Halves, weights: &I8s) -> Halves {
        let weights = load(weights);
        // SAFETY: `self` proves AVX2. Sums of two products do not saturate: 2 * 127 * 128 < 32,768.
        unsafe {
            let ones = _mm256_set1_epi16(1);
            let low = _mm256_madd_epi16(_mm256_maddubs_epi16(inputs[0], weights[0]), ones);
            let high = _mm256_madd_epi16(_mm256_maddubs_epi16(inputs[1], weights[1]), ones);
            [_mm256_add_epi32(sums[0], low), _mm256_add_epi32(sums[1], high)]
        }
    }

    #[inline(always)]
    fn dot_pair(self, sums: Halves, inputs: [Halves; 2], weights: [&I8s; 2]) -> Halves {
        let (a, b) = (load(weights[0]), load(weights[1]));
        // SAFETY: `self` proves that the CPU has AVX2.
        unsafe {
            let ones = _mm256_set1_epi16(1);
            let mut sums = sums;
            for i in 0..2 {
                let (left, right) =
                    (_mm256_maddubs_epi16(inputs[0][i], a[i]), _mm256_maddubs_epi16(inputs[1][i], b[i]));
                let fours = _mm256_madd_epi16(_mm256_add_epi16(left, right), ones);
                sums[i] = _mm256_add_epi32(sums[i], fours);
            }
            sums
        }
    }

    #[inline(always)]
    fn load_i32(self, from: &I32s) -> Halves {
        load(from)
    }

    #[inline(always)]
    fn store_i32(self, value: Halves, to: &mut I32s) {
        store(value, to);
    }

    #[inline(always)]
    fn splat_i32(self, value: i32) -> Halves {
        // SAFETY: `self` proves that the CPU has AVX2.
        [unsafe { _mm256_set1_epi32(value) }; 2]
    }

    #[inline(always)]
    fn abs_i32(self, value: Halves) -> Halves {
        // SAFETY: `self` proves that the CPU has AVX2.
        value.map(|half| unsafe { _mm256_abs_epi32(half) })
    }

    #[inline(always)]
    fn shift_i32(self, value: Halves, count: u32) -> Halves {
        // SAFETY: `self` proves that the CPU has AVX2.
        unsafe {
            let count = _mm_cvtsi32_si128(count as i32);
            [_mm256_sra_epi32(value[0], count), _mm256_sra_epi32(value[1], count)]
        }
    }

    #[inline(always)]
    fn narrow(self, value: Halves) -> [u32; 4] {
        let mut bytes = [0; 4];
        // SAFETY: `self` proves AVX2; the result has the 16 bytes that are stored.
        unsafe {
            let mixed = _mm256_packs_epi32(value[0], value[1]);
            let ordered = _mm256_permute4x64_epi64::<0b11_01_10_00>(mixed);
            let (low, high) = (_mm256_castsi256_si128(ordered), _mm256_extracti128_si256::<1>(ordered));
            _mm_storeu_si128(bytes.as_mut_ptr().cast(), _mm_packus_epi16(low, high));
        }
        bytes
    }

    #[inline(always)]
    fn reduce(self, value: Halves) -> i64 {
        // SAFETY: `self` proves that the CPU has AVX2.
        unsafe {
            let mut four = _mm256_setzero_si256();
            for half in value {
                let low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(half));
                let high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(half));
                four = _mm256_add_epi64(four, _mm256_add_epi64(low, high));
            }
            let two = _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
            _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two)))
        }
    }
}
