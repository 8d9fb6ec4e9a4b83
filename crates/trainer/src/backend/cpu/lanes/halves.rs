// SPDX-License-Identifier: GPL-3.0-or-later
//! Halves: floats of which the upper sixteen bits are left (bf16), two and two in a register.
//!
//! With AVX-512 BF16 one instruction multiplies sixteen pairs and adds both products; elsewhere the same products are
//! made of floats. The last bits differ, as those of a fused multiply-add do.

use super::{Lanes, Line};

/// Sixteen pairs of halves in memory, on one cache line; the first of a pair has the lower bits.
#[derive(Copy, Clone, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Pairs(pub(crate) [u32; Line::LEN]);

impl Pairs {
    /// All zeros.
    pub(crate) const ZERO: Pairs = Pairs([0; Line::LEN]);
}

/// Two floats as halves.
pub(crate) fn pair(first: f32, second: f32) -> u32 {
    half(first) | (half(second) << 16)
}

/// The nearest half, of two the even one. What is no number stays none.
fn half(x: f32) -> u32 {
    if x.is_nan() {
        return 0x7FC0;
    }
    let bits = x.to_bits();
    (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
}

#[cfg(all(target_feature = "avx512f", target_feature = "avx512bf16"))]
mod wide {
    use std::{
        arch::x86_64::{
            __m512bh, __m512i, _mm512_cvtne2ps_pbh, _mm512_dpbf16_ps, _mm512_load_ps, _mm512_load_si512,
            _mm512_set1_epi32, _mm512_store_si512,
        },
        mem::transmute,
    };

    use super::{Lanes, Line, Pairs};

    /// Sixteen pairs of halves in a register.
    #[derive(Copy, Clone)]
    pub(crate) struct Halves(__m512bh);

    // SAFETY of every block: the module exists only in builds for CPUs with AVX-512 BF16; lines and pairs are aligned;
    // registers of 64 bytes may hold any bits.
    #[allow(clippy::undocumented_unsafe_blocks, reason = "the line above holds for all of them")]
    impl Halves {
        #[inline(always)]
        pub(crate) fn load(pairs: &Pairs) -> Halves {
            Halves(unsafe { transmute::<__m512i, __m512bh>(_mm512_load_si512(pairs.0.as_ptr().cast())) })
        }

        #[inline(always)]
        pub(crate) fn store(self, pairs: &mut Pairs) {
            unsafe {
                _mm512_store_si512(pairs.0.as_mut_ptr().cast(), transmute::<__m512bh, __m512i>(self.0));
            }
        }

        /// The same pair sixteen times.
        #[inline(always)]
        pub(crate) fn splat(pair: u32) -> Halves {
            Halves(unsafe { transmute::<__m512i, __m512bh>(_mm512_set1_epi32(pair as i32)) })
        }

        /// Neighbours of two lines as pairs.
        #[inline(always)]
        pub(crate) fn of(first: &Line, second: &Line) -> Halves {
            Halves(unsafe {
                _mm512_cvtne2ps_pbh(_mm512_load_ps(second.0.as_ptr()), _mm512_load_ps(first.0.as_ptr()))
            })
        }

        /// `total` and both products of each pair.
        #[inline(always)]
        pub(crate) fn dot(self, other: Halves, total: Lanes) -> Lanes {
            Lanes(unsafe { _mm512_dpbf16_ps(total.0, self.0, other.0) })
        }
    }
}

#[cfg(not(all(target_feature = "avx512f", target_feature = "avx512bf16")))]
mod wide {
    use std::array::from_fn;

    use super::{Lanes, Line, Pairs, pair};

    /// Sixteen pairs of halves; the compiler finds the registers.
    #[derive(Copy, Clone)]
    pub(crate) struct Halves([u32; Line::LEN]);

    impl Halves {
        #[inline(always)]
        pub(crate) fn load(pairs: &Pairs) -> Halves {
            Halves(pairs.0)
        }

        #[inline(always)]
        pub(crate) fn store(self, pairs: &mut Pairs) {
            pairs.0 = self.0;
        }

        /// The same pair sixteen times.
        #[inline(always)]
        pub(crate) fn splat(pair: u32) -> Halves {
            Halves([pair; Line::LEN])
        }

        /// Neighbours of two lines as pairs.
        #[inline(always)]
        pub(crate) fn of(first: &Line, second: &Line) -> Halves {
            let half = Line::LEN / 2;
            Halves(from_fn(|i| {
                let (line, at) = if i < half { (first, 2 * i) } else { (second, 2 * (i - half)) };
                pair(line.0[at], line.0[at + 1])
            }))
        }

        /// `total` and both products of each pair.
        #[inline(always)]
        pub(crate) fn dot(self, other: Halves, total: Lanes) -> Lanes {
            let firsts = |x: Halves| Lanes::load(&Line(from_fn(|i| f32::from_bits(x.0[i] << 16))));
            let seconds = |x: Halves| Lanes::load(&Line(from_fn(|i| f32::from_bits(x.0[i] & 0xFFFF_0000))));
            total.fused(firsts(self), firsts(other)).fused(seconds(self), seconds(other))
        }
    }
}

pub(crate) use wide::Halves;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_the_nearest_and_of_two_the_even_one() {
        // Eight bits of precision: between 1 and 2 halves are 1/128 apart.
        for (x, nearest) in [
            (0.0, 0.0),
            (1.0, 1.0),
            (-2.5, -2.5),
            (1.0 + 1.0 / 512.0, 1.0),
            (1.0 + 1.0 / 256.0, 1.0),
            (1.0 + 3.0 / 256.0, 1.0 + 4.0 / 256.0),
            (-1.0 - 3.0 / 512.0, -1.0 - 4.0 / 512.0),
        ] {
            assert_eq!(f32::from_bits(pair(7.0, x) & 0xFFFF_0000), nearest, "{x}");
            assert_eq!(f32::from_bits(pair(x, 7.0) << 16), nearest, "{x}");
        }
        assert!(f32::from_bits(half(f32::NAN) << 16).is_nan());
    }

    #[test]
    fn neighbours_become_pairs_and_both_their_products_count() {
        let first = Line(std::array::from_fn(|i| i as f32));
        let second = Line(std::array::from_fn(|i| 16.0 + i as f32));
        let mut pairs = Pairs::ZERO;
        Halves::of(&first, &second).store(&mut pairs);
        assert_eq!(pairs.0, std::array::from_fn(|i| pair(2.0 * i as f32, 2.0 * i as f32 + 1.0)));
        let mut sums = Line::ZERO;
        let total = Lanes::splat(0.5);
        Halves::load(&pairs).dot(Halves::splat(pair(3.0, -1.0)), total).store(&mut sums);
        assert_eq!(sums.0, std::array::from_fn(|i| 0.5 + 6.0 * i as f32 - (2.0 * i as f32 + 1.0)));
    }
}
