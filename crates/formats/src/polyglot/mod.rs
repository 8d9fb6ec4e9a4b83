// SPDX-License-Identifier: GPL-3.0-or-later
//! Polyglot opening books: `16-byte records sorted by key -> the moves of a position`.

mod key;
mod random;

use std::{collections::BTreeSet, io::Read};

use rules::chess::{Board, Move, Role, Square};
use thiserror::Error;

pub use key::key;

const RECORD_BYTES: usize = 16;

/// A move of a book; one record of the file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Record {
    key: u64,
    bits: u16,
    weight: u16,
}

/// A Polyglot book in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolyglotBook {
    records: Vec<Record>,
}

/// A file that is no Polyglot book.
#[derive(Debug, Error)]
pub enum PolyglotError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file is cut off or something else.
    #[error("{0} bytes are no Polyglot book, expected records of 16 bytes")]
    Size(usize),
    /// The records are out of order.
    #[error("record {0} of the Polyglot book is out of order, expected ascending keys")]
    Order(usize),
}

impl PolyglotBook {
    /// Reads a whole book.
    ///
    /// # Errors
    /// When the bytes are not whole records with ascending keys.
    pub fn read(mut input: impl Read) -> Result<PolyglotBook, PolyglotError> {
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes)?;
        let (chunks, rest) = bytes.as_chunks::<RECORD_BYTES>();
        if !rest.is_empty() || chunks.is_empty() {
            return Err(PolyglotError::Size(bytes.len()));
        }
        let records: Vec<Record> = chunks.iter().map(Record::decode).collect();
        match records.windows(2).position(|pair| pair[0].key > pair[1].key) {
            Some(index) => Err(PolyglotError::Order(index + 1)),
            None => Ok(PolyglotBook { records }),
        }
    }

    /// The moves of a position with their weights, the heaviest first; moves of no weight are not played.
    pub fn moves(&self, board: &Board) -> Vec<(Move, u16)> {
        let key = key(board);
        let first = self.records.partition_point(|record| record.key < key);
        let mut moves: Vec<(Move, u16)> = self.records[first..]
            .iter()
            .take_while(|record| record.key == key)
            .filter(|record| record.weight > 0)
            .filter_map(|record| Some((record.resolve(board)?, record.weight)))
            .collect();
        moves.sort_by_key(|&(_, weight)| std::cmp::Reverse(weight));
        moves
    }

    /// Every line of the book from the start position, at most `plies` moves long: it ends there or where
    /// the book ends. Heavier moves come first; of lines that meet in one position only the first is taken.
    pub fn lines(&self, plies: usize) -> Vec<Vec<Move>> {
        let mut walk = Walk { book: self, plies, seen: BTreeSet::new(), lines: Vec::new() };
        walk.descend(&Board::start(), &mut Vec::new());
        walk.lines
    }
}

impl Record {
    fn decode(bytes: &[u8; RECORD_BYTES]) -> Record {
        let [k0, k1, k2, k3, k4, k5, k6, k7, m0, m1, w0, w1, ..] = *bytes;
        Record {
            key: u64::from_be_bytes([k0, k1, k2, k3, k4, k5, k6, k7]),
            bits: u16::from_be_bytes([m0, m1]),
            weight: u16::from_be_bytes([w0, w1]),
        }
    }

    /// The legal move that the record means; castling is the king taking its rook.
    fn resolve(self, board: &Board) -> Option<Move> {
        let square = |shift: u32| Square::new((self.bits >> shift & 63) as u8);
        let (from, to) = (square(6), square(0));
        let promoted = match self.bits >> 12 & 7 {
            0 => None,
            role => Some(*Role::ALL.get(usize::from(role))?),
        };
        let moves = board.legal_moves();
        moves.iter().copied().find(|m| m.from() == from && m.to() == to && m.promoted() == promoted)
    }
}

/// The walk through all lines of a book.
struct Walk<'a> {
    book: &'a PolyglotBook,
    plies: usize,
    /// Positions at their depth in the line.
    seen: BTreeSet<(usize, u64)>,
    lines: Vec<Vec<Move>>,
}

