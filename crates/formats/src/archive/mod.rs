// SPDX-License-Identifier: GPL-3.0-or-later
//! The archive: games as small as they get, in blocks that stand alone.
//!
//! Every move is a few yes-or-no questions ("is it this one?") put to the legal moves in the order of a quick
//! guess, every score a few questions about how it differs from the one before; an arithmetic coder writes the
//! answers in as many bits as they surprise a model that learns as it goes. Reader and writer run the same
//! model over the same answers, so nothing but the answers is stored. All arithmetic is on integers: a file
//! means the same on every machine.
//!
//! ```text
//! file   MAGIC, blocks; a MAGIC may also stand between blocks, so that files can be joined
//! block  MARKER; bytes of the payload, games, positions, checksum of the payload, checksum of these four numbers:
//!        32 bits each, low byte first
//!        payload: the answers
//! ```
//!
//! A block holds up to [`BLOCK_GAMES`] games and begins with a model that knows nothing: a damaged block loses
//! itself only, and blocks can be written and read on several threads.

mod block;
mod coder;
mod contexts;
mod crc;
mod logistic;
mod model;
mod moves;
mod reader;
mod scores;
mod start;
mod writer;

pub use block::{Block, encode_block};
pub use reader::{Blocks, Reader};
pub use writer::Writer;

/// What a file begins with; the digit is the version of the model.
pub const MAGIC: [u8; 8] = *b"nuegame1";

/// The games of a full block.
pub const BLOCK_GAMES: usize = 4096;

/// What a block begins with.
const MARKER: [u8; 4] = *b"nGbK";

/// Limits on what a block may claim; beyond them it is damaged.
const MAX_PAYLOAD: u32 = 1 << 26;
const MAX_POSITIONS: u32 = 1 << 24;
