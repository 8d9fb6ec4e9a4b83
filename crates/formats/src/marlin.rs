// SPDX-License-Identifier: GPL-3.0-or-later
//! marlinformat: positions of 32 bytes each, with everything but the move.

use std::io::{self, BufRead, Write};

use rules::Outcome;

use crate::{bytes::Counted, error::Problem, fixed::Records, packed::Packed, sample::Sample};

/// The size of a record.
pub const BYTES: usize = 32;

/// Reads samples; the format has no header.
pub type Reader<R> = Records<R, BYTES>;

/// A reader at the beginning of a file.
pub fn reader<R: BufRead>(input: R) -> Reader<R> {
    Records::new(Counted::new(input, 0), decode)
}

/// The record of a sample; the format knows neither moves nor what is missing: without a score it is 0,
/// without a result the game is a draw.
pub fn encode(sample: &Sample) -> [u8; BYTES] {
    let outcome = sample.outcome.unwrap_or(Outcome::Draw);
    Packed { board: sample.board, score: sample.score.unwrap_or(0), outcome, extra: 0 }.to_bytes()
}

/// The sample of a record.
///
/// # Errors
/// When the record holds no legal position or no result.
pub fn decode(bytes: &[u8; BYTES]) -> Result<Sample, Problem> {
    let packed = Packed::from_bytes(bytes)?;
    let (score, outcome) = (Some(packed.score), Some(packed.outcome));
    Ok(Sample { score, outcome, ..Sample::new(packed.board) })
}

/// Writes a sample.
///
/// # Errors
/// When the output cannot be written.
pub fn write(output: &mut impl Write, sample: &Sample) -> io::Result<()> {
    output.write_all(&encode(sample))
}
