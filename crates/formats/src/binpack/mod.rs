// SPDX-License-Identifier: GPL-3.0-or-later
//! Stockfish's binpack: positions in chains, each a move away from the one before.
//!
//! ```text
//! file   chunks: "BINP", length (32 bits, low byte first), chains
//! chain  stem: position (24 bytes), move (2), score (2), ply and result (2), fifty-move counter (2);
//!        count (2), then so many moves with scores as bits, filled up to whole bytes
//! ```
//!
//! Numbers inside chains have their high byte first. A move is the number of its piece among those of the
//! side and the number of its destination among those of the piece; a score is the difference from the last
//! one. The parts are described in Stockfish's `docs/binpack.md` (branch `tools`) and in the documents on
//! compressed positions, compressed moves and variable length moves of Tomasz Sobczyk's `chess_pos_db`.
//!
//! A chain becomes a [`GameRecord`](crate::games::GameRecord). The format knows standard chess only.

mod bits;
mod numbers;
mod reader;
mod stem;
mod steps;
mod writer;

pub use reader::Reader;
pub use writer::{WriteError, Writer};

const MAGIC: [u8; 4] = *b"BINP";

/// Longer chunks are refused, as other readers do.
const MAX_CHUNK: u32 = 100 << 20;

/// The score that Stockfish writes for "none".
const UNSCORED: i16 = 32002;
