// SPDX-License-Identifier: GPL-3.0-or-later
//! The words and signs of an expression, each with its column.

use super::ExpressionError;

/// A word or sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Letters, digits, hyphens and underscores.
    Word(&'a str),
    /// What stands between square brackets.
    Brackets(&'a str),
    /// `×`, `*`, or the word `x`.
    Times,
    /// `⊕` or `+`.
    Plus,
    Open,
    Close,
    Comma,
    Equals,
    End,
}

impl Token<'_> {
    /// How an error names it.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Word(word) => format!("'{word}'"),
            Token::Brackets(text) => format!("'[{text}]'"),
            Token::Times => "'×'".to_owned(),
            Token::Plus => "'⊕'".to_owned(),
            Token::Open => "'('".to_owned(),
            Token::Close => "')'".to_owned(),
            Token::Comma => "','".to_owned(),
            Token::Equals => "'='".to_owned(),
            Token::End => "the end".to_owned(),
        }
    }
}

/// Splits a text; the last token is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token<'_>)>, ExpressionError> {
    let mut found = Vec::new();
    let (mut rest, mut column) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            ' ' | '\t' | '\n' | '\r' => (None, 1),
            '×' | '*' => (Some(Token::Times), first.len_utf8()),
            '⊕' | '+' => (Some(Token::Plus), first.len_utf8()),
            '(' => (Some(Token::Open), 1),
            ')' => (Some(Token::Close), 1),
            ',' => (Some(Token::Comma), 1),
            '=' => (Some(Token::Equals), 1),
            '[' => {
                let end = rest.find(']').ok_or_else(|| unexpected(column, "'['", "a ']' after it"))?;
                (Some(Token::Brackets(&rest[1..end])), end + 1)
            }
            _ => {
                let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
                let word = &rest[..end];
                match word {
                    "" => {
                        return Err(unexpected(column, &format!("'{first}'"), "a word, a sign or brackets"));
                    }
                    "x" | "X" => (Some(Token::Times), end),
                    _ => (Some(Token::Word(word)), end),
                }
            }
        };
        found.extend(token.map(|token| (column, token)));
        column += rest[..length].chars().count();
        rest = &rest[length..];
    }
    found.push((column, Token::End));
    Ok(found)
}

/// The words of a text with their columns, `/` being one of its own; blanks and commas separate.
pub(super) fn words(text: &str, column: usize) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = None;
    for (number, (at, c)) in text.char_indices().enumerate() {
        let separates = c.is_whitespace() || c == ',' || c == '/';
        if separates && let Some((column, start)) = start.take() {
            found.push((column, &text[start..at]));
        }
        if c == '/' {
            found.push((column + number, "/"));
        } else if !separates {
            start.get_or_insert((column + number, at));
        }
    }
    found.extend(start.map(|(column, start)| (column, &text[start..])));
    found
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

fn unexpected(column: usize, found: &str, expected: &'static str) -> ExpressionError {
    ExpressionError::Unexpected { column, found: found.to_owned(), expected }
}