impl Walk<'_> {
    fn descend(&mut self, board: &Board, line: &mut Vec<Move>) {
        if !self.seen.insert((line.len(), board.key())) {
            return;
        }
        let moves = if line.len() < self.plies { self.book.moves(board) } else { Vec::new() };
        if moves.is_empty() && !line.is_empty() {
            self.lines.push(line.clone());
        }
        for (m, _) in moves {
            line.push(m);
            self.descend(&board.after(m), line);
            line.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A book of moves in UCI form from positions given by the moves that lead there.
    fn book(entries: &[(&[&str], &str, u16)]) -> Vec<u8> {
        let mut records: Vec<(u64, [u8; 16])> = Vec::new();
        for (line, text, weight) in entries {
            let mut board = Board::start();
            for m in *line {
                board.play(board.parse_uci(m).unwrap());
            }
            let m = board.parse_uci(text).unwrap();
            let promoted = m.promoted().map_or(0, |role| role.index() as u16);
            let bits = m.to().index() as u16 | (m.from().index() as u16) << 6 | promoted << 12;
            let mut bytes = [0; 16];
            bytes[..8].copy_from_slice(&key(&board).to_be_bytes());
            bytes[8..10].copy_from_slice(&bits.to_be_bytes());
            bytes[10..12].copy_from_slice(&weight.to_be_bytes());
            records.push((key(&board), bytes));
        }
        records.sort_by_key(|&(key, _)| key);
        records.into_iter().flat_map(|(_, bytes)| bytes).collect()
    }

    fn text(moves: &[Move]) -> Vec<String> {
        moves.iter().map(|m| m.to_uci(false)).collect()
    }

    #[test]
    fn moves_come_by_weight() {
        let bytes = book(&[(&[], "e2e4", 2), (&[], "d2d4", 7), (&[], "a2a4", 0), (&["e2e4"], "e7e5", 1)]);
        let book = PolyglotBook::read(&bytes[..]).unwrap();
        let moves = book.moves(&Board::start());
        assert_eq!(moves.iter().map(|&(_, weight)| weight).collect::<Vec<_>>(), [7, 2]);
        assert_eq!(text(&moves.iter().map(|&(m, _)| m).collect::<Vec<_>>()), ["d2d4", "e2e4"]);
        assert!(book.moves(&Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap()).is_empty());
    }

    #[test]
    fn lines_end_with_the_book_or_at_the_depth() {
        let bytes = book(&[
            (&[], "e2e4", 2),
            (&[], "d2d4", 7),
            (&["e2e4"], "e7e5", 1),
            (&["e2e4", "e7e5"], "g1f3", 1),
        ]);
        let book = PolyglotBook::read(&bytes[..]).unwrap();
        let lines = |plies| book.lines(plies).iter().map(|line| text(line).join(" ")).collect::<Vec<_>>();
        assert_eq!(lines(9), ["d2d4", "e2e4 e7e5 g1f3"]);
        assert_eq!(lines(2), ["d2d4", "e2e4 e7e5"]);
        assert!(lines(0).is_empty());
    }

    #[test]
    fn lines_that_meet_count_once() {
        let bytes = book(&[
            (&[], "g1f3", 2),
            (&[], "b1c3", 1),
            (&["g1f3"], "g8f6", 1),
            (&["b1c3"], "g8f6", 1),
            (&["g1f3", "g8f6"], "b1c3", 1),
            (&["b1c3", "g8f6"], "g1f3", 1),
        ]);
        let book = PolyglotBook::read(&bytes[..]).unwrap();
        assert_eq!(
            book.lines(3).iter().map(|line| text(line)).collect::<Vec<_>>(),
            [["g1f3", "g8f6", "b1c3"]]
        );
    }

    #[test]
    fn castling_takes_the_rook() {
        let line = ["e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5"];
        let bytes = book(&[(&line, "e1g1", 1)]);
        let mut board = Board::start();
        for m in line {
            board.play(board.parse_uci(m).unwrap());
        }
        let moves = PolyglotBook::read(&bytes[..]).unwrap().moves(&board);
        assert!(moves[0].0.is_castle());
    }

    #[test]
    fn other_files_are_refused() {
        assert!(matches!(PolyglotBook::read(&b""[..]), Err(PolyglotError::Size(0))));
        assert!(matches!(PolyglotBook::read(&[1; 20][..]), Err(PolyglotError::Size(20))));
        let mut bytes = [0; 32];
        bytes[0] = 1;
        assert!(matches!(PolyglotBook::read(&bytes[..]), Err(PolyglotError::Order(1))));
    }
}
