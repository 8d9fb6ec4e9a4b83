// SPDX-License-Identifier: GPL-3.0-or-later
//! bulletformat: positions of 32 bytes each as the mover sees them.
//!
//! `occupied squares, one nibble per piece, score, result, both kings, three spare bytes`. Seen by the mover
//! who is always White; castling rights, en passant and counters are not kept. The layout is that of the
//! crate `bulletformat` (MIT): numbers are little-endian, the opponent's king stands as it sees the board.

use std::io::{self, BufRead, Write};

use rules::{
    Color, Outcome,
    chess::{Bitboard, Board, Piece, Role, Setup, Square},
};

use crate::{
    bytes::{Counted, Fields},
    error::Problem,
    fixed::Records,
    packed::{outcome_code, outcome_of},
    sample::Sample,
};

/// The size of a record.
pub const BYTES: usize = 32;

/// Reads samples; the format has no header.
pub type Reader<R> = Records<R, BYTES>;

/// A reader at the beginning of a file.
pub fn reader<R: BufRead>(input: R) -> Reader<R> {
    Records::new(Counted::new(input, 0), decode)
}

/// The record of a sample; without a score it is 0, without a result the game is a draw.
pub fn encode(sample: &Sample) -> [u8; BYTES] {
    let (board, us) = (&sample.board, sample.board.turn());
    let score = sample.score.unwrap_or(0);
    let outcome = sample.outcome.unwrap_or(Outcome::Draw);
    let (score, result) = match us {
        Color::White => (score, outcome_code(outcome)),
        Color::Black => (score.saturating_neg(), 2 - outcome_code(outcome)),
    };
    let mut bytes = [0; BYTES];
    let occupied: Bitboard = board.occupied().into_iter().map(|square| square.relative(us)).collect();
    bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
    for (index, square) in occupied.into_iter().enumerate() {
        let Some(piece) = board.piece_on(square.relative(us)) else { continue };
        let nibble = piece.role() as u8 | u8::from(piece.color() != us) << 3;
        bytes[8 + index / 2] |= nibble << (4 * (index % 2));
    }
    bytes[24..26].copy_from_slice(&score.to_le_bytes());
    bytes[26] = result;
    bytes[27] = board.king(us).relative(us).index() as u8;
    bytes[28] = board.king(!us).relative(!us).index() as u8;
    bytes
}

/// The sample of a record, with White to move.
///
/// # Errors
/// When the record holds no legal position or no result.
pub fn decode(bytes: &[u8; BYTES]) -> Result<Sample, Problem> {
    let mut fields = Fields(bytes);
    let occupied = Bitboard(u64::from_le_bytes(fields.array()));
    let pieces: [u8; 16] = fields.array();
    let (score, result) = (fields.i16(), fields.u8());
    if occupied.len() > 32 {
        return Err(Problem::value("number of pieces", occupied.len(), "at most 32"));
    }
    let mut setup = Setup::EMPTY;
    for (index, square) in occupied.into_iter().enumerate() {
        let nibble = pieces[index / 2] >> (4 * (index % 2)) & 15;
        let color = if nibble & 8 != 0 { Color::Black } else { Color::White };
        let role = Role::ALL.get(usize::from(nibble & 7)).ok_or(Problem::Piece { code: nibble, square })?;
        setup.squares[square.index()] = Some(Piece::new(color, *role));
    }
    let board = Board::from_setup(&setup)?;
    let kings = [board.king(Color::White), board.king(Color::Black).relative(Color::Black)];
    let written = [fields.u8(), fields.u8()];
    if written.map(usize::from) != kings.map(Square::index) {
        let found = format!("{} and {}", written[0], written[1]);
        return Err(Problem::value("squares of the kings", found, "those on which they stand"));
    }
    Ok(Sample { score: Some(score), outcome: Some(outcome_of(result)?), ..Sample::new(board) })
}

/// Writes a sample.
///
/// # Errors
/// When the output cannot be written.
pub fn write(output: &mut impl Write, sample: &Sample) -> io::Result<()> {
    output.write_all(&encode(sample))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(fen: &str) -> Sample {
        let board = Board::from_fen(fen).expect("a legal position");
        Sample { score: Some(35), outcome: Some(Outcome::Win(Color::White)), ..Sample::new(board) }
    }

    #[test]
    fn both_sides_see_the_same_mirrored_position() {
        let white = sample("4k3/1p6/8/8/8/8/6P1/R3K3 w - - 0 1");
        let mut black = sample("r3k3/6p1/8/8/8/8/1P6/4K3 b - - 0 1");
        (black.score, black.outcome) = (Some(-35), Some(Outcome::Win(Color::Black)));
        assert_eq!(encode(&white), encode(&black));
        assert_eq!(decode(&encode(&black)).expect("a good record"), white);
    }

    #[test]
    fn nonsense_is_named() {
        let good = encode(&sample("4k3/1p6/8/8/8/8/6P1/R3K3 w - - 0 1"));
        let message = |at: usize, value: u8| {
            let mut bytes = good;
            bytes[at] = value;
            decode(&bytes).expect_err("a bad record").to_string()
        };
        assert_eq!(message(8, 6), "piece code 6 on a1 means nothing");
        assert_eq!(message(26, 9), "result 9, expected 0, 1 or 2");
        assert_eq!(message(27, 5), "squares of the kings 5 and 4, expected those on which they stand");
    }
}
