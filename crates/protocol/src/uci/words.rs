// SPDX-License-Identifier: GPL-3.0-or-later
//! Words and numbers of a line.

use std::{num::IntErrorKind, time::Duration};

use thiserror::Error;

/// Times beyond this many milliseconds (31 years) are read as this, so that sums cannot overflow.
const LONGEST_MILLIS: i128 = 1_000_000_000_000;

/// A field that needs a number and has none.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NumberError {
    /// The line ends after the name of the field.
    #[error("nothing after '{0}', expected a whole number")]
    Missing(&'static str),
    /// Something else stands in the number's place.
    #[error("'{found}' after '{field}' is not a whole number")]
    NotANumber {
        /// The field.
        field: &'static str,
        /// What follows it.
        found: String,
    },
}

/// The words of a line, one after the other, with access to the text that is still unread.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub(super) fn new(line: &'a str) -> Words<'a> {
        Words { rest: line.trim() }
    }

    /// Everything not yet read, inner white space untouched.
    pub(super) fn rest(&self) -> &'a str {
        self.rest
    }

    /// The next word, without reading it.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// Reads words up to `stop` (which is read too, but not returned), joined by single blanks; the
    /// flag tells whether `stop` was there.
    pub(super) fn until(&mut self, stop: &str) -> (String, bool) {
        let mut phrase = String::new();
        for word in self {
            if word == stop {
                return (phrase, true);
            }
            push_word(&mut phrase, word);
        }
        (phrase, false)
    }

    /// A whole number, however large: what does not fit is read as the nearest that does.
    fn whole(&mut self, field: &'static str) -> Result<i128, NumberError> {
        let word = self.next().ok_or(NumberError::Missing(field))?;
        word.parse::<i128>().or_else(|error| match error.kind() {
            IntErrorKind::PosOverflow => Ok(i128::MAX),
            IntErrorKind::NegOverflow => Ok(i128::MIN),
            _ => Err(NumberError::NotANumber { field, found: word.to_owned() }),
        })
    }

    /// A signed number.
    pub(super) fn signed(&mut self, field: &'static str) -> Result<i64, NumberError> {
        let value = self.whole(field)?;
        Ok(value.clamp(i64::MIN.into(), i64::MAX.into()) as i64)
    }

    /// A signed number of ordinary size.
    pub(super) fn score(&mut self, field: &'static str) -> Result<i32, NumberError> {
        let value = self.whole(field)?;
        Ok(value.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
    }

    /// A count; negative numbers are read as 0.
    pub(super) fn count64(&mut self, field: &'static str) -> Result<u64, NumberError> {
        Ok(self.whole(field)?.clamp(0, u64::MAX.into()) as u64)
    }

    /// A count of ordinary size; negative numbers are read as 0.
    pub(super) fn count32(&mut self, field: &'static str) -> Result<u32, NumberError> {
        Ok(self.whole(field)?.clamp(0, u32::MAX.into()) as u32)
    }

    /// A time in milliseconds; clocks can run below zero, which is read as 0.
    pub(super) fn time(&mut self, field: &'static str) -> Result<Duration, NumberError> {
        Ok(Duration::from_millis(self.whole(field)?.clamp(0, LONGEST_MILLIS) as u64))
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        Some(word)
    }
}

/// Appends a word, with a blank before it unless it is the first.
pub(super) fn push_word(phrase: &mut String, word: &str) {
    if !phrase.is_empty() {
        phrase.push(' ');
    }
    phrase.push_str(word);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_at_any_white_space_and_keeps_the_rest() {
        let mut words = Words::new("  one\ttwo   three  four \r\n");
        assert_eq!(words.next(), Some("one"));
        assert_eq!(words.peek(), Some("two"));
        assert_eq!(words.next(), Some("two"));
        assert_eq!(words.rest(), "three  four");
        assert_eq!(words.by_ref().collect::<Vec<_>>(), ["three", "four"]);
        assert_eq!(words.next(), None);
    }

    #[test]
    fn numbers_saturate() {
        let huge = "9".repeat(60);
        assert_eq!(Words::new(&huge).count64("nodes"), Ok(u64::MAX));
        assert_eq!(Words::new(&format!("-{huge}")).score("cp"), Ok(i32::MIN));
        assert_eq!(Words::new("-250").time("wtime"), Ok(Duration::ZERO));
        assert_eq!(Words::new(&huge).time("wtime"), Ok(Duration::from_secs(1_000_000_000)));
        assert_eq!(Words::new("").count64("nodes"), Err(NumberError::Missing("nodes")));
        let error = Words::new("1e6").count64("nodes").unwrap_err();
        assert_eq!(error.to_string(), "'1e6' after 'nodes' is not a whole number");
    }
}
