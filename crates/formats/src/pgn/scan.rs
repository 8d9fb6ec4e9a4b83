// SPDX-License-Identifier: GPL-3.0-or-later
//! The words of one line of PGN: pure functions on text.

use std::ops::Range;

/// The name of a tag, its unescaped value, and how far it reaches.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TagText {
    pub(super) name: Range<usize>,
    pub(super) value: String,
    pub(super) end: usize,
}

/// Reads `[Name "value"]` at the beginning of `text`, which starts with `[`.
///
/// A quotation mark that no `]` follows belongs to the value: careless writers do not escape it.
pub(super) fn tag(text: &str) -> Option<TagText> {
    let inner = text.strip_prefix('[')?;
    let start = 1 + inner.len() - inner.trim_start().len();
    let length = text[start..].find(|c: char| c.is_whitespace() || c == '"')?;
    let name = start..start + length;
    let opening = name.end + text[name.end..].find('"')?;
    if name.is_empty() || !text[name.end..opening].trim().is_empty() {
        return None;
    }
    let mut value = String::new();
    let mut chars = text[opening + 1..].char_indices().map(|(at, c)| (opening + 1 + at, c)).peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => match chars.next_if(|&(_, next)| next == '"' || next == '\\') {
                Some((_, escaped)) => value.push(escaped),
                None => value.push(c),
            },
            '"' => {
                let after = &text[at + 1..];
                let blanks = after.len() - after.trim_start().len();
                if after[blanks..].starts_with(']') {
                    return Some(TagText { name, value, end: at + 1 + blanks + 1 });
                }
                value.push(c);
            }
            _ => value.push(c),
        }
    }
    None
}

/// Where the word at the beginning of `text` ends.
pub(super) fn word_end(text: &str) -> usize {
    text.find(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | '(' | ')' | ';' | '$'))
        .unwrap_or(text.len())
}

/// How much of a word is a move number with its dots: `12`, `12.`, `12...`.
pub(super) fn move_number(word: &str) -> usize {
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = &word[digits..];
    let dots = rest.len() - rest.trim_start_matches(['.', '…']).len();
    if digits > 0 && (dots > 0 || rest.is_empty()) { digits + dots } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(&str, String, &str)> {
        tag(text).map(|found| (&text[found.name], found.value, &text[found.end..]))
    }

    #[test]
    fn tags_in_many_spellings() {
        let tag = |name, value: &str, rest| Some((name, value.to_owned(), rest));
        assert_eq!(read("[White \"Nue\"]"), tag("White", "Nue", ""));
        assert_eq!(read("[ White  \"Nue\" ] x"), tag("White", "Nue", " x"));
        assert_eq!(read("[White \"\"][Black \"b\"]"), tag("White", "", "[Black \"b\"]"));
        assert_eq!(read(r#"[A "say \"hi\" \\ \n"]"#), tag("A", r#"say "hi" \ \n"#, ""));
        assert_eq!(read(r#"[A "John "Rock" Doe"]"#), tag("A", "John \"Rock\" Doe", ""));
        assert_eq!(read("[A \"x]y\"]"), tag("A", "x]y", ""));
    }

    #[test]
    fn other_brackets_are_no_tags() {
        for text in ["[", "[]", "[A]", "[\"x\"]", "[A \"x]", "[A \"x\"", "[A b \"x\"]", "[%clk 1:00]"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn move_numbers() {
        for (word, length) in
            [("12", 2), ("1.", 2), ("3...", 4), ("1.e4", 2), ("0-0", 0), ("e4", 0), ("8Q", 0)]
        {
            assert_eq!(move_number(word), length, "{word}");
        }
    }
}
