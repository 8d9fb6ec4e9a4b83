// SPDX-License-Identifier: GPL-3.0-or-later
//! Little-endian numbers out of bytes, and into them.

use crate::{Affine, Arch, Head, NetError};

/// Takes numbers from the front of bytes.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    taken: u64,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, taken: 0 }
    }

    /// What is left.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    /// The next bytes; `what` is being read, for the message if they are not there.
    pub(super) fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], NetError> {
        let Some((taken, rest)) = self.bytes.split_at_checked(count) else {
            let found = self.taken + self.bytes.len() as u64;
            return Err(NetError::Truncated { what, found, expected: self.taken + count as u64 });
        };
        self.bytes = rest;
        self.taken += count as u64;
        Ok(taken)
    }

    pub(super) fn u32(&mut self, what: &'static str) -> Result<u32, NetError> {
        let bytes = self.take(4, what)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    pub(super) fn i8s(&mut self, count: usize, what: &'static str) -> Result<Vec<i16>, NetError> {
        Ok(self.take(count, what)?.iter().map(|&byte| i16::from(byte as i8)).collect())
    }

    pub(super) fn i16s(&mut self, count: usize, what: &'static str) -> Result<Vec<i16>, NetError> {
        let (chunks, _) = self.take(2 * count, what)?.as_chunks();
        Ok(chunks.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect())
    }

    pub(super) fn i32s(&mut self, count: usize, what: &'static str) -> Result<Vec<i32>, NetError> {
        let (chunks, _) = self.take(4 * count, what)?.as_chunks();
        Ok(chunks.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect())
    }

    /// The layers behind the accumulator: for each its biases, then its weights, one row per output.
    pub(super) fn head(&mut self, arch: &Arch) -> Result<Head, NetError> {
        let mut layers = Vec::new();
        for (inputs, outputs) in arch.layers() {
            let bias = self.i32s(outputs, "the biases of a layer")?;
            let weights = match arch.layer_weight_bytes() {
                1 => self.i8s(inputs * outputs, "the weights of a layer")?,
                _ => self.i16s(inputs * outputs, "the weights of a layer")?,
            };
            layers.push(Affine { bias, weights });
        }
        Ok(Head { layers })
    }
}

/// Appends numbers to bytes.
pub(super) trait Writer {
    fn i16s(&mut self, numbers: &[i16]);
    fn i32s(&mut self, numbers: &[i32]);
    /// See [`Reader::head`].
    fn head(&mut self, arch: &Arch, head: &Head);
}

impl Writer for Vec<u8> {
    fn i16s(&mut self, numbers: &[i16]) {
        self.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }

    fn i32s(&mut self, numbers: &[i32]) {
        self.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }

    fn head(&mut self, arch: &Arch, head: &Head) {
        for affine in &head.layers {
            self.i32s(&affine.bias);
            match arch.layer_weight_bytes() {
                1 => self.extend(affine.weights.iter().map(|&weight| weight as u8)),
                _ => self.i16s(&affine.weights),
            }
        }
    }
}
