// SPDX-License-Identifier: GPL-3.0-or-later
//! Sixteen floats at once, in the widest registers that the build may use.
//!
//! Which instructions there are is decided when the program is compiled (`target-cpu`), never by a guess: a build
//! for any PC has no instruction that some PC lacks. Additions and multiplications are the same everywhere;
//! a fused multiply-add rounds once where the machine has it.

#![allow(unsafe_code, reason = "vector instructions, and lines seen as floats")]

pub(crate) mod halves;

use super::memory;

/// Sixteen floats in memory, on one cache line.
#[derive(Copy, Clone, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [f32; Line::LEN]);

impl Line {
    /// Floats of a line.
    pub(crate) const LEN: usize = 16;
    /// All zeros.
    pub(crate) const ZERO: Line = Line([0.0; Line::LEN]);
}

/// Lines as floats.
#[inline(always)]
pub(crate) fn floats(lines: &[Line]) -> &[f32] {
    // SAFETY: a line is sixteen floats without padding (64 bytes, aligned to 64).
    unsafe { std::slice::from_raw_parts(lines.as_ptr().cast(), lines.len() * Line::LEN) }
}

/// Lines as floats, to be changed.
#[inline(always)]
pub(crate) fn floats_mut(lines: &mut [Line]) -> &mut [f32] {
    // SAFETY: as above; any bits are floats.
    unsafe { std::slice::from_raw_parts_mut(lines.as_mut_ptr().cast(), lines.len() * Line::LEN) }
}

/// Floats as lines, filled up with zeros.
pub(crate) fn lines(numbers: &[f32]) -> Vec<Line> {
    let mut lines = memory::filled(Line::ZERO, numbers.len().div_ceil(Line::LEN));
    floats_mut(&mut lines)[..numbers.len()].copy_from_slice(numbers);
    lines
}

#[cfg(target_feature = "avx512f")]
mod wide {
    use std::arch::x86_64::{
        __m512, _CMP_GT_OQ, _CMP_LT_OQ, _CMP_NEQ_UQ, _mm512_add_ps, _mm512_cmp_ps_mask, _mm512_fmadd_ps,
        _mm512_load_ps, _mm512_mask_cmp_ps_mask, _mm512_maskz_mov_ps, _mm512_max_ps, _mm512_min_ps,
        _mm512_mul_ps, _mm512_set1_ps, _mm512_setzero_ps, _mm512_store_ps,
    };

    use super::Line;

    /// Sixteen floats in a register.
    #[derive(Copy, Clone)]
    pub(crate) struct Lanes(pub(super) __m512);

    // SAFETY of every block: the module exists only in builds for CPUs with AVX-512F; lines are aligned.
    #[allow(clippy::undocumented_unsafe_blocks, reason = "the line above holds for all of them")]
    impl Lanes {
        #[inline(always)]
        pub(crate) fn load(line: &Line) -> Lanes {
            Lanes(unsafe { _mm512_load_ps(line.0.as_ptr()) })
        }

