// SPDX-License-Identifier: GPL-3.0-or-later
//! The vocabulary in which inference is written, and the instruction sets behind it.
//!
//! [`Simd`] speaks of whole lines (64 bytes); [`Scalar`] says what each word means, the others say the same
//! faster. All are compiled in, and the choice is made at run time, whatever CPU the build was meant for.
//!
//! A value of an instruction set's type exists only on a CPU that has it: that is what makes the
//! calls sound. Code becomes fast by being inlined into [`Simd::enter`], the one function per set that the
//! compiler may fill with its instructions; hence the `inline(always)` on everything below it.
#![allow(unsafe_code, reason = "vector instructions and loads from lines")]

mod level;
mod scalar;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;

#[cfg(test)]
mod tests;

pub(crate) use level::Visitor;
pub use level::{Level, SimdError};
pub(crate) use scalar::Scalar;

use crate::lines::{Groups, I8s, I16s, I32s};

/// Work to be done with an instruction set; `run` must be `inline(always)`.
pub(crate) trait Kernel {
    /// What comes out.
    type Output;

    /// Does the work.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// What an instruction set can do with lines.
pub(crate) trait Simd: Copy + Send + Sync + 'static {
    /// 32 numbers of 16 bits.
    type I16: Copy;
    /// 16 numbers of 32 bits.
    type I32: Copy;
    /// 64 bytes in 16 groups of four.
    type U8: Copy;

    /// Where `pack` takes its eight-byte pieces from: piece `i` of the result is piece `PACKED[i]` in order.
    ///
    /// Cheaper than putting them in order: the next layer's weights are laid out to match.
    const PACKED: [usize; 8];
    /// How many sums `dot` should work on in turn so as not to wait for itself.
    const IN_FLIGHT: usize;
    /// Whether `dot_pair` is cheaper than `dot` twice.
    const PAIRS: bool;
    /// Whether to compile code for each width; the specification need not be fast, but takes longest to compile.
    const UNROLLED: bool = true;

    /// Runs a kernel compiled for this instruction set.
    fn enter<K: Kernel>(self, kernel: K) -> K::Output;

    fn load_i16(self, from: &I16s) -> Self::I16;
    fn store_i16(self, value: Self::I16, to: &mut I16s);
    fn splat_i16(self, value: i16) -> Self::I16;
    /// Sums wrap around.
    fn add_i16(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// Differences wrap around.
    fn sub_i16(self, a: Self::I16, b: Self::I16) -> Self::I16;
    fn min_i16(self, a: Self::I16, b: Self::I16) -> Self::I16;
    fn max_i16(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// The low 16 bits of the products.
    fn mul_i16(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// Shifts zeros in from the left.
    fn shift_u16(self, value: Self::I16, count: u32) -> Self::I16;
    /// Products of neighbours added in pairs.
    fn pair_products(self, a: Self::I16, b: Self::I16) -> Self::I32;

    /// Clamps two lines to 0..=255 and puts them into one, in the order of `PACKED`.
    fn pack(self, low: Self::I16, high: Self::I16) -> Self::U8;
    fn store_u8(self, value: Self::U8, to: &mut Groups);
    /// Writes `first + i` for every group `i` that is not zero, in order, and returns how many there are.
    fn nonzero(self, value: Self::U8, first: u32, to: &mut [u32; 16]) -> usize;
    /// Sixteen times the same group.
    fn splat_group(self, group: u32) -> Self::U8;
    /// Adds to each sum four products of inputs (at most 127) and weights.
    fn dot(self, sums: Self::I32, inputs: Self::U8, weights: &I8s) -> Self::I32;

    /// `dot` for two groups at once, if products of neighbours, added up for both, fit 16 bits.
    #[inline(always)]
    fn dot_pair(self, sums: Self::I32, inputs: [Self::U8; 2], weights: [&I8s; 2]) -> Self::I32 {
        self.dot(self.dot(sums, inputs[0], weights[0]), inputs[1], weights[1])
    }

    fn load_i32(self, from: &I32s) -> Self::I32;
    fn store_i32(self, value: Self::I32, to: &mut I32s);
    fn splat_i32(self, value: i32) -> Self::I32;
    fn add_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    fn min_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    fn max_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// Sizes without signs; the smallest number stays as it is.
    fn abs_i32(self, value: Self::I32) -> Self::I32;
    /// Divides by a power of two, rounding down.
    fn shift_i32(self, value: Self::I32, count: u32) -> Self::I32;
    /// Products of `a` in 0..=32767 and `b` in the range of 16 bits.
    fn mul_short(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// Sixteen numbers in 0..=255 as four groups of bytes, in order.
    fn narrow(self, value: Self::I32) -> [u32; 4];
    /// The sum of all sixteen.
    fn reduce(self, value: Self::I32) -> i64;
}
