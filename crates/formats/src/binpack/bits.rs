// SPDX-License-Identifier: GPL-3.0-or-later
//! Numbers of a few bits each, packed from the high end of every byte.

/// Bits of a block of a variable number; one more bit says whether another block follows.
const BLOCK: u32 = 4;

/// How many bits it takes to tell so many things apart.
pub(super) fn width(things: u32) -> u32 {
    32 - things.saturating_sub(1).leading_zeros()
}

/// Packs numbers.
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// Unused bits of the last byte.
    free: u32,
}

impl BitWriter {
    /// Appends the low `count` bits, at most 8, of a number.
    pub(super) fn put(&mut self, number: u32, count: u32) {
        for place in (0..count).rev() {
            if self.free == 0 {
                self.bytes.push(0);
                self.free = 8;
            }
            self.free -= 1;
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((number >> place & 1) as u8) << self.free;
            }
        }
    }

    /// Appends a number of any size, low blocks first.
    pub(super) fn put_variable(&mut self, mut number: u16) {
        loop {
            let more = number >> BLOCK != 0;
            self.put(u32::from(number & 15) | u32::from(more) << BLOCK, BLOCK + 1);
            number >>= BLOCK;
            if !more {
                return;
            }
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Unpacks numbers.
#[derive(Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    /// How many bits have been read.
    at: usize,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> BitReader<'a> {
        BitReader { bytes, at: 0 }
    }

    /// The next `count` bits, at most 8; nothing behind the end.
    pub(super) fn get(&mut self, count: u32) -> Option<u32> {
        let byte = self.at / 8;
        if self.at + count as usize > self.bytes.len() * 8 {
            return None;
        }
        let two = |index: usize| u32::from(self.bytes.get(index).copied().unwrap_or(0));
        let window = two(byte) << 8 | two(byte + 1);
        let number = window >> (16 - (self.at % 8) as u32 - count) & ((1 << count) - 1);
        self.at += count as usize;
        Some(number)
    }

    /// The next number of any size; nothing if it ends early or is too large.
    pub(super) fn get_variable(&mut self) -> Option<u16> {
        let mut number = 0;
        for shift in (0..16).step_by(BLOCK as usize) {
            let block = self.get(BLOCK + 1)?;
            number |= ((block & 15) as u16) << shift;
            if block >> BLOCK == 0 {
                return Some(number);
            }
        }
        None
    }

    /// How many bytes have been touched.
    pub(super) fn bytes_read(&self) -> usize {
        self.at.div_ceil(8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let mut writer = BitWriter::default();
        let numbers = [(0, 0), (5, 3), (1, 1), (200, 8), (0, 2), (63, 6)];
        numbers.iter().for_each(|&(number, count)| writer.put(number, count));
        let variable = [0, 1, 15, 16, 255, 256, 4095, 65535];
        variable.iter().for_each(|&number| writer.put_variable(number));
        let mut reader = BitReader::new(writer.bytes());
        for (number, count) in numbers {
            assert_eq!(reader.get(count), Some(number));
        }
        for number in variable {
            assert_eq!(reader.get_variable(), Some(number));
        }
        assert_eq!(reader.bytes_read(), writer.bytes().len());
        assert_eq!(reader.get(8), None);
        let mut reader = BitReader::new(&[0xFF, 0xFF]);
        assert_eq!(reader.get_variable(), None, "four blocks at most");
    }

    #[test]
    fn widths() {
        assert_eq!([0, 1, 2, 3, 4, 5, 16, 17].map(width), [0, 0, 1, 2, 2, 3, 4, 5]);
    }
}
