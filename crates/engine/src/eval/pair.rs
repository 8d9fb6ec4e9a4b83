// SPDX-License-Identifier: GPL-3.0-or-later
//! Two small numbers in one word, so that middlegame and endgame are added up by one addition.

/// A middlegame and an endgame value; each must stay within 16 bits, also in sums.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Pair(i32);

/// The pair of two values.
pub(super) const fn pair(middlegame: i16, endgame: i16) -> Pair {
    Pair(((middlegame as i32) << 16).wrapping_add(endgame as i32))
}

impl Pair {
    /// The pair taken `n` times.
    #[inline(always)]
    pub(super) const fn times(self, n: i32) -> Pair {
        Pair(self.0.wrapping_mul(n))
    }

    /// The middlegame value.
    #[inline(always)]
    pub(super) const fn middlegame(self) -> i32 {
        // A negative endgame value has borrowed one from the upper half.
        (self.0.wrapping_add(0x8000)) >> 16
    }

    /// The endgame value.
    #[inline(always)]
    pub(super) const fn endgame(self) -> i32 {
        self.0 as i16 as i32
    }
}

impl std::ops::AddAssign for Pair {
    #[inline(always)]
    fn add_assign(&mut self, other: Pair) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl std::ops::SubAssign for Pair {
    #[inline(always)]
    fn sub_assign(&mut self, other: Pair) {
        self.0 = self.0.wrapping_sub(other.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_mix() {
        for middlegame in [-20_000, -300, -1, 0, 1, 77, 32_000] {
            for endgame in [-20_000, -300, -1, 0, 1, 77, 32_000] {
                let mut sum = pair(middlegame, endgame);
                assert_eq!((sum.middlegame(), sum.endgame()), (middlegame.into(), endgame.into()));
                sum -= pair(3, -5).times(4);
                sum += pair(12, -20);
                assert_eq!(sum, pair(middlegame, endgame));
            }
        }
    }
}
