// SPDX-License-Identifier: GPL-3.0-or-later
//! Where games begin in a text: at a tag behind moves.
//!
//! A line that begins with `[` begins a game if moves came before it, unless they end in an open comment. A
//! tag `Event` begins one in any case: a brace that somebody forgot to close costs one game, not all.

use memchr::memchr;

/// Finds the beginnings of games in a text that begins with one.
#[derive(Debug)]
pub(super) struct Cuts<'a> {
    text: &'a [u8],
    at: usize,
    /// Where the moves of the present game begin; nothing as long as there are only tags.
    moves: Option<usize>,
    /// Whether the present game has a tag `Event`.
    event: bool,
}

impl<'a> Cuts<'a> {
    pub(super) fn new(text: &'a [u8]) -> Cuts<'a> {
        Cuts { text, at: 0, moves: None, event: false }
    }

    /// Whether a game begins with the line at `self.at`.
    fn begins_game(&mut self, line: &[u8]) -> bool {
        let is_event = line.starts_with(b"[Event ");
        let begins = match (line.first(), self.moves) {
            (Some(b'['), None) => is_event && self.event,
            (Some(b'['), Some(moves)) => is_event || !ends_in_comment(&self.text[moves..self.at]),
            _ => false,
        };
        if begins {
            (self.moves, self.event) = (None, is_event);
        } else if is_event {
            self.event = true;
        } else if self.moves.is_none() && !line.starts_with(b"[") && !is_blank(line) {
            self.moves = Some(self.at);
        }
        begins
    }
}

impl Iterator for Cuts<'_> {
    type Item = usize;

    /// Where the next game begins; the first one, at the very beginning, is not mentioned.
    fn next(&mut self) -> Option<usize> {
        while self.at < self.text.len() {
            let begin = self.at;
            let rest = &self.text[begin..];
            let length = memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            let begins = self.begins_game(&rest[..length]);
            self.at += length;
            if begins {
                return Some(begin);
            }
        }
        None
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| byte.is_ascii_whitespace()) || line.starts_with(b"%")
}

/// Whether a comment is open at the end of some moves.
fn ends_in_comment(moves: &[u8]) -> bool {
    let mut open = false;
    let mut rest = moves;
    while let Some(at) = memchr(if open { b'}' } else { b'{' }, rest) {
        open = !open;
        rest = &rest[at + 1..];
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cuts(text: &str) -> Vec<&str> {
        let mut parts = Vec::new();
        let mut begin = 0;
        for cut in Cuts::new(text.as_bytes()) {
            parts.push(&text[begin..cut]);
            begin = cut;
        }
        parts.push(&text[begin..]);
        parts
    }

    #[test]
    fn games_begin_at_tags_behind_moves() {
        let first = "[A \"1\"]\n[B \"2\"]\n\n1. e4 {x}\ne5 *\n\n";
        let second = "[A \"3\"]\n1. d4 *\n";
        assert_eq!(cuts(&format!("{first}{second}")), [first, second]);
        assert_eq!(cuts(first), [first]);
        assert_eq!(cuts(""), [""]);
    }

    #[test]
    fn brackets_in_comments_are_no_tags() {
        let text = "[A \"1\"]\n1. e4 { see\n[B \"2\"] } e5 *\n[C \"3\"]\n*\n";
        assert_eq!(cuts(text).len(), 2);
    }

    #[test]
    fn an_event_always_begins_a_game() {
        let open = "[Event \"1\"]\n1. e4 { open\n[X \"1\"]\n";
        let bare = "[Event \"2\"]\n[Site \"x\"]\n";
        let last = "[Event \"3\"]\n*\n";
        assert_eq!(cuts(&format!("{open}{bare}{last}")), [open, bare, last]);
    }
}
