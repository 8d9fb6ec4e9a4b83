// SPDX-License-Identifier: GPL-3.0-or-later
//! A move in a few bits: which of the side's pieces, and which of the squares it reaches.
//!
//! Squares are those a piece reaches by its own steps; whether the move is legal is not asked, so that the
//! numbers can be found without generating moves.

use rules::chess::{Bitboard, Board, Move, Role, Square, Wing, attacks};

use super::bits::{BitReader, BitWriter, width};
use crate::{
    error::Problem,
    moves::{Special, legal, promoted},
};

/// Where a piece can go, and what else it can do.
struct Reach {
    squares: Bitboard,
    /// Four promotions for each square.
    promotes: bool,
    /// The castling rooks of a king, that of the queen's wing first.
    rooks: [Option<Square>; 2],
}

impl Reach {
    fn of(board: &Board, from: Square) -> Reach {
        let us = board.turn();
        let (ours, theirs) = (board.color(us), board.color(!us));
        let role = board.piece_on(from).map_or(Role::Pawn, |piece| piece.role());
        let mut reach = Reach {
            squares: attacks::of(role, us, from, board.occupied()) - ours,
            promotes: role == Role::Pawn && from.relative_rank(us) == 6,
            rooks: [None; 2],
        };
        match role {
            Role::Pawn => {
                let prey = board.en_passant().map_or(theirs, |square| theirs.with(square));
                let first = Bitboard::of(from).forward(us) - board.occupied();
                let second = (first & Bitboard::relative_rank(us, 2)).forward(us) - board.occupied();
                reach.squares = reach.squares & prey | first | second;
            }
            Role::King => {
                reach.rooks = [Wing::Queen, Wing::King].map(|wing| board.castling().rook(us, wing));
            }
            _ => {}
        }
        reach
    }

    /// How many moves there are to tell apart.
    fn count(&self) -> u32 {
        let squares = self.squares.len() * if self.promotes { 4 } else { 1 };
        squares + self.rooks.iter().flatten().count() as u32
    }

    /// The number of a move.
    fn number_of(&self, m: Move) -> u32 {
        if m.is_castle() {
            let before = self.rooks.iter().flatten().take_while(|&&rook| rook != m.to()).count();
            return self.squares.len() + before as u32;
        }
        let before = lower(self.squares, m.to());
        match m.promoted() {
            Some(role) => before * 4 + role as u32 - 1,
            None => before,
        }
    }

    /// The destination of a number and what is special about it; nothing for numbers that mean nothing.
    fn find(&self, number: u32) -> Option<(Square, Special)> {
        let rook = number.checked_sub(self.squares.len());
        if let Some(index) = rook.filter(|_| !self.promotes) {
            let rook = self.rooks.into_iter().flatten().nth(index as usize)?;
            return Some((rook, Special::Castle));
        }
        let (index, special) = match self.promotes {
            true => (number / 4, Special::Promotion(promoted(number as u16))),
            false => (number, Special::None),
        };
        self.squares.into_iter().nth(index as usize).map(|square| (square, special))
    }
}

/// How many squares of a set come before another.
fn lower(squares: Bitboard, square: Square) -> u32 {
    (squares & Bitboard((1 << square.index()) - 1)).len()
}

/// Writes a legal move.
pub(super) fn put(bits: &mut BitWriter, board: &Board, m: Move) {
    let ours = board.color(board.turn());
    bits.put(lower(ours, m.from()), width(ours.len()));
    let reach = Reach::of(board, m.from());
    bits.put(reach.number_of(m), width(reach.count()));
}

/// Reads a legal move.
pub(super) fn get(bits: &mut BitReader<'_>, board: &Board) -> Result<Move, Problem> {
    let ours = board.color(board.turn());
    let piece = bits.get(width(ours.len())).ok_or(Problem::Cut("a chain"))?;
    let nothing = |what, number| Problem::value(what, number, "one that this position has");
    let from = ours.into_iter().nth(piece as usize).ok_or_else(|| nothing("number of a piece", piece))?;
    let reach = Reach::of(board, from);
    let number = bits.get(width(reach.count())).ok_or(Problem::Cut("a chain"))?;
    let (to, special) = reach.find(number).ok_or_else(|| nothing("number of a move", number))?;
    let pawn = board.role(Role::Pawn).contains(from);
    let special = if pawn && board.en_passant() == Some(to) { Special::EnPassant } else { special };
    legal(board, from, to, special)
}

/// A move in two bytes: type and origin, destination and promotion.
pub(super) fn code(m: Move) -> u16 {
    let (kind, promotion) = match Special::of(m) {
        Special::None => (0, 0),
        Special::Promotion(role) => (1, role as u16 - 1),
        Special::Castle => (2, 0),
        Special::EnPassant => (3, 0),
    };
    kind << 14 | (m.from().index() as u16) << 8 | (m.to().index() as u16) << 2 | promotion
}

/// The legal move of two bytes.
pub(super) fn decode(board: &Board, code: u16) -> Result<Move, Problem> {
    let special = match code >> 14 {
        0 => Special::None,
        1 => Special::Promotion(promoted(code)),
        2 => Special::Castle,
        _ => Special::EnPassant,
    };
    legal(board, Square::new((code >> 8) as u8), Square::new((code >> 2) as u8), special)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the description: 1. e4 is piece 12 of 16 and its second move, 1100 1 in bits.
    #[test]
    fn the_first_move_of_the_description() {
        let board = Board::start();
        let mut bits = BitWriter::default();
        put(&mut bits, &board, board.parse_uci("e2e4").expect("a legal move"));
        assert_eq!(bits.bytes(), [0xC8]);
    }

    #[test]
    fn every_legal_move_comes_back() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/P6P/8/8/8/8/p6p/R3K2R b Kq - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1",
            "1n5k/P7/8/8/8/8/8/K7 w - - 0 1",
        ] {
            let board = Board::from_fen(fen).expect("a legal position");
            for &m in &board.legal_moves() {
                let mut bits = BitWriter::default();
                put(&mut bits, &board, m);
                let mut reader = BitReader::new(bits.bytes());
                assert_eq!(get(&mut reader, &board).ok(), Some(m), "{m:?} in {fen}");
                assert_eq!(decode(&board, code(m)).ok(), Some(m), "{m:?} in {fen}");
            }
        }
    }
}
