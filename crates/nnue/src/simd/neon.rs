// SPDX-License-Identifier: GPL-3.0-or-later
//! NEON: a line is four registers. Untested until an ARM machine is at hand.

use std::{arch::aarch64::*, array::from_fn};

use super::{Kernel, Simd};
use crate::lines::{Groups, I8s, I16s, I32s};

/// Proof that the CPU has NEON.
#[derive(Copy, Clone)]
pub(crate) struct Neon(());

impl Neon {
    /// The proof, if the CPU has what `enter` is compiled for.
    pub(crate) fn detect() -> Option<Neon> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Neon(()))
    }
}

/// Words that do the same to all four registers of two operands.
macro_rules! by_quarters {
    ($($word:ident: $vector:ident = $instruction:ident),* $(,)?) => {$(
        #[inline(always)]
        fn $word(self, a: Self::$vector, b: Self::$vector) -> Self::$vector {
            // SAFETY: `self` proves that the CPU has NEON.
            unsafe {
                [
                    $instruction(a[0], b[0]),
                    $instruction(a[1], b[1]),
                    $instruction(a[2], b[2]),
                    $instruction(a[3], b[3]),
                ]
            }
        }
    )*};
}

impl Simd for Neon {
    type I16 = [int16x8_t; 4];
    type I32 = [int32x4_t; 4];
    type U8 = [uint8x16_t; 4];

    const PACKED: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
    const IN_FLIGHT: usize = 1;
    const PAIRS: bool = false;

