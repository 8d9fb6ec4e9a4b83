// SPDX-License-Identifier: GPL-3.0-or-later
//! What can be wrong with the text of a feature set.

use thiserror::Error;

use super::{compile, parse};

/// A text that is no feature set; columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the message of each variant says what it and its fields mean")]
pub enum ExpressionError {
    #[error("column {column}: found {found}, expected {expected}")]
    Unexpected { column: usize, found: String, expected: &'static str },
    #[error(
        "column {column}: no set is called '{word}', expected a basic set such as File, Role5 or King, \
         or a named one such as HalfKP"
    )]
    UnknownSet { column: usize, word: String },
    #[error("column {column}: '{letter}' is no role, expected some of P, N, B, R, Q and K")]
    UnknownRole { column: usize, letter: char },
    #[error("column {column}: '{word}' contradicts '{earlier}', expected one of them")]
    Contradiction { column: usize, word: &'static str, earlier: &'static str },
    #[error("column {column}: a rank of {found} king buckets, expected {expected}")]
    BucketFiles { column: usize, found: usize, expected: &'static str },
    #[error("column {column}: {found} ranks of king buckets, expected at most 8")]
    BucketRanks { column: usize, found: usize },
    #[error("column {column}: no square has king bucket {missing}, expected numbers without gaps")]
    BucketGap { column: usize, missing: u8 },
    #[error("column {column}: more than {} parentheses inside each other, expected fewer", parse::MAX_DEPTH)]
    TooDeep { column: usize },
    #[error("a text of {length} bytes, expected at most {}", parse::MAX_TEXT)]
    TooLong { length: usize },
    #[error("'{text}' has too many features, expected at most {}", compile::MAX_SIZE)]
    TooLarge { text: String },
    #[error("'{text}' gives one piece {count} features, expected at most {}", super::FeatureSet::MAX_ROWS)]
    TooMany { text: String, count: usize },
}
