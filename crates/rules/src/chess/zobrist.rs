// SPDX-License-Identifier: GPL-3.0-or-later
//! Hash keys of positions and of parts of them, kept incrementally.

use super::{Board, CastlingRights, Piece, Role, Square};
use crate::{Color, Random};

/// The keys of a position and of the parts that correction tables look at.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct Keys {
    /// The whole position: pieces, side to move, castling rights, legal en passant file.
    pub position: u64,
    /// Pawns of both sides.
    pub pawns: u64,
    /// Knights and bishops of both sides.
    pub minors: u64,
    /// Each side's pieces other than pawns, the king included.
    pub non_pawns: [u64; 2],
}

struct Numbers {
    pieces: [[u64; 64]; 12],
    castling: [u64; 16],
    en_passant: [u64; 8],
    turn: u64,
}

static NUMBERS: Numbers = {
    let mut random = Random::new(0x4E75_6520_2020_2020);
    let mut numbers = Numbers { pieces: [[0; 64]; 12], castling: [0; 16], en_passant: [0; 8], turn: 0 };
    let mut index = 0;
    while index < 12 * 64 {
        numbers.pieces[index / 64][index % 64] = random.bits();
        index += 1;
    }
    // Each set of rights is the XOR of its members, so that it does not matter how it came about.
    let mut right = 0;
    while right < 4 {
        let number = random.bits();
        let mut set = 0;
        while set < 16 {
            if set >> right & 1 != 0 {
                numbers.castling[set] ^= number;
            }
            set += 1;
        }
        right += 1;
    }
    index = 0;
    while index < 8 {
        numbers.en_passant[index] = random.bits();
        index += 1;
    }
    numbers.turn = random.bits();
    numbers
};

/// The number of a piece on a square.
#[inline(always)]
pub(super) fn piece(piece: Piece, square: Square) -> u64 {
    NUMBERS.pieces[piece.index()][square.index()]
}

/// What a move of a piece between two squares does to the position key, the change of turn included.
pub(super) const fn step(piece: Piece, from: Square, to: Square) -> u64 {
    let numbers = &NUMBERS.pieces[piece.index()];
    numbers[from.index()] ^ numbers[to.index()] ^ NUMBERS.turn
}

/// The number of a side to move: zero for White.
#[inline(always)]
pub(super) fn turn() -> u64 {
    NUMBERS.turn
}

/// The number of a set of castling rights.
#[inline(always)]
pub(super) fn castling(rights: CastlingRights) -> u64 {
    NUMBERS.castling[rights.bits()]
}

/// The number of an en passant square.
#[inline(always)]
pub(super) fn en_passant(square: Option<Square>) -> u64 {
    square.map_or(0, |square| NUMBERS.en_passant[square.file() as usize])
}

impl Keys {
    /// Puts a piece on a square or takes it off: both are the same XOR.
    #[inline(always)]
    pub(super) fn toggle(&mut self, piece: Piece, square: Square) {
        let number = self::piece(piece, square);
        self.position ^= number;
        match piece.role() {
            Role::Pawn => self.pawns ^= number,
            role => {
                self.non_pawns[piece.color().index()] ^= number;
                let minor = matches!(role, Role::Knight | Role::Bishop);
                self.minors ^= if minor { number } else { 0 };
            }
        }
    }

    /// The keys of a position, computed from nothing.
    pub(super) fn from_scratch(board: &Board) -> Keys {
        let mut keys = Keys::default();
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                keys.toggle(piece, square);
            }
        }
        keys.position ^= castling(board.castling()) ^ en_passant(board.en_passant());
        if board.turn() == Color::Black {
            keys.position ^= turn();
        }
        keys
    }
}
