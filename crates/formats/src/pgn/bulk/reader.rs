// SPDX-License-Identifier: GPL-3.0-or-later
//! The games of a chunk, one after the other.

use memchr::memchr_iter;

use super::{
    BulkGame, BulkTags,
    cut::Cuts,
    visitor::{Builder, Verdict},
};
use crate::error::{Place, Problem, ReadError};

/// Tags and words up to this length are read whole wherever they stand.
const TAG_LENGTH: usize = 1024;

/// Reads the games of a text that begins with one.
pub struct BulkReader<'a> {
    text: &'a [u8],
    cuts: Cuts<'a>,
    /// Where the next game begins, and on which line; nothing behind the last.
    next: Option<(usize, u64)>,
    /// The rest of a piece of text that holds more than one game, all on the same line for our purposes.
    pending: Option<(pgn_reader::Reader<&'a [u8]>, u64)>,
    spare: BulkTags,
    passed_over: u64,
}

impl<'a> BulkReader<'a> {
    /// A reader of games whose text begins on `first_line` of its file.
    pub fn new(text: &'a [u8], first_line: u64) -> BulkReader<'a> {
        let spare = BulkTags::default();
        let next = Some((0, first_line));
        BulkReader { text, cuts: Cuts::new(text), next, pending: None, spare, passed_over: 0 }
    }

    /// How many games were left out because nobody wanted them.
    pub fn passed_over(&self) -> u64 {
        self.passed_over
    }

    /// The next game whose tags are wanted; the moves of the others are not read.
    ///
    /// A game that cannot be read is an error that is not fatal; its place is the line on which it begins.
    pub fn next_game_where(
        &mut self,
        mut wanted: impl FnMut(&BulkTags) -> bool,
    ) -> Option<Result<BulkGame, ReadError>> {
        loop {
            let (mut reader, line) = match self.pending.take() {
                Some(pending) => pending,
                None => self.next_piece()?,
            };
            let mut builder = Builder::new(&mut wanted, std::mem::take(&mut self.spare));
            let verdict = match reader.read_game(&mut builder) {
                Ok(Some(verdict)) => {
                    self.pending = Some((reader, line));
                    verdict
                }
                Ok(None) => {
                    self.spare = builder.tags;
                    continue;
                }
                // The text lies in memory: this is what the parser calls a tag or comment without an end.
                Err(error) => Verdict::Refused(Problem::Io(error)),
            };
            match verdict {
                Verdict::Read => {
                    let Builder { tags, start, moves, outcome, .. } = builder;
                    let outcome = outcome.or(tags.outcome);
                    return Some(Ok(BulkGame { line, tags, start, moves, outcome }));
                }
                Verdict::PassedOver => self.passed_over += 1,
                Verdict::Refused(problem) => {
                    return Some(Err(ReadError::skipped(Place::Line(line), problem)));
                }
            }
            self.spare = builder.tags;
        }
    }

    /// The text up to the next beginning of a game, and the line on which it begins.
    fn next_piece(&mut self) -> Option<(pgn_reader::Reader<&'a [u8]>, u64)> {
        let (begin, line) = self.next?;
        let cut = self.cuts.next();
        let piece = &self.text[begin..cut.unwrap_or(self.text.len())];
        self.next = cut.map(|end| (end, line + memchr_iter(b'\n', piece).count() as u64));
        let reader = pgn_reader::Reader::build(piece).set_supported_tag_line_length(TAG_LENGTH).finish();
        Some((reader, line))
    }
}

impl Iterator for BulkReader<'_> {
    type Item = Result<BulkGame, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_game_where(|_| true)
    }
}
