// SPDX-License-Identifier: GPL-3.0-or-later
//! A position in 32 bytes, as marlinformat lays it out.
//!
//! `occupied squares, one nibble per piece, side and en passant square, counters, score, result, one byte`.
//! A rook that may still castle has a code of its own, which says all about castling in Chess960 too. The
//! layout is described in the README of the crate `viriformat`; all numbers are little-endian.

use rules::{
    Color, Outcome,
    chess::{Bitboard, Board, Piece, Role, Setup, Square, Wing},
};

use crate::{bytes::Fields, error::Problem};

/// The size of a packed position.
pub(crate) const BYTES: usize = 32;

const NO_SQUARE: u8 = 64;
const BLACK: u8 = 0x80;
const UNMOVED_ROOK: u8 = 6;

/// A position with what the format keeps beside it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Packed {
    pub(crate) board: Board,
    /// Centipawns, White's view.
    pub(crate) score: i16,
    pub(crate) outcome: Outcome,
    /// A byte without a meaning of its own.
    pub(crate) extra: u8,
}

impl Packed {
    /// The 32 bytes of the position.
    pub(crate) fn to_bytes(self) -> [u8; BYTES] {
        let board = &self.board;
        let mut bytes = [0; BYTES];
        bytes[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
        for (index, square) in board.occupied().into_iter().enumerate() {
            let Some(piece) = board.piece_on(square) else { continue };
            let code = if may_castle(board, square) { UNMOVED_ROOK } else { piece.role() as u8 };
            let nibble = code | (piece.color() as u8) << 3;
            bytes[8 + index / 2] |= nibble << (4 * (index % 2));
        }
        let square = board.en_passant().map_or(NO_SQUARE, |square| square.index() as u8);
        bytes[24] = square | if board.turn() == Color::Black { BLACK } else { 0 };
        bytes[25] = board.halfmoves();
        bytes[26..28].copy_from_slice(&board.fullmoves().to_le_bytes());
        bytes[28..30].copy_from_slice(&self.score.to_le_bytes());
        bytes[30] = outcome_code(self.outcome);
        bytes[31] = self.extra;
        bytes
    }

    /// Reads a position and checks that it is legal.
    pub(crate) fn from_bytes(bytes: &[u8; BYTES]) -> Result<Packed, Problem> {
        let mut fields = Fields(bytes);
        let occupied = Bitboard(u64::from_le_bytes(fields.array()));
        let pieces: [u8; 16] = fields.array();
        let (turn_and_square, halfmoves) = (fields.u8(), fields.u8());
        let (fullmoves, score) = (fields.u16(), fields.i16());
        let (result, extra) = (fields.u8(), fields.u8());

        let mut setup = Setup { halfmoves: halfmoves.into(), fullmoves, ..Setup::EMPTY };
        setup.turn = if turn_and_square & BLACK != 0 { Color::Black } else { Color::White };
        setup.en_passant = match turn_and_square & !BLACK {
            NO_SQUARE => None,
            square @ 0..64 => Some(Square::new(square)),
            other => return Err(Problem::value("en passant square", other, "0 to 63, or 64 for none")),
        };
        place_pieces(&mut setup, occupied, &pieces)?;
        let board = Board::from_setup(&setup)?;
        Ok(Packed { board, score, outcome: outcome_of(result)?, extra })
    }
}

/// Puts the pieces on the board and grants the castling rights that rooks speak of.
fn place_pieces(setup: &mut Setup, occupied: Bitboard, pieces: &[u8; 16]) -> Result<(), Problem> {
    if occupied.len() > 32 {
        return Err(Problem::value("number of pieces", occupied.len(), "at most 32"));
    }
    let mut unmoved = Bitboard::EMPTY;
    for (index, square) in occupied.into_iter().enumerate() {
        let nibble = pieces[index / 2] >> (4 * (index % 2)) & 15;
        let color = if nibble & 8 != 0 { Color::Black } else { Color::White };
        let role = match nibble & 7 {
            UNMOVED_ROOK => Role::Rook,
            7 => return Err(Problem::Piece { code: nibble, square }),
            role => Role::ALL[usize::from(role)],
        };
        if nibble & 7 == UNMOVED_ROOK {
            unmoved |= square.into();
        }
        setup.squares[square.index()] = Some(Piece::new(color, role));
    }
    for rook in unmoved {
        grant(setup, rook)?;
    }
    Ok(())
}

/// Lets the rook on a square castle with its king.
pub(crate) fn grant(setup: &mut Setup, rook: Square) -> Result<(), Problem> {
    let piece = setup.squares[rook.index()].unwrap_or(Piece::WhiteRook);
    let king = Piece::new(piece.color(), Role::King);
    let Some(king) = Square::all().find(|square| setup.squares[square.index()] == Some(king)) else {
        return Ok(()); // the missing king is complained about later
    };
    let wing = Wing::of(king, rook);
    if let Some(other) = setup.castling.rook(piece.color(), wing) {
        let found = format!("{other} and {rook}");
        return Err(Problem::value("castling rooks on one side of the king:", found, "one"));
    }
    setup.castling.set(piece.color(), wing, rook);
    Ok(())
}

/// Whether a rook that may castle stands on a square.
pub(crate) fn may_castle(board: &Board, square: Square) -> bool {
    Color::ALL
        .into_iter()
        .any(|color| Wing::ALL.into_iter().any(|wing| board.castling().rook(color, wing) == Some(square)))
}

/// 0 when Black wins, 1 for a draw, 2 when White wins.
pub(crate) const fn outcome_code(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Win(Color::Black) => 0,
        Outcome::Draw => 1,
        Outcome::Win(Color::White) => 2,
    }
}

