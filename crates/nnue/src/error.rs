// SPDX-License-Identifier: GPL-3.0-or-later
//! Why a network cannot be used or a file not be read.

use thiserror::Error;

use crate::{ArchError, SimdError};

/// A network that cannot be used, or a file that holds none.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum NetError {
    #[error("cannot read the network file: {0}")]
    Io(#[from] std::io::Error),
    #[error(
        "not a network file: it begins with {0}, expected a network of Nue, Stockfish 12 or Stockfish 15.1"
    )]
    Foreign(String),
    #[error("the network file ends after {found} bytes within {what}, expected {expected}")]
    Truncated { what: &'static str, found: u64, expected: u64 },
    #[error("the network file has {found} bytes, expected {expected}")]
    Length { found: u64, expected: u64 },
    #[error("the header of the network file claims {0} bytes of text, expected at most {max}", max = crate::file::MAX_HEADER)]
    HeaderLength(u64),
    #[error("the header of the network file is not text")]
    HeaderText,
    #[error("the header of the network file has '{found}', expected a line '{expected}: ...'")]
    HeaderLine { expected: &'static str, found: String },
    #[error("the header of the network file gives {name} as '{found}', expected {expected}")]
    HeaderValue { name: &'static str, found: String, expected: &'static str },
    #[error("the weights have checksum {found:016x}, the header says {expected:016x}")]
    Checksum { found: u64, expected: u64 },
    #[error("the compressed network file is damaged: {0}")]
    Compression(String),
    #[error("the compressed network file holds more than {limit} bytes, its {size} bytes should hold less")]
    Bomb { size: usize, limit: u64 },
    #[error("{what} is 0x{found:08X}, expected 0x{expected:08X} as in {of} files")]
    Hash { what: &'static str, found: u32, expected: u32, of: &'static str },
    #[error("a HalfKP network for shogi, expected one for chess")]
    Shogi,
    #[error("the {format} format holds '{expected}' only, this network is '{found}'")]
    NotForStockfish { format: &'static str, expected: String, found: String },
    #[error("unusable network: {0}")]
    Arch(#[from] ArchError),
    #[error("unusable features: {0}")]
    Features(String),
    #[error("the features '{features}' have {size} indices, the network takes {inputs}")]
    FeatureCount { features: String, size: usize, inputs: usize },
    #[error("{what} has {found} numbers, expected {expected}")]
    Count { what: &'static str, found: usize, expected: usize },
    #[error("{what} can reach {found}, expected at most {limit}")]
    Range { what: &'static str, found: i64, limit: i64 },
    #[error("other features or another shape than the first network")]
    Unlike(usize),
    #[error("no memory for {0} bytes of weights")]
    Memory(u64),
    #[error(transparent)]
    Simd(#[from] SimdError),
}
