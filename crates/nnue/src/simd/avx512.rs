// SPDX-License-Identifier: GPL-3.0-or-later
//! AVX-512: a line is one register; with or without dot products of bytes (VNNI).

use std::arch::x86_64::*;

use super::{Kernel, Simd};
use crate::lines::{Groups, I8s, I16s, I32s, Line};

/// Proof that the CPU has AVX-512 with bytes and words, and VNNI if so marked.
#[derive(Copy, Clone)]
pub(crate) struct Avx512<const VNNI: bool>(());

impl<const VNNI: bool> Avx512<VNNI> {
    /// The proof, if the CPU has what `enter` is compiled for.
    pub(crate) fn detect() -> Option<Avx512<VNNI>> {
        let has = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && (!VNNI || is_x86_feature_detected!("avx512vnni"));
        has.then_some(Avx512(()))
    }
}

/// Words of one instruction with two operands.
macro_rules! by_instruction {
    ($($word:ident = $instruction:ident),* $(,)?) => {$(
        #[inline(always)]
        fn $word(self, a: __m512i, b: __m512i) -> __m512i {
            // SAFETY: `self` proves that the CPU has AVX-512.
            unsafe { $instruction(a, b) }
        }
    )*};
}

#[inline(always)]
fn load<T>(from: &Line<T>) -> __m512i {
    const { assert!(size_of::<Line<T>>() == 64) };
    // SAFETY: a line is 64 bytes on a 64-byte boundary, and only code that has proof of AVX-512 comes here.
    unsafe { _mm512_load_si512(std::ptr::from_ref(from).cast()) }
}

#[inline(always)]
fn store<T>(value: __m512i, to: &mut Line<T>) {
    const { assert!(size_of::<Line<T>>() == 64) };
    // SAFETY: as for loading; lines are made of integers, which take any bits.
    unsafe { _mm512_store_si512(std::ptr::from_mut(to).cast(), value) }
}

impl<const VNNI: bool> Simd for Avx512<VNNI> {
    type I16 = __m512i;
    type I32 = __m512i;
    type U8 = __m512i;

    // The instruction packs the 16-byte parts of its operands one by one.
    const PACKED: [usize; 8] = [0, 4, 1, 5, 2, 6, 3, 7];
    // A VNNI dot product adds to its sum and takes four cycles or five.
    const IN_FLIGHT: usize = if VNNI { 4 } else { 1 };
    const PAIRS: bool = !VNNI;

