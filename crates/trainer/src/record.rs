// SPDX-License-Identifier: GPL-3.0-or-later
//! The 32-byte record as training sees it: a quick view of what [`formats::bullet`] defines, reads and writes.
//!
//! Everything is told by the side to move, which plays up the board; whether it was Black is forgotten. The backends
//! unpack millions of records per second, so they look at the bytes instead of building boards.

use features::chess::FeatureSet;
use formats::{bullet, sample::Sample};
use rules::{
    Color, Outcome,
    chess::{Board, Piece, Role, Square},
};

/// A position of 32 bytes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Record(pub [u8; Record::SIZE]);

impl From<&Sample> for Record {
    fn from(sample: &Sample) -> Record {
        Record(bullet::encode(sample))
    }
}

impl Record {
    /// Bytes of a record.
    pub const SIZE: usize = bullet::BYTES;

    /// The record of a position, White's score in centipawns and White's result (0, 1 or 2).
    pub fn new(board: &Board, score: i16, result: u8) -> Record {
        let outcome = match result {
            0 => Outcome::Win(Color::Black),
            1 => Outcome::Draw,
            _ => Outcome::Win(Color::White),
        };
        let sample = Sample { score: Some(score), outcome: Some(outcome), ..Sample::new(*board) };
        Record::from(&sample)
    }

    /// The occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }

    /// How many pieces there are.
    #[inline(always)]
    pub fn piece_count(&self) -> u32 {
        self.occupied().count_ones()
    }

    /// The score in centipawns.
    #[inline(always)]
    pub fn score(&self) -> i16 {
        i16::from_le_bytes([self.0[24], self.0[25]])
    }

    /// The same position with another score.
    pub fn with_score(self, score: i16) -> Record {
        let mut record = self;
        record.0[24..26].copy_from_slice(&score.to_le_bytes());
        record
    }

    /// What the hand-crafted evaluation says, in centipawns; 0 if nobody asked.
    #[inline(always)]
    pub fn by_hand(&self) -> i16 {
        i16::from_le_bytes([self.0[29], self.0[30]])
    }

    /// The same position with what the hand-crafted evaluation says, in bytes that the format leaves free.
    pub fn with_by_hand(self, score: i16) -> Record {
        let mut record = self;
        record.0[29..31].copy_from_slice(&score.to_le_bytes());
        record
    }

    /// The result: 0, 0.5 or 1.
    #[inline(always)]
    pub fn result(&self) -> f32 {
        f32::from(self.0[26]) / 2.0
    }

    /// The king squares: the own one, and the opponent's as the opponent sees it.
    #[inline(always)]
    pub fn kings(&self) -> [Square; 2] {
        [Square::new(self.0[27]), Square::new(self.0[28])]
    }

    #[inline(always)]
    fn code(&self, nth: usize) -> u8 {
        self.0[8 + (nth & 31) / 2] >> (4 * (nth % 2)) & 15
    }

    #[inline(always)]
    fn squares(&self) -> impl Iterator<Item = u8> + use<> {
        let mut rest = self.occupied();
        std::iter::from_fn(move || {
            let square = rest.trailing_zeros() as u8;
            let found = rest != 0;
            rest &= rest.wrapping_sub(1);
            found.then_some(square)
        })
    }

    /// The position with left and right exchanged. Without castling it is worth the same, also by hand, and no record knows
    /// of castling.
    pub fn mirrored(&self) -> Record {
        /// From the a-file to the h-file, and so on.
        const OTHER_FILE: u8 = 7;
        let mut codes = [0; 64];
        for (nth, square) in self.squares().enumerate() {
            codes[usize::from(square ^ OTHER_FILE)] = self.code(nth);
        }
        let mut mirrored = *self;
        mirrored.0[..8].iter_mut().for_each(|rank| *rank = rank.reverse_bits());
        mirrored.0[8..24].fill(0);
        for (nth, square) in mirrored.squares().enumerate() {
            mirrored.0[8 + nth / 2] |= codes[usize::from(square)] << (4 * (nth % 2));
        }
        mirrored.0[27..29].iter_mut().for_each(|king| *king ^= OTHER_FILE);
        mirrored
    }

    /// The pieces with the side to move as White.
    #[inline(always)]
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> {
        self.squares().enumerate().map(|(nth, square)| {
            let code = self.code(nth);
            let color = if code < 8 { Color::White } else { Color::Black };
            let role = Role::ALL[usize::from(code & 7).min(5)];
            (Piece::new(color, role), Square::new(square))
        })
    }

    /// Calls with every active row, those of the side to move first.
    #[inline(always)]
    pub fn rows(&self, features: &FeatureSet, mut then: impl FnMut(usize, u32)) {
        let mut pieces = [(Piece::WhiteKing, Square::A1); 32];
        let mut count = 0;
        for (slot, piece) in pieces.iter_mut().zip(self.pieces()) {
            *slot = piece;
            count += 1;
        }
        let [own, enemy] = self.kings();
        let sights = [
            features.seen_by(Color::White, own),
            features.seen_by(Color::Black, enemy.relative(Color::Black)),
        ];
        for (view, sight) in sights.into_iter().enumerate() {
            for &(piece, square) in &pieces[..count] {
                sight.rows(piece, square).iter().for_each(|&row| then(view, row));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1";

    #[test]
    fn a_record_tells_the_position_of_the_side_to_move() {
        let board = Board::from_fen(FEN).unwrap();
        let record = Record::new(&board, 35, 2);
        assert_eq!((record.score(), record.result(), record.piece_count()), (-35, 0.0, 32));
        assert_eq!(record.kings(), [Square::E1, Square::E1]);
        // Black's king is the own one, and stands on its first rank.
        assert!(record.pieces().any(|pair| pair == (Piece::WhiteKing, Square::E1)));
        assert!(record.pieces().any(|pair| pair == (Piece::BlackQueen, Square::at(5, 5))));
    }

    #[test]
    fn left_and_right_are_exchanged() {
        for turn in ["w", "b"] {
            let of = |pieces: &str| {
                Record::new(&Board::from_fen(&format!("{pieces} {turn} - - 0 1")).unwrap(), 35, 2)
            };
            let (record, other) = (of("r3k3/1pp5/8/8/3Q4/8/5PPP/6KR"), of("3k3r/5pp1/8/8/4Q3/8/PPP5/RK6"));
            assert_eq!(record.mirrored(), other);
            assert_eq!(other.mirrored(), record);
        }
    }

    #[test]
    fn both_views_see_what_the_engine_sees() {
        for text in ["HalfKP", "HalfKA-hm8", "Piece"] {
            let features = FeatureSet::parse(text).unwrap();
            let board = Board::from_fen(FEN).unwrap();
            let mut views = [vec![], vec![]];
            Record::new(&board, 0, 1).rows(&features, |view, row| views[view].push(row));
            for (view, color) in [(0, board.turn()), (1, !board.turn())] {
                let mut expected: Vec<u32> = Square::all()
                    .filter_map(|square| board.piece_on(square).map(|piece| (piece, square)))
                    .flat_map(|(piece, square)| {
                        features.rows(color, board.king(color), piece, square).to_vec()
                    })
                    .collect();
                expected.sort_unstable();
                views[view].sort_unstable();
                assert_eq!(views[view], expected, "{text}, view {view}");
            }
        }
    }
}