/// The outcome of a code.
pub(crate) fn outcome_of(code: u8) -> Result<Outcome, Problem> {
    match code {
        0 => Ok(Outcome::Win(Color::Black)),
        1 => Ok(Outcome::Draw),
        2 => Ok(Outcome::Win(Color::White)),
        _ => Err(Problem::value("result", code, "0, 1 or 2")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(fen: &str) -> Packed {
        let board = Board::from_fen(fen).expect("a legal position");
        Packed { board, score: -7, outcome: Outcome::Draw, extra: 9 }
    }

    /// The example of the format's own description.
    #[test]
    fn the_start_position_is_laid_out_as_described() {
        let bytes = Packed { score: 0, outcome: Outcome::Win(Color::White), extra: 0, board: Board::start() };
        let expected = [
            0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0x16, 0x42, 0x25, 0x61, 0, 0, 0, 0, 0x88, 0x88, 0x88, 0x88,
            0x9e, 0xca, 0xad, 0xe9, 0x40, 0, 1, 0, 0, 0, 2, 0,
        ];
        assert_eq!(bytes.to_bytes(), expected);
    }

    #[test]
    fn positions_come_back() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 3 17",
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 9",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w Gb - 99 300",
        ] {
            let packed = packed(fen);
            assert_eq!(Packed::from_bytes(&packed.to_bytes()).expect(fen), packed, "{fen}");
        }
    }

    #[test]
    fn nonsense_is_named() {
        let good = packed("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").to_bytes();
        let message = |change: &dyn Fn(&mut [u8; BYTES])| {
            let mut bytes = good;
            change(&mut bytes);
            Packed::from_bytes(&bytes).expect_err("a bad position").to_string()
        };
        assert_eq!(message(&|bytes| bytes[8] |= 7), "piece code 7 on a1 means nothing");
        assert_eq!(
            message(&|bytes| bytes[24] = 70),
            "en passant square 70, expected 0 to 63, or 64 for none"
        );
        assert_eq!(message(&|bytes| bytes[30] = 3), "result 3, expected 0, 1 or 2");
        assert_eq!(message(&|bytes| bytes[8] = 0x36), "white has 0 kings, expected 1");
        assert_eq!(message(&|bytes| bytes[..8].fill(0xff)), "number of pieces 64, expected at most 32");
        let same_side = packed("4k3/8/8/8/8/8/8/RR2K3 w A - 0 1").to_bytes();
        let mut bytes = same_side;
        bytes[8] = 0x66;
        let message = Packed::from_bytes(&bytes).expect_err("two rooks").to_string();
        assert_eq!(message, "castling rooks on one side of the king: a1 and b1, expected one");
    }
}
