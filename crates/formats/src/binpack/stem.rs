// SPDX-License-Identifier: GPL-3.0-or-later
//! The stem of a chain: a whole position with its move, score, ply and result in 32 bytes.

use rules::{
    Color, Outcome,
    chess::{Bitboard, Board, IllegalPosition, Move, Piece, Role, Setup, Square, Wing},
};

use super::{
    numbers::{folded, from_file, to_file, unfolded},
    steps,
};
use crate::{
    error::Problem,
    packed::{grant, may_castle},
};

/// The size of a stem.
pub(super) const BYTES: usize = 32;

const PAWN_JUST_MOVED: u8 = 12;
const WHITE_CASTLING_ROOK: u8 = 13;
const BLACK_CASTLING_ROOK: u8 = 14;
const BLACK_KING_TO_MOVE: u8 = 15;
const LARGEST_PLY: u16 = 0x3FFF;

/// What a stem says.
#[derive(Debug)]
pub(super) struct Stem {
    pub(super) board: Board,
    pub(super) m: Move,
    /// White's view.
    pub(super) score: i16,
    pub(super) outcome: Outcome,
}

impl Stem {
    pub(super) fn to_bytes(&self) -> [u8; BYTES] {
        let board = &self.board;
        let mut bytes = [0; BYTES];
        bytes[..8].copy_from_slice(&board.occupied().0.to_be_bytes());
        for (index, square) in board.occupied().into_iter().enumerate() {
            bytes[8 + index / 2] |= nibble(board, square) << (4 * (index % 2));
        }
        let black = u16::from(board.turn() == Color::Black);
        let ply = (board.fullmoves() - 1).saturating_mul(2).saturating_add(black).min(LARGEST_PLY);
        let result = match self.outcome {
            Outcome::Draw => 0,
            Outcome::Win(winner) if winner == board.turn() => 1,
            Outcome::Win(_) => -1,
        };
        let numbers = [
            steps::code(self.m),
            folded(to_file(self.score, board.turn())),
            ply | folded(result) << 14,
            board.halfmoves().into(),
        ];
        for (place, number) in bytes[24..].chunks_exact_mut(2).zip(numbers) {
            place.copy_from_slice(&number.to_be_bytes());
        }
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8; BYTES]) -> Result<Stem, Problem> {
        let number = |index: usize| u16::from_be_bytes([bytes[24 + index * 2], bytes[25 + index * 2]]);
        let mut setup = Setup { fullmoves: (number(2) & LARGEST_PLY) / 2 + 1, ..Setup::EMPTY };
        setup.halfmoves = number(3).min(u8::MAX.into());
        place_pieces(&mut setup, bytes)?;
        let board = Board::from_setup(&setup)?;
        let outcome = match unfolded(number(2) >> 14) {
            0 => Outcome::Draw,
            1 => Outcome::Win(board.turn()),
            -1 => Outcome::Win(!board.turn()),
            other => return Err(Problem::value("result", other, "-1, 0 or 1")),
        };
        let m = steps::decode(&board, number(0))?;
        Ok(Stem { board, m, score: from_file(unfolded(number(1)), board.turn()), outcome })
    }
}

fn place_pieces(setup: &mut Setup, bytes: &[u8; BYTES]) -> Result<(), Problem> {
    let occupied = Bitboard(u64::from_be_bytes(std::array::from_fn(|index| bytes[index])));
    if occupied.len() > 32 {
        return Err(Problem::value("number of pieces", occupied.len(), "at most 32"));
    }
    let mut rooks = Bitboard::EMPTY;
    for (index, square) in occupied.into_iter().enumerate() {
        let piece = match bytes[8 + index / 2] >> (4 * (index % 2)) & 15 {
            PAWN_JUST_MOVED => {
                let color = if square.rank() < 4 { Color::White } else { Color::Black };
                setup.en_passant = Some(square.forward(!color));
                Piece::new(color, Role::Pawn)
            }
            rook @ (WHITE_CASTLING_ROOK | BLACK_CASTLING_ROOK) => {
                rooks |= square.into();
                if rook == WHITE_CASTLING_ROOK { Piece::WhiteRook } else { Piece::BlackRook }
            }
            BLACK_KING_TO_MOVE => {
                setup.turn = Color::Black;
                Piece::BlackKing
            }
            code => Piece::ALL[usize::from(code)],
        };
        setup.squares[square.index()] = Some(piece);
    }
    rooks.into_iter().try_for_each(|rook| grant(setup, rook))
}

fn nibble(board: &Board, square: Square) -> u8 {
    let Some(piece) = board.piece_on(square) else { return 0 };
    match piece {
        _ if board.en_passant().is_some_and(|behind| behind.forward(!board.turn()) == square) => {
            PAWN_JUST_MOVED
        }
        Piece::WhiteRook if may_castle(board, square) => WHITE_CASTLING_ROOK,
        Piece::BlackRook if may_castle(board, square) => BLACK_CASTLING_ROOK,
        Piece::BlackKing if board.turn() == Color::Black => BLACK_KING_TO_MOVE,
        piece => piece.index() as u8,
    }
}

/// Says what the format cannot write: castling with rooks from other squares than the corners.
pub(super) fn check_standard(board: &Board) -> Result<(), IllegalPosition> {
    for color in Color::ALL {
        for wing in Wing::ALL {
            let corner = [Square::H1, Square::A1][wing.index()].relative(color);
            let king = board.king(color);
            match board.castling().rook(color, wing) {
                Some(rook) if rook != corner || king != Square::E1.relative(color) => {
                    let right = Piece::new(color, [Role::King, Role::Queen][wing.index()]).letter();
                    return Err(IllegalPosition::CastlingRookSide { right, rook, king });
                }
                _ => {}
            }
        }
    }
    Ok(())
}
