// SPDX-License-Identifier: GPL-3.0-or-later
//! Reading expressions.
//!
//! ```text
//! expression = [ word "=" ] sum { "," modifier }
//! sum        = product { "⊕" product }
//! product    = factor { "×" factor }
//! factor     = "(" sum ")" | basic set | named set
//! modifier   = "mirror" | "rotate" | "fold" ( "a-d" | "e-h" ) | "counted"
//! ```
//!
//! Modifiers hold for the whole expression, also those that a named set brings along.

use std::str::FromStr;

use super::{
    Basic, Buckets, Expression, ExpressionError, Frame, Half, Roles, Term, View, provided,
    token::{Token, tokens},
};

/// Texts come from files as well; longer ones are no honest expressions.
pub(super) const MAX_TEXT: usize = 4096;
/// Parentheses inside each other.
pub(super) const MAX_DEPTH: usize = 32;

impl FromStr for Expression {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Expression, ExpressionError> {
        if text.len() > MAX_TEXT {
            return Err(ExpressionError::TooLong { length: text.len() });
        }
        let tokens = tokens(text)?;
        let mut parser = Parser {
            // A name in front says what the expression is for; the expression itself says it all.
            at: if matches!(tokens[..], [(_, Token::Word(_)), (_, Token::Equals), ..]) { 2 } else { 0 },
            tokens,
            depth: 0,
            view: None,
            fold: None,
            counted: false,
            bucket_files: Vec::new(),
        };
        let term = parser.sum()?;
        parser.modifiers()?;
        parser.finish(term)
    }
}

struct Parser<'a> {
    tokens: Vec<(usize, Token<'a>)>,
    at: usize,
    depth: usize,
    view: Option<View>,
    fold: Option<Half>,
    counted: bool,
    /// Column and width of every king-bucket map; the modifier that must fit comes later.
    bucket_files: Vec<(usize, usize)>,
}

