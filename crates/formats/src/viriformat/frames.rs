// SPDX-License-Identifier: GPL-3.0-or-later
//! Where games begin and end, without looking at what they say.

use std::io::BufRead;

use super::{END, PAIR};
use crate::{
    bytes::Counted,
    error::{Place, Problem, ReadError},
    games::MAX_PLIES,
    packed,
};

/// The bytes of one game after the other.
#[derive(Debug)]
pub(super) struct Frames<R> {
    input: Counted<R>,
    over: bool,
}

impl<R: BufRead> Frames<R> {
    pub(super) fn new(input: Counted<R>) -> Frames<R> {
        Frames { input, over: false }
    }

    /// Appends the next game to `bytes`; says where in the file it begins. Nothing at the end of the file.
    pub(super) fn next_into(&mut self, bytes: &mut Vec<u8>) -> Option<Result<u64, ReadError>> {
        if self.over {
            return None;
        }
        let begin = bytes.len();
        let frame = self.read(bytes).transpose();
        if !matches!(frame, Some(Ok(_))) {
            self.over = true;
            bytes.truncate(begin);
        }
        frame
    }

    fn read(&mut self, bytes: &mut Vec<u8>) -> Result<Option<u64>, ReadError> {
        loop {
            if self.input.is_at_end()? {
                return Ok(None);
            }
            let at = self.input.offset();
            let occupied: [u8; 8] = self.input.array("the start of a game")?;
            if occupied == [0; 8] {
                self.pass_extension()?;
                continue;
            }
            let rest: [u8; packed::BYTES - 8] = self.input.array("the start of a game")?;
            bytes.extend(occupied.into_iter().chain(rest));
            for _ in 0..=MAX_PLIES {
                let pair: [u8; PAIR] = self.input.array("a game")?;
                bytes.extend(pair);
                if pair == END {
                    return Ok(Some(at));
                }
            }
            let (found, limit) = (MAX_PLIES as u64 + 1, MAX_PLIES as u64);
            let problem = Problem::TooLong { what: "a game", found, unit: "half-moves or more", limit };
            return Err(ReadError::fatal(Place::Byte(at), problem));
        }
    }

    /// `number, length, that many bytes, four zero bytes`; no extension is known.
    fn pass_extension(&mut self) -> Result<(), ReadError> {
        let [_, _, low, high] = self.input.array("an extension")?;
        self.input.vector(u16::from_le_bytes([low, high]).into(), "an extension")?;
        let at = self.input.offset();
        let end: [u8; PAIR] = self.input.array("an extension")?;
        if end == END {
            return Ok(());
        }
        let problem = Problem::value("end of an extension", format!("{end:?}"), "four zero bytes");
        Err(ReadError::fatal(Place::Byte(at), problem))
    }
}
