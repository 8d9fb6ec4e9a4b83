// SPDX-License-Identifier: GPL-3.0-or-later
//! What can be wrong with a PGN file.

use std::io;

use rules::chess::{FenError, ParseSanError};
use thiserror::Error;

/// Something that cannot be read; the reader goes on behind it, except after [`PgnError::Io`].
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the message of each variant says what it and its fields mean")]
pub enum PgnError {
    #[error("line {line}: {cause}")]
    Io { line: u64, cause: io::Error },
    #[error("line {line}: '{text}' is not a tag, expected [Name \"value\"]")]
    Tag { line: u64, text: String },
    #[error("line {line}: no '}}' ends the comment")]
    OpenComment { line: u64 },
    #[error("line {line}: {cause}")]
    Position { line: u64, cause: FenError },
    #[error("line {line}: {cause}")]
    Move { line: u64, cause: ParseSanError },
}
