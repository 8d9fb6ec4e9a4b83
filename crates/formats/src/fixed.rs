// SPDX-License-Identifier: GPL-3.0-or-later
//! Files of records of one size: `bytes -> samples`, a bad record costs only itself.

use std::io::BufRead;

use crate::{
    bytes::Counted,
    error::{Place, Problem, ReadError},
    sample::Sample,
};

/// Reads samples from records of `N` bytes.
#[derive(Debug)]
pub struct Records<R, const N: usize> {
    input: Counted<R>,
    decode: fn(&[u8; N]) -> Result<Sample, Problem>,
    over: bool,
}

impl<R: BufRead, const N: usize> Records<R, N> {
    pub(crate) fn new(input: Counted<R>, decode: fn(&[u8; N]) -> Result<Sample, Problem>) -> Self {
        Records { input, decode, over: false }
    }
}

impl<R: BufRead, const N: usize> Iterator for Records<R, N> {
    type Item = Result<Sample, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let at = self.input.offset();
        let record = match self.input.is_at_end() {
            Ok(true) => {
                self.over = true;
                return None;
            }
            Ok(false) => self.input.array::<N>("a record"),
            Err(error) => Err(error),
        };
        self.over = record.is_err();
        Some(record.and_then(|bytes| {
            (self.decode)(&bytes).map_err(|problem| ReadError::skipped(Place::Byte(at), problem))
        }))
    }
}