        #[inline(always)]
        pub(crate) fn store(self, line: &mut Line) {
            unsafe { _mm512_store_ps(line.0.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        pub(crate) fn splat(value: f32) -> Lanes {
            Lanes(unsafe { _mm512_set1_ps(value) })
        }

        #[inline(always)]
        pub(crate) fn add(self, other: Lanes) -> Lanes {
            Lanes(unsafe { _mm512_add_ps(self.0, other.0) })
        }

        #[inline(always)]
        pub(crate) fn mul(self, other: Lanes) -> Lanes {
            Lanes(unsafe { _mm512_mul_ps(self.0, other.0) })
        }

        /// `self + a · b`
        #[inline(always)]
        pub(crate) fn fused(self, a: Lanes, b: Lanes) -> Lanes {
            Lanes(unsafe { _mm512_fmadd_ps(a.0, b.0, self.0) })
        }

        /// Held between 0 and 1.
        #[inline(always)]
        pub(crate) fn clipped(self) -> Lanes {
            Lanes(unsafe { _mm512_min_ps(_mm512_max_ps(self.0, _mm512_setzero_ps()), _mm512_set1_ps(1.0)) })
        }

        /// A bit for every number that is not zero.
        #[inline(always)]
        pub(crate) fn nonzero(self) -> u16 {
            unsafe { _mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(self.0, _mm512_setzero_ps()) }
        }

        /// `other` where `self` is between 0 and 1 and farther than `margin` from both, and 0 elsewhere.
        #[inline(always)]
        pub(crate) fn gate(self, other: Lanes, margin: f32) -> Lanes {
            Lanes(unsafe {
                let above = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(self.0, _mm512_set1_ps(margin));
                let high = _mm512_set1_ps(1.0 - margin);
                let inside = _mm512_mask_cmp_ps_mask::<_CMP_LT_OQ>(above, self.0, high);
                _mm512_maskz_mov_ps(inside, other.0)
            })
        }
    }
}

#[cfg(all(target_feature = "avx2", target_feature = "fma", not(target_feature = "avx512f")))]
mod wide {
    use std::arch::x86_64::{
        __m256, _CMP_GT_OQ, _CMP_LT_OQ, _CMP_NEQ_UQ, _mm256_add_ps, _mm256_and_ps, _mm256_cmp_ps,
        _mm256_fmadd_ps, _mm256_load_ps, _mm256_max_ps, _mm256_min_ps, _mm256_movemask_ps, _mm256_mul_ps,
        _mm256_set1_ps, _mm256_setzero_ps, _mm256_store_ps,
    };

    use super::Line;

    /// Sixteen floats in two registers.
    #[derive(Copy, Clone)]
    pub(crate) struct Lanes(__m256, __m256);

    // SAFETY of every block: the module exists only in builds for CPUs with AVX2 and FMA; lines are aligned.
    #[allow(clippy::undocumented_unsafe_blocks, reason = "the line above holds for all of them")]
    impl Lanes {
        #[inline(always)]
        pub(crate) fn load(line: &Line) -> Lanes {
            let start = line.0.as_ptr();
            unsafe { Lanes(_mm256_load_ps(start), _mm256_load_ps(start.add(8))) }
        }

        #[inline(always)]
        pub(crate) fn store(self, line: &mut Line) {
            let start = line.0.as_mut_ptr();
            unsafe {
                _mm256_store_ps(start, self.0);
                _mm256_store_ps(start.add(8), self.1);
            }
        }

        #[inline(always)]
        pub(crate) fn splat(value: f32) -> Lanes {
            let value = unsafe { _mm256_set1_ps(value) };
            Lanes(value, value)
        }

        #[inline(always)]
        pub(crate) fn add(self, other: Lanes) -> Lanes {
            unsafe { Lanes(_mm256_add_ps(self.0, other.0), _mm256_add_ps(self.1, other.1)) }
        }

        #[inline(always)]
        pub(crate) fn mul(self, other: Lanes) -> Lanes {
            unsafe { Lanes(_mm256_mul_ps(self.0, other.0), _mm256_mul_ps(self.1, other.1)) }
        }

        /// `self + a · b`
        #[inline(always)]
        pub(crate) fn fused(self, a: Lanes, b: Lanes) -> Lanes {
            unsafe { Lanes(_mm256_fmadd_ps(a.0, b.0, self.0), _mm256_fmadd_ps(a.1, b.1, self.1)) }
        }

        /// Held between 0 and 1.
        #[inline(always)]
        pub(crate) fn clipped(self) -> Lanes {
            let clip =
                |x| unsafe { _mm256_min_ps(_mm256_max_ps(x, _mm256_setzero_ps()), _mm256_set1_ps(1.0)) };
            Lanes(clip(self.0), clip(self.1))
        }

        /// A bit for every number that is not zero.
        #[inline(always)]
        pub(crate) fn nonzero(self) -> u16 {
            let bits = |x| unsafe {
                _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_NEQ_UQ>(x, _mm256_setzero_ps())) as u16
            };
            bits(self.0) | (bits(self.1) << 8)
        }

        /// `other` where `self` is between 0 and 1 and farther than `margin` from both, and 0 elsewhere.
        #[inline(always)]
        pub(crate) fn gate(self, other: Lanes, margin: f32) -> Lanes {
            let gate = |x, y| unsafe {
                let above = _mm256_cmp_ps::<_CMP_GT_OQ>(x, _mm256_set1_ps(margin));
                let below = _mm256_cmp_ps::<_CMP_LT_OQ>(x, _mm256_set1_ps(1.0 - margin));
                _mm256_and_ps(_mm256_and_ps(above, below), y)
            };
            Lanes(gate(self.0, other.0), gate(self.1, other.1))
        }
    }
}

#[cfg(not(any(target_feature = "avx512f", all(target_feature = "avx2", target_feature = "fma"))))]
mod wide {
    use std::array::from_fn;

