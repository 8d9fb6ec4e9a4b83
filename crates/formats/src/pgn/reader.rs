// SPDX-License-Identifier: GPL-3.0-or-later
//! PGN as a stream of events: `lines -> tokens`, without a board and without keeping the file.

use std::{
    io::{BufRead, Read},
    ops::Range,
};

use rules::Outcome;

use super::{PgnError, parse_result, scan};

/// Longer lines are cut, so that a file that is no PGN cannot fill the memory.
const LONGEST_LINE: u64 = 1 << 24;

/// Longer comments are taken for a forgotten brace.
const LONGEST_COMMENT: usize = 1 << 20;

/// One thing that a PGN file says. A game is its tags, then its moves, then [`Event::End`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// A tag of the game.
    Tag {
        /// Its name.
        name: &'a str,
        /// Its value, without the escapes of the file.
        value: &'a str,
    },
    /// A move as it is written, marks of quality included; nothing was checked.
    San(&'a str),
    /// A numeric glyph such as `$1`.
    Nag(u8),
    /// The text of a comment.
    Comment(&'a str),
    /// What follows replaces the last move.
    VariationBegins,
    /// The variation is over.
    VariationEnds,
    /// The game is over; its result, if it has one.
    End(Option<Outcome>),
}

/// An [`Event`] whose text still lies in the buffers of the reader.
pub(super) enum Token {
    /// The value lies in `text`.
    Tag(Range<usize>),
    San(Range<usize>),
    Nag(u8),
    /// It lies in `text`.
    Comment,
    VariationBegins,
    VariationEnds,
    End(Option<Outcome>),
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Place {
    Outside,
    Tags,
    Moves { depth: u32 },
}

/// Reads games from a file, however large.
pub struct Reader<R> {
    input: R,
    bytes: Vec<u8>,
    line: String,
    /// Where in the line reading goes on.
    at: usize,
    /// A comment or the value of a tag.
    text: String,
    number: u64,
    place: Place,
    failed: bool,
}

impl<R: BufRead> Reader<R> {
    /// A reader at the beginning of a file.
    pub fn new(input: R) -> Reader<R> {
        Reader {
            input,
            bytes: Vec::new(),
            line: String::new(),
            at: 0,
            text: String::new(),
            number: 0,
            place: Place::Outside,
            failed: false,
        }
    }

    /// The number of the line that was read last.
    pub fn line(&self) -> u64 {
        self.number
    }

    /// The next thing that the file says; nothing at its end.
    ///
    /// # Errors
    /// When something is no PGN. The next call goes on behind it; after an error of the file itself there
    /// is nothing more.
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, PgnError> {
        Ok(self.next_token()?.map(|token| self.event(token)))
    }

    /// The event of the token that was read last.
    pub(super) fn event(&self, token: Token) -> Event<'_> {
        match token {
            Token::Tag(name) => Event::Tag { name: &self.line[name], value: &self.text },
            Token::San(word) => Event::San(&self.line[word]),
            Token::Nag(number) => Event::Nag(number),
            Token::Comment => Event::Comment(self.text.trim()),
            Token::VariationBegins => Event::VariationBegins,
            Token::VariationEnds => Event::VariationEnds,
            Token::End(outcome) => Event::End(outcome),
        }
    }

    pub(super) fn next_token(&mut self) -> Result<Option<Token>, PgnError> {
        loop {
            if self.at >= self.line.len() && !self.next_line()? {
                return Ok((self.place != Place::Outside).then(|| self.end(None)));
            }
            if self.at == 0 && self.line.starts_with('%') {
                self.at = self.line.len();
                continue;
            }
            let blanks = self.rest().len() - self.rest().trim_start().len();
            let at_line_start = self.line[..self.at].trim().is_empty();
            self.at += blanks;
            let Some(first) = self.rest().chars().next() else { continue };
            if first == '[' && (at_line_start || !matches!(self.place, Place::Moves { .. })) {
                if let Some(token) = self.tag()? {
                    return Ok(Some(token));
                }
            } else if let Some(token) = self.move_text(first)? {
                return Ok(Some(token));
            }
        }
    }

    /// Reads a tag; if it belongs to the next game, the present one ends first.
    fn tag(&mut self) -> Result<Option<Token>, PgnError> {
        let Some(found) = scan::tag(self.rest()) else {
            let text = self.rest().trim_end().to_owned();
            self.at = self.line.len();
            return Err(PgnError::Tag { line: self.number, text });
        };
        let name = self.at + found.name.start..self.at + found.name.end;
        let begins_another = match self.place {
            Place::Outside => false,
            Place::Tags => &self.line[name.clone()] == "Event",
            Place::Moves { .. } => true,
        };
        if begins_another {
            return Ok(Some(self.end(None)));
        }
        self.place = Place::Tags;
        self.at += found.end;
        self.text = found.value;
        Ok(Some(Token::Tag(name)))
    }

    /// Reads one token between the tags of one game and those of the next.
    fn move_text(&mut self, first: char) -> Result<Option<Token>, PgnError> {
        let depth = match self.place {
            Place::Moves { depth } => depth,
            Place::Outside | Place::Tags => 0,
        };
        self.place = Place::Moves { depth };
        match first {
            '{' => {
                self.comment()?;
                Ok(Some(Token::Comment))
            }
            ';' => {
                let range = self.at + 1..self.line.len();
                self.text.clear();
                self.text.push_str(&self.line[range]);
                self.at = self.line.len();
                Ok(Some(Token::Comment))
            }
            '(' => {
                self.at += 1;
                self.place = Place::Moves { depth: depth + 1 };
                Ok(Some(Token::VariationBegins))
            }
            ')' => {
                self.at += 1;
                self.place = Place::Moves { depth: depth.saturating_sub(1) };
                Ok((depth > 0).then_some(Token::VariationEnds))
            }
            '$' => {
                let digits = &self.rest()[1..];
                let length = digits.len() - digits.trim_start_matches(|c: char| c.is_ascii_digit()).len();
                let number = digits[..length].parse().ok();
                self.at += 1 + length;
                Ok(number.map(Token::Nag))
            }
            '}' | '.' | '…' | '!' | '?' | '<' | '>' => {
                self.at += first.len_utf8();
                Ok(None)
            }
            _ => Ok(self.word(depth)),
        }
    }

    /// Reads a move, skips a move number, or ends the game with its result.
    fn word(&mut self, depth: u32) -> Option<Token> {
        let length = scan::word_end(self.rest());
        let word = &self.rest()[..length];
        if let Some(outcome) = parse_result(word) {
            self.at += length;
            return (depth == 0).then(|| self.end(outcome));
        }
        let skipped = if word == "e.p." { length } else { scan::move_number(word) };
        if skipped > 0 {
            self.at += skipped;
            return None;
        }
        let range = self.at..self.at + length;
        self.at += length;
        Some(Token::San(range))
    }

    /// Reads a comment in braces, over several lines if need be.
    fn comment(&mut self) -> Result<(), PgnError> {
        let begun = self.number;
        self.text.clear();
        self.at += 1;
        loop {
            if let Some(length) = self.rest().find('}') {
                let range = self.at..self.at + length;
                self.text.push_str(&self.line[range]);
                self.at += length + 1;
                return Ok(());
            }
            self.text.push_str(self.line[self.at..].trim_end());
            self.text.push(' ');
            self.at = self.line.len();
            if self.text.len() > LONGEST_COMMENT || !self.next_line()? {
                return Err(PgnError::OpenComment { line: begun });
            }
            self.at = self.line.len() - self.line.trim_start().len();
        }
    }

    fn end(&mut self, outcome: Option<Outcome>) -> Token {
        self.place = Place::Outside;
        Token::End(outcome)
    }

    fn rest(&self) -> &str {
        &self.line[self.at..]
    }

    /// Reads the next line; tells whether there is one.
    fn next_line(&mut self) -> Result<bool, PgnError> {
        self.bytes.clear();
        self.line.clear();
        self.at = 0;
        if self.failed {
            return Ok(false);
        }
        let read = self.input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.bytes);
        let length = read.map_err(|cause| {
            self.failed = true;
            PgnError::Io { line: self.number + 1, cause }
        })?;
        self.number += u64::from(length > 0);
        match std::str::from_utf8(&self.bytes) {
            Ok(text) => self.line.push_str(text),
            // The standard's own character set: every byte is a letter of ISO 8859-1.
            Err(_) => self.line.extend(self.bytes.iter().copied().map(char::from)),
        }
        if self.number == 1 && self.line.starts_with('\u{feff}') {
            self.line.remove(0);
        }
        Ok(length > 0)
    }
}
