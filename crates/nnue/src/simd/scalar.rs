// SPDX-License-Identifier: GPL-3.0-or-later
//! The vocabulary in plain Rust: the specification of every other level.

use std::array::from_fn;

use super::{Kernel, Simd};
use crate::lines::{Groups, I8s, I16s, I32s};

/// Plain Rust.
#[derive(Copy, Clone)]
pub(crate) struct Scalar;

impl Simd for Scalar {
    type I16 = [i16; 32];
    type I32 = [i32; 16];
    type U8 = [u8; 64];

    const PACKED: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
    const IN_FLIGHT: usize = 1;
    const PAIRS: bool = false;
    const UNROLLED: bool = false;

    fn enter<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    #[inline(always)]
    fn load_i16(self, from: &I16s) -> [i16; 32] {
        from.0
    }

    #[inline(always)]
    fn store_i16(self, value: [i16; 32], to: &mut I16s) {
        to.0 = value;
    }

    #[inline(always)]
    fn splat_i16(self, value: i16) -> [i16; 32] {
        [value; 32]
    }

    #[inline(always)]
    fn add_i16(self, a: [i16; 32], b: [i16; 32]) -> [i16; 32] {
        from_fn(|i| a[i].wrapping_add(b[i]))
    }

    #[inline(always)]
    fn sub_i16(self, a: [i16; 32], b: [i16; 32]) -> [i16; 32] {
        from_fn(|i| a[i].wrapping_sub(b[i]))
    }

    #[inline(always)]
    fn min_i16(self, a: [i16; 32], b: [i16; 32]) -> [i16; 32] {
        from_fn(|i| a[i].min(b[i]))
    }

    #[inline(always)]
    fn max_i16(self, a: [i16; 32], b: [i16; 32]) -> [i16; 32] {
        from_fn(|i| a[i].max(b[i]))
    }

    #[inline(always)]
    fn mul_i16(self, a: [i16; 32], b: [i16; 32]) -> [i16; 32] {
        from_fn(|i| a[i].wrapping_mul(b[i]))
    }

    #[inline(always)]
    fn shift_u16(self, value: [i16; 32], count: u32) -> [i16; 32] {
        from_fn(|i| (value[i] as u16 >> count) as i16)
    }

    #[inline(always)]
    fn pair_products(self, a: [i16; 32], b: [i16; 32]) -> [i32; 16] {
        let product = |i: usize| i32::from(a[i]) * i32::from(b[i]);
        from_fn(|i| product(2 * i).wrapping_add(product(2 * i + 1)))
    }

    #[inline(always)]
    fn pack(self, low: [i16; 32], high: [i16; 32]) -> [u8; 64] {
        from_fn(|i| if i < 32 { low[i] } else { high[i - 32] }.clamp(0, 255) as u8)
    }

    #[inline(always)]
    fn store_u8(self, value: [u8; 64], to: &mut Groups) {
        to.0 = groups(&value);
    }

    #[inline(always)]
    fn nonzero(self, value: [u8; 64], first: u32, to: &mut [u32; 16]) -> usize {
        let mut count = 0;
        for (i, group) in (0..).zip(groups(&value)) {
            if group != 0 {
                to[count] = first + i;
                count += 1;
            }
        }
        count
    }

    #[inline(always)]
    fn splat_group(self, group: u32) -> [u8; 64] {
        let bytes = group.to_le_bytes();
        from_fn(|i| bytes[i % 4])
    }

    #[inline(always)]
    fn dot(self, sums: [i32; 16], inputs: [u8; 64], weights: &I8s) -> [i32; 16] {
        let product = |i: usize| i32::from(inputs[i]) * i32::from(weights.0[i]);
        from_fn(|i| sums[i].wrapping_add((4 * i..4 * i + 4).map(product).sum()))
    }

    #[inline(always)]
    fn load_i32(self, from: &I32s) -> [i32; 16] {
        from.0
    }

    #[inline(always)]
    fn store_i32(self, value: [i32; 16], to: &mut I32s) {
        to.0 = value;
    }

    #[inline(always)]
    fn splat_i32(self, value: i32) -> [i32; 16] {
        [value; 16]
    }

    #[inline(always)]
    fn add_i32(self, a: [i32; 16], b: [i32; 16]) -> [i32; 16] {
        from_fn(|i| a[i].wrapping_add(b[i]))
    }

    #[inline(always)]
    fn min_i32(self, a: [i32; 16], b: [i32; 16]) -> [i32; 16] {
        from_fn(|i| a[i].min(b[i]))
    }

    #[inline(always)]
    fn max_i32(self, a: [i32; 16], b: [i32; 16]) -> [i32; 16] {
        from_fn(|i| a[i].max(b[i]))
    }

    #[inline(always)]
    fn abs_i32(self, value: [i32; 16]) -> [i32; 16] {
        value.map(i32::wrapping_abs)
    }

    #[inline(always)]
    fn shift_i32(self, value: [i32; 16], count: u32) -> [i32; 16] {
        from_fn(|i| value[i] >> count)
    }

    #[inline(always)]
    fn mul_short(self, a: [i32; 16], b: [i32; 16]) -> [i32; 16] {
        from_fn(|i| a[i] * b[i])
    }

    #[inline(always)]
    fn narrow(self, value: [i32; 16]) -> [u32; 4] {
        from_fn(|i| u32::from_le_bytes(from_fn(|j| value[4 * i + j] as u8)))
    }

    #[inline(always)]
    fn reduce(self, value: [i32; 16]) -> i64 {
        value.into_iter().map(i64::from).sum()
    }
}

#[inline(always)]
fn groups(bytes: &[u8; 64]) -> [u32; 16] {
    from_fn(|i| u32::from_le_bytes(from_fn(|j| bytes[4 * i + j])))
}
