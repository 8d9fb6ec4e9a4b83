// SPDX-License-Identifier: GPL-3.0-or-later
//! Bytes from a stream, counted, so that every error can say where it is.

use std::io::{BufRead, Read};

use crate::error::{Place, Problem, ReadError};

/// A stream that knows how far it has been read.
#[derive(Debug)]
pub(crate) struct Counted<R> {
    input: R,
    offset: u64,
}

impl<R: BufRead> Counted<R> {
    /// A stream whose first byte is this far into its file.
    pub(crate) fn new(input: R, offset: u64) -> Counted<R> {
        Counted { input, offset }
    }

    /// How far reading has come.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether nothing is left.
    pub(crate) fn is_at_end(&mut self) -> Result<bool, ReadError> {
        let at = self.offset;
        self.input.fill_buf().map(<[u8]>::is_empty).map_err(|cause| ReadError::fatal(Place::Byte(at), cause))
    }

    /// The next bytes; `within` names what ends early if there are fewer.
    pub(crate) fn array<const N: usize>(&mut self, within: &'static str) -> Result<[u8; N], ReadError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes, within)?;
        Ok(bytes)
    }

    /// Fills a buffer with the next bytes.
    pub(crate) fn fill(&mut self, buffer: &mut [u8], within: &'static str) -> Result<(), ReadError> {
        let at = self.offset;
        self.input.read_exact(buffer).map_err(|cause| {
            let cut = cause.kind() == std::io::ErrorKind::UnexpectedEof;
            let problem = if cut { Problem::Cut(within) } else { Problem::Io(cause) };
            ReadError::fatal(Place::Byte(at), problem)
        })?;
        self.offset += buffer.len() as u64;
        Ok(())
    }

    /// The next `length` bytes. Memory grows with what is there, not with what a damaged length promises.
    pub(crate) fn vector(&mut self, length: u64, within: &'static str) -> Result<Vec<u8>, ReadError> {
        let at = self.offset;
        let mut bytes = Vec::new();
        let read = self.input.by_ref().take(length).read_to_end(&mut bytes);
        let read = read.map_err(|cause| ReadError::fatal(Place::Byte(at), cause))?;
        if (read as u64) < length {
            return Err(ReadError::fatal(Place::Byte(at), Problem::Cut(within)));
        }
        self.offset += length;
        Ok(bytes)
    }
}

/// The numbers of a record, read one after the other.
#[derive(Debug)]
pub(crate) struct Fields<'a>(pub(crate) &'a [u8]);

impl Fields<'_> {
    /// The next bytes of a record that is known to be long enough.
    pub(crate) fn array<const N: usize>(&mut self) -> [u8; N] {
        let (head, tail) = self.0.split_first_chunk::<N>().expect("a record of known length");
        self.0 = tail;
        *head
    }

    /// The next two bytes, low byte first.
    pub(crate) fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.array())
    }

    /// The next two bytes as a signed number, low byte first.
    pub(crate) fn i16(&mut self) -> i16 {
        i16::from_le_bytes(self.array())
    }

    /// The next byte.
    pub(crate) fn u8(&mut self) -> u8 {
        self.array::<1>()[0]
    }
}
