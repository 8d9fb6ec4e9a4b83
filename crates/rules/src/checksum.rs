// SPDX-License-Identifier: GPL-3.0-or-later
//! Is it still the same? A number that tells one sequence of bytes from another: against damage, not against malice.
//!
//! It lives here because everybody above may need it: files of networks, books, training data, checkpoints.

const START: u64 = 0xCBF2_9CE4_8422_2325;
const FACTOR: u64 = 0x0000_0100_0000_01B3;

/// FNV-1a with 64 bits (Fowler, Noll and Vo), fed in pieces.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Checksum(u64);

impl Checksum {
    /// The checksum of nothing.
    pub const fn new() -> Checksum {
        Checksum(START)
    }

    /// The checksum of some bytes.
    pub fn of(bytes: &[u8]) -> u64 {
        Checksum::new().and(bytes).value()
    }

    /// Goes on with some bytes.
    #[must_use]
    pub fn and(self, bytes: &[u8]) -> Checksum {
        Checksum(bytes.iter().fold(self.0, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(FACTOR)))
    }

    /// Goes on with eight bytes at a time, for gigabytes: a checksum of its own. What is left of the last eight
    /// goes in byte by byte, so only the last piece may be no multiple of eight long.
    #[must_use]
    pub fn and_words(self, bytes: &[u8]) -> Checksum {
        // Without the rotation the upper bits of a word would never reach the lower ones.
        let step = |sum: u64, word: u64| (sum ^ word).wrapping_mul(FACTOR).rotate_left(29);
        let (words, rest) = bytes.as_chunks::<8>();
        let sum = words.iter().fold(self.0, |sum, &word| step(sum, u64::from_le_bytes(word)));
        Checksum(rest.iter().fold(sum, |sum, &byte| step(sum, byte.into())))
    }

    /// The number.
    pub const fn value(self) -> u64 {
        self.0
    }
}

impl Default for Checksum {
    fn default() -> Checksum {
        Checksum::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_are_the_published_ones() {
        assert_eq!(Checksum::of(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(Checksum::of(b"foobar"), 0x8594_4171_F739_67E8);
    }

    #[test]
    fn pieces_make_the_whole() {
        let bytes: Vec<u8> = (0..100).collect();
        let (head, tail) = bytes.split_at(40);
        assert_eq!(Checksum::new().and(head).and(tail).value(), Checksum::of(&bytes));
        assert_eq!(Checksum::new().and_words(head).and_words(tail), Checksum::new().and_words(&bytes));
        let changed = |at: usize| {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x80;
            Checksum::new().and_words(&bytes)
        };
        assert!((0..100).all(|at| changed(at) != Checksum::new().and_words(&bytes)));
    }
}