    use super::Line;

    /// Sixteen floats; the compiler finds the registers.
    #[derive(Copy, Clone)]
    pub(crate) struct Lanes([f32; 16]);

    impl Lanes {
        #[inline(always)]
        pub(crate) fn load(line: &Line) -> Lanes {
            Lanes(line.0)
        }

        #[inline(always)]
        pub(crate) fn store(self, line: &mut Line) {
            line.0 = self.0;
        }

        #[inline(always)]
        pub(crate) fn splat(value: f32) -> Lanes {
            Lanes([value; 16])
        }

        #[inline(always)]
        pub(crate) fn add(self, other: Lanes) -> Lanes {
            Lanes(from_fn(|i| self.0[i] + other.0[i]))
        }

        #[inline(always)]
        pub(crate) fn mul(self, other: Lanes) -> Lanes {
            Lanes(from_fn(|i| self.0[i] * other.0[i]))
        }

        /// `self + a · b`
        #[inline(always)]
        pub(crate) fn fused(self, a: Lanes, b: Lanes) -> Lanes {
            Lanes(from_fn(|i| self.0[i] + a.0[i] * b.0[i]))
        }

        /// Held between 0 and 1.
        #[inline(always)]
        pub(crate) fn clipped(self) -> Lanes {
            Lanes(self.0.map(|x| x.clamp(0.0, 1.0)))
        }

        /// A bit for every number that is not zero.
        #[inline(always)]
        pub(crate) fn nonzero(self) -> u16 {
            (0..16).fold(0, |bits, i| bits | (u16::from(self.0[i] != 0.0) << i))
        }

        /// `other` where `self` is between 0 and 1 and farther than `margin` from both, and 0 elsewhere.
        #[inline(always)]
        pub(crate) fn gate(self, other: Lanes, margin: f32) -> Lanes {
            let inside = |x: f32| x > margin && x < 1.0 - margin;
            Lanes(from_fn(|i| if inside(self.0[i]) { other.0[i] } else { 0.0 }))
        }
    }
}

pub(crate) use wide::Lanes;

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(f: impl Fn(Lanes, Lanes) -> Lanes, a: Line, b: Line) -> [f32; 16] {
        let mut out = Line::ZERO;
        f(Lanes::load(&a), Lanes::load(&b)).store(&mut out);
        out.0
    }

    #[test]
    fn lanes_do_what_scalars_do() {
        let a = Line(std::array::from_fn(|i| i as f32 / 8.0 - 0.5));
        let b = Line(std::array::from_fn(|i| 3.0 - i as f32));
        let each = |f: fn(f32, f32) -> f32| std::array::from_fn::<f32, 16, _>(|i| f(a.0[i], b.0[i]));
        assert_eq!(apply(Lanes::add, a, b), each(|x, y| x + y));
        assert_eq!(apply(Lanes::mul, a, b), each(|x, y| x * y));
        assert_eq!(apply(|x, y| x.fused(x, y), a, b), each(|x, y| x + x * y));
        assert_eq!(apply(|x, _| x.clipped(), a, b), each(|x, _| x.clamp(0.0, 1.0)));
        let inside = each(|x, y| if x > 0.0 && x < 1.0 { y } else { 0.0 });
        assert_eq!(apply(|x, y| x.gate(y, 0.0), a, b), inside);
        // One eighth and seven eighths lie within the margin.
        let farther = each(|x, y| if x > 0.125 && x < 0.875 { y } else { 0.0 });
        assert_eq!(apply(|x, y| x.gate(y, 0.15), a, b), farther);
        assert_eq!(apply(|_, _| Lanes::splat(2.5), a, b), [2.5; 16]);
        // a is zero at 4, b at 3.
        assert_eq!([a, b].map(|line| Lanes::load(&line).nonzero()), [!(1 << 4), !(1 << 3)]);
    }

    #[test]
    fn lines_are_floats() {
        let mut made = lines(&[1.0, 2.0, 3.0]);
        assert_eq!((made.len(), floats(&made)[2], floats(&made)[15]), (1, 3.0, 0.0));
        floats_mut(&mut made)[15] = 7.0;
        assert_eq!(made[0].0[15], 7.0);
    }
}