    #[inline(always)]
    fn enter<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "neon")]
        fn inside<K: Kernel>(simd: Neon, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        // SAFETY: `self` proves that the CPU has NEON.
        unsafe { inside(self, kernel) }
    }

    by_quarters! {
        add_i16: I16 = vaddq_s16,
        sub_i16: I16 = vsubq_s16,
        min_i16: I16 = vminq_s16,
        max_i16: I16 = vmaxq_s16,
        mul_i16: I16 = vmulq_s16,
        add_i32: I32 = vaddq_s32,
        min_i32: I32 = vminq_s32,
        max_i32: I32 = vmaxq_s32,
        mul_short: I32 = vmulq_s32,
    }

    #[inline(always)]
    fn load_i16(self, from: &I16s) -> Self::I16 {
        // SAFETY: a line has four times eight numbers.
        from_fn(|i| unsafe { vld1q_s16(from.0.as_ptr().add(8 * i)) })
    }

    #[inline(always)]
    fn store_i16(self, value: Self::I16, to: &mut I16s) {
        for (i, quarter) in value.into_iter().enumerate() {
            // SAFETY: a line has four times eight numbers.
            unsafe { vst1q_s16(to.0.as_mut_ptr().add(8 * i), quarter) };
        }
    }

    #[inline(always)]
    fn splat_i16(self, value: i16) -> Self::I16 {
        // SAFETY: `self` proves that the CPU has NEON.
        [unsafe { vdupq_n_s16(value) }; 4]
    }

    #[inline(always)]
    fn shift_u16(self, value: Self::I16, count: u32) -> Self::I16 {
        // SAFETY: `self` proves that the CPU has NEON.
        unsafe {
            let right = vdupq_n_s16(-(count as i16));
            from_fn(|i| vreinterpretq_s16_u16(vshlq_u16(vreinterpretq_u16_s16(value[i]), right)))
        }
    }

    #[inline(always)]
    fn pair_products(self, a: Self::I16, b: Self::I16) -> Self::I32 {
        // SAFETY: `self` proves that the CPU has NEON.
        from_fn(|i| unsafe {
            let low = vmull_s16(vget_low_s16(a[i]), vget_low_s16(b[i]));
            vpaddq_s32(low, vmull_high_s16(a[i], b[i]))
        })
    }

    #[inline(always)]
    fn pack(self, low: Self::I16, high: Self::I16) -> Self::U8 {
        // SAFETY: `self` proves that the CPU has NEON.
        unsafe {
            let packed = |a, b| vqmovun_high_s16(vqmovun_s16(a), b);
            [
                packed(low[0], low[1]),
                packed(low[2], low[3]),
                packed(high[0], high[1]),
                packed(high[2], high[3]),
            ]
        }
    }

    #[inline(always)]
    fn store_u8(self, value: Self::U8, to: &mut Groups) {
        for (i, quarter) in value.into_iter().enumerate() {
            // SAFETY: a line has four times four groups.
            unsafe { vst1q_u32(to.0.as_mut_ptr().add(4 * i), vreinterpretq_u32_u8(quarter)) };
        }
    }

    #[inline(always)]
    fn nonzero(self, value: Self::U8, first: u32, to: &mut [u32; 16]) -> usize {
        let mut groups = Groups::ZERO;
        self.store_u8(value, &mut groups);
        let mut count = 0;
        for (i, group) in (0..).zip(groups.0) {
            to[count] = first + i;
            count += usize::from(group != 0);
        }
        count
    }

    #[inline(always)]
    fn splat_group(self, group: u32) -> Self::U8 {
        // SAFETY: `self` proves that the CPU has NEON.
        [unsafe { vreinterpretq_u8_u32(vdupq_n_u32(group)) }; 4]
    }

    #[inline(always)]
    fn dot(self, sums: Self::I32, inputs: Self::U8, weights: &I8s) -> Self::I32 {
        // SAFETY: `self` proves NEON; a line has four times sixteen weights. Inputs are at most 127, so they
        // keep their value as signed bytes.
        from_fn(|i| unsafe {
            let weights = vld1q_s8(weights.0.as_ptr().add(16 * i));
            let inputs = vreinterpretq_s8_u8(inputs[i]);
            let low = vmull_s8(vget_low_s8(inputs), vget_low_s8(weights));
            let high = vmull_high_s8(inputs, weights);
            vaddq_s32(sums[i], vpaddq_s32(vpaddlq_s16(low), vpaddlq_s16(high)))
        })
    }

    #[inline(always)]
    fn load_i32(self, from: &I32s) -> Self::I32 {
        // SAFETY: a line has four times four numbers.
        from_fn(|i| unsafe { vld1q_s32(from.0.as_ptr().add(4 * i)) })
    }

    #[inline(always)]
    fn store_i32(self, value: Self::I32, to: &mut I32s) {
        for (i, quarter) in value.into_iter().enumerate() {
            // SAFETY: a line has four times four numbers.
            unsafe { vst1q_s32(to.0.as_mut_ptr().add(4 * i), quarter) };
        }
    }

    #[inline(always)]
    fn splat_i32(self, value: i32) -> Self::I32 {
        // SAFETY: `self` proves that the CPU has NEON.
        [unsafe { vdupq_n_s32(value) }; 4]
    }

    #[inline(always)]
    fn abs_i32(self, value: Self::I32) -> Self::I32 {
        // SAFETY: `self` proves that the CPU has NEON.
        value.map(|quarter| unsafe { vabsq_s32(quarter) })
    }

    #[inline(always)]
    fn shift_i32(self, value: Self::I32, count: u32) -> Self::I32 {
        // SAFETY: `self` proves that the CPU has NEON.
        unsafe {
            let right = vdupq_n_s32(-(count as i32));
            from_fn(|i| vshlq_s32(value[i], right))
        }
    }

    #[inline(always)]
    fn narrow(self, value: Self::I32) -> [u32; 4] {
        let mut numbers = I32s::ZERO;
        self.store_i32(value, &mut numbers);
        from_fn(|i| u32::from_le_bytes(from_fn(|j| numbers.0[4 * i + j] as u8)))
    }

    #[inline(always)]
    fn reduce(self, value: Self::I32) -> i64 {
        // SAFETY: `self` proves that the CPU has NEON.
        value.into_iter().map(|quarter| unsafe { vaddlvq_s32(quarter) }).sum()
    }
}
