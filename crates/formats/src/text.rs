// SPDX-License-Identifier: GPL-3.0-or-later
//! Lines of a text, numbered and of bounded length.

use std::io::{BufRead, Read};

use crate::error::{Place, Problem, ReadError};

/// Longer lines are refused: no position or puzzle needs as much.
const LONGEST_LINE: u64 = 1 << 16;

/// Reads lines.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    input: R,
    number: u64,
    bytes: Vec<u8>,
    over: bool,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(input: R) -> Lines<R> {
        Lines { input, number: 0, bytes: Vec::new(), over: false }
    }

    /// Where the last line is.
    pub(crate) fn place(&self) -> Place {
        Place::Line(self.number)
    }

    /// The next line that is neither blank nor a comment, without the blanks around it.
    pub(crate) fn next(&mut self) -> Option<Result<&str, ReadError>> {
        while !self.over {
            self.bytes.clear();
            self.number += 1;
            match self.input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.bytes) {
                Ok(0) => self.over = true,
                Ok(length) if length as u64 == LONGEST_LINE && !self.bytes.ends_with(b"\n") => {
                    return Some(Err(self.refuse()));
                }
                Ok(_) if is_empty(&self.bytes) => {}
                Ok(_) => break,
                Err(cause) => {
                    self.over = true;
                    return Some(Err(ReadError::fatal(self.place(), cause)));
                }
            }
        }
        if self.over {
            return None;
        }
        let bytes = self.bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&self.bytes);
        Some(std::str::from_utf8(bytes).map(str::trim).map_err(|_| {
            let text = String::from_utf8_lossy(bytes);
            ReadError::skipped(Place::Line(self.number), Problem::value("text", text.trim(), "UTF-8"))
        }))
    }

    /// Passes over the rest of a line that is too long.
    fn refuse(&mut self) -> ReadError {
        let mut found = self.bytes.len() as u64;
        loop {
            self.bytes.clear();
            match self.input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.bytes) {
                Ok(length) => {
                    found += length as u64;
                    if length == 0 || self.bytes.ends_with(b"\n") {
                        break;
                    }
                }
                Err(_) => break,
            }
        }
        let problem = Problem::TooLong { what: "the line", found, unit: "bytes", limit: LONGEST_LINE };
        ReadError::skipped(self.place(), problem)
    }
}

/// Whether a line has nothing to say.
fn is_empty(line: &[u8]) -> bool {
    line.iter().find(|byte| !byte.is_ascii_whitespace()).is_none_or(|&first| first == b'#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_and_bounded() {
        let long = "x".repeat(3 << 16);
        let text = format!("\u{feff}one\n\n# comment\n  two \r\n{long}\n").into_bytes();
        let text = [text, b"\xFF\nthree".to_vec()].concat();
        let mut lines = Lines::new(text.as_slice());
        assert_eq!(lines.next().map(|line| line.map(str::to_owned).ok()), Some(Some("one".to_owned())));
        assert_eq!(lines.next().map(|line| line.map(str::to_owned).ok()), Some(Some("two".to_owned())));
        assert_eq!(lines.place(), Place::Line(4));
        let error = lines.next().expect("a line").expect_err("too long");
        assert_eq!(error.to_string(), "line 5: the line has 196609 bytes, expected at most 65536");
        let error = lines.next().expect("a line").expect_err("no UTF-8");
        assert_eq!(error.to_string(), "line 6: text \u{fffd}, expected UTF-8");
        assert_eq!(lines.next().map(|line| line.map(str::to_owned).ok()), Some(Some("three".to_owned())));
        assert!(lines.next().is_none() && lines.next().is_none());
    }
}