impl<'a> Parser<'a> {
    /// The next token with its column; the end stays where it is.
    fn next(&mut self) -> (usize, Token<'a>) {
        let token = self.tokens[self.at].clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn take(&mut self, wanted: &Token<'_>) -> bool {
        let found = self.tokens[self.at].1 == *wanted;
        if found {
            self.next();
        }
        found
    }

    fn sum(&mut self) -> Result<Term, ExpressionError> {
        self.list(&Token::Plus, Term::Sum, Parser::product)
    }

    fn product(&mut self) -> Result<Term, ExpressionError> {
        self.list(&Token::Times, Term::Product, Parser::factor)
    }

    /// Parts with a sign between them; a single part stays what it is.
    fn list(
        &mut self,
        sign: &Token<'_>,
        join: fn(Vec<Term>) -> Term,
        part: fn(&mut Self) -> Result<Term, ExpressionError>,
    ) -> Result<Term, ExpressionError> {
        let first = part(self)?;
        if self.tokens[self.at].1 != *sign {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.take(sign) {
            parts.push(part(self)?);
        }
        Ok(join(parts))
    }

    fn factor(&mut self) -> Result<Term, ExpressionError> {
        match self.next() {
            (column, Token::Open) => {
                if self.depth == MAX_DEPTH {
                    return Err(ExpressionError::TooDeep { column });
                }
                self.depth += 1;
                let inner = self.sum()?;
                self.depth -= 1;
                match self.next() {
                    (_, Token::Close) => Ok(inner),
                    (column, token) => Err(unexpected(column, &token, "'×', '⊕' or ')'")),
                }
            }
            (column, Token::Word(word)) => self.set(column, word),
            (column, token) => Err(unexpected(column, &token, "a set or '('")),
        }
    }

    /// The set of a word, with the brackets that may follow it.
    fn set(&mut self, column: usize, word: &str) -> Result<Term, ExpressionError> {
        if let (at, Token::Brackets(text)) = self.tokens[self.at] {
            self.next();
            let inside = at + 1;
            if word.eq_ignore_ascii_case("role") {
                return roles(text, inside).map(|roles| Term::Basic(Basic::Role(roles)));
            }
            if word.eq_ignore_ascii_case("bucket") {
                let buckets = Buckets::parse(text, inside)?;
                self.bucket_files.push((inside, buckets.files()));
                return Ok(Term::Basic(Basic::Bucket(buckets)));
            }
            return Err(unexpected(at, &Token::Brackets(text), "brackets only after Role or Bucket"));
        }
        if word.eq_ignore_ascii_case("bucket") {
            let (column, token) = self.next();
            return Err(unexpected(column, &token, "'[' and the map of king buckets"));
        }
        if let Some(basic) = Basic::from_word(word) {
            return Ok(Term::Basic(basic));
        }
        let unknown = || ExpressionError::UnknownSet { column, word: word.to_owned() };
        let named = provided::find(word).ok_or_else(unknown)?.expression();
        if named.frame.view != View::default() {
            self.say_view(column, named.frame.view)?;
        }
        if let Some(half) = named.frame.fold {
            self.say_fold(column, half)?;
        }
        self.counted |= named.counted;
        Ok(named.term)
    }

    fn modifiers(&mut self) -> Result<(), ExpressionError> {
        loop {
            match self.next() {
                (_, Token::End) => return Ok(()),
                (_, Token::Comma) => self.modifier()?,
                (column, token) => return Err(unexpected(column, &token, "'×', '⊕', ',' or the end")),
            }
        }
    }

    fn modifier(&mut self) -> Result<(), ExpressionError> {
        let (column, token) = self.next();
        let word = if let Token::Word(word) = token { word.to_ascii_lowercase() } else { String::new() };
        match word.as_str() {
            "mirror" => self.say_view(column, View::Mirror),
            "rotate" => self.say_view(column, View::Rotate),
            "counted" => {
                self.counted = true;
                Ok(())
            }
            "fold" => match self.next() {
                (_, Token::Word(half)) if half.eq_ignore_ascii_case("a-d") => {
                    self.say_fold(column, Half::Left)
                }
                (_, Token::Word(half)) if half.eq_ignore_ascii_case("e-h") => {
                    self.say_fold(column, Half::Right)
                }
                (column, token) => Err(unexpected(column, &token, "'a-d' or 'e-h' after 'fold'")),
            },
            _ => Err(unexpected(column, &token, "'mirror', 'rotate', 'fold a-d', 'fold e-h' or 'counted'")),
        }
    }

    fn say_view(&mut self, column: usize, view: View) -> Result<(), ExpressionError> {
        let earlier = *self.view.get_or_insert(view);
        agree(column, view.word(), earlier.word())
    }

    fn say_fold(&mut self, column: usize, half: Half) -> Result<(), ExpressionError> {
        let earlier = *self.fold.get_or_insert(half);
        agree(column, half.word(), earlier.word())
    }

    fn finish(self, term: Term) -> Result<Expression, ExpressionError> {
        let frame = Frame { view: self.view.unwrap_or_default(), fold: self.fold };
        for (column, found) in self.bucket_files {
            if found != frame.king_files() {
                let expected = if self.fold.is_some() { "4 on a folded board" } else { "8 without 'fold'" };
                return Err(ExpressionError::BucketFiles { column, found, expected });
            }
        }
        Ok(Expression { term, frame, counted: self.counted })
    }
}

fn roles(letters: &str, column: usize) -> Result<Roles, ExpressionError> {
    let roles = Roles::from_letters(letters).map_err(|letter| {
        let offset = letters.chars().position(|c| c == letter).unwrap_or(0);
        ExpressionError::UnknownRole { column: column + offset, letter }
    })?;
    if roles.is_empty() {
        return Err(unexpected(column - 1, &Token::Brackets(letters), "some of P, N, B, R, Q and K in them"));
    }
    Ok(roles)
}

fn agree(column: usize, word: &'static str, earlier: &'static str) -> Result<(), ExpressionError> {
    if word == earlier { Ok(()) } else { Err(ExpressionError::Contradiction { column, word, earlier }) }
}

fn unexpected(column: usize, found: &Token<'_>, expected: &'static str) -> ExpressionError {
    ExpressionError::Unexpected { column, found: found.describe(), expected }
}