    #[inline(always)]
    fn enter<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
        fn plain<S: Simd, K: Kernel>(simd: S, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,bmi1,bmi2,popcnt")]
        fn with_vnni<S: Simd, K: Kernel>(simd: S, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        // SAFETY: `self` proves that the CPU has these features.
        unsafe { if VNNI { with_vnni(self, kernel) } else { plain(self, kernel) } }
    }

    by_instruction! {
        add_i16 = _mm512_add_epi16,
        sub_i16 = _mm512_sub_epi16,
        min_i16 = _mm512_min_epi16,
        max_i16 = _mm512_max_epi16,
        mul_i16 = _mm512_mullo_epi16,
        pair_products = _mm512_madd_epi16,
        pack = _mm512_packus_epi16,
        add_i32 = _mm512_add_epi32,
        min_i32 = _mm512_min_epi32,
        max_i32 = _mm512_max_epi32,
        // The upper half of each lane of the first operand is zero.
        mul_short = _mm512_madd_epi16,
    }

    #[inline(always)]
    fn load_i16(self, from: &I16s) -> __m512i {
        load(from)
    }

    #[inline(always)]
    fn store_i16(self, value: __m512i, to: &mut I16s) {
        store(value, to);
    }

    #[inline(always)]
    fn splat_i16(self, value: i16) -> __m512i {
        // SAFETY: `self` proves that the CPU has AVX-512.
        unsafe { _mm512_set1_epi16(value) }
    }

    #[inline(always)]
    fn shift_u16(self, value: __m512i, count: u32) -> __m512i {
        // SAFETY: `self` proves that the CPU has AVX-512.
        unsafe { _mm512_srl_epi16(value, _mm_cvtsi32_si128(count as i32)) }
    }

    #[inline(always)]
    fn store_u8(self, value: __m512i, to: &mut Groups) {
        store(value, to);
    }

    #[inline(always)]
    fn nonzero(self, value: __m512i, first: u32, to: &mut [u32; 16]) -> usize {
        // SAFETY: `self` proves AVX-512; sixteen numbers of 32 bits are one register. Compressing in a
        // register and storing it whole is much faster than the store that compresses.
        unsafe {
            let set = _mm512_test_epi32_mask(value, value);
            let positions = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            let numbers = _mm512_add_epi32(positions, _mm512_set1_epi32(first as i32));
            _mm512_storeu_si512(to.as_mut_ptr().cast(), _mm512_maskz_compress_epi32(set, numbers));
            set.count_ones() as usize
        }
    }

    #[inline(always)]
    fn splat_group(self, group: u32) -> __m512i {
        // SAFETY: `self` proves that the CPU has AVX-512.
        unsafe { _mm512_set1_epi32(group as i32) }
    }

    #[inline(always)]
    fn dot(self, sums: __m512i, inputs: __m512i, weights: &I8s) -> __m512i {
        let weights = load(weights);
        // SAFETY: `self` proves AVX-512, with VNNI where it is used. Sums of two products do not saturate:
        // 2 * 127 * 128 < 32,768.
        unsafe {
            if VNNI {
                _mm512_dpbusd_epi32(sums, inputs, weights)
            } else {
                let twos = _mm512_maddubs_epi16(inputs, weights);
                _mm512_add_epi32(sums, _mm512_madd_epi16(twos, _mm512_set1_epi16(1)))
            }
        }
    }

    #[inline(always)]
    fn dot_pair(self, sums: __m512i, inputs: [__m512i; 2], weights: [&I8s; 2]) -> __m512i {
        let (a, b) = (load(weights[0]), load(weights[1]));
        // SAFETY: `self` proves that the CPU has AVX-512.
        unsafe {
            let (left, right) = (_mm512_maddubs_epi16(inputs[0], a), _mm512_maddubs_epi16(inputs[1], b));
            let fours = _mm512_madd_epi16(_mm512_add_epi16(left, right), _mm512_set1_epi16(1));
            _mm512_add_epi32(sums, fours)
        }
    }

    #[inline(always)]
    fn load_i32(self, from: &I32s) -> __m512i {
        load(from)
    }

    #[inline(always)]
    fn store_i32(self, value: __m512i, to: &mut I32s) {
        store(value, to);
    }

    #[inline(always)]
    fn splat_i32(self, value: i32) -> __m512i {
        // SAFETY: `self` proves that the CPU has AVX-512.
        unsafe { _mm512_set1_epi32(value) }
    }

    #[inline(always)]
    fn abs_i32(self, value: __m512i) -> __m512i {
        // SAFETY: `self` proves that the CPU has AVX-512.
        unsafe { _mm512_abs_epi32(value) }
    }

    #[inline(always)]
    fn shift_i32(self, value: __m512i, count: u32) -> __m512i {
        // SAFETY: `self` proves that the CPU has AVX-512.
        unsafe { _mm512_sra_epi32(value, _mm_cvtsi32_si128(count as i32)) }
    }

    #[inline(always)]
    fn narrow(self, value: __m512i) -> [u32; 4] {
        let mut bytes = [0; 4];
        // SAFETY: `self` proves AVX-512; the result has the 16 bytes that are stored.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), _mm512_cvtepi32_epi8(value)) }
        bytes
    }

    #[inline(always)]
    fn reduce(self, value: __m512i) -> i64 {
        // SAFETY: `self` proves that the CPU has AVX-512.
        unsafe {
            let low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(value));
            let high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64::<1>(value));
            _mm512_reduce_add_epi64(_mm512_add_epi64(low, high))
        }
    }
}
