// SPDX-License-Identifier: GPL-3.0-or-later
//! From an expression to its tables, and from the tables to the classes of king squares.

use rules::{
    Color,
    chess::{Piece, Square},
};

use super::{
    Expression, ExpressionError, FeatureSet, Seen, possible,
    table::{KingSight, entry},
};

/// The most features of a set.
pub(super) const MAX_SIZE: usize = 1 << 24;

impl FeatureSet {
    /// The most features that one piece can have.
    pub const MAX_ROWS: usize = 64;

    /// The set of an expression.
    ///
    /// # Errors
    /// When the set would be too large.
    pub fn compile(expression: Expression) -> Result<FeatureSet, ExpressionError> {
        let Expression { term, frame, .. } = &expression;
        let too_large = || ExpressionError::TooLarge { text: expression.to_string() };
        let size = term.size(frame).filter(|&size| size <= MAX_SIZE).ok_or_else(too_large)?;

        let counts = Piece::ALL.map(|piece| term.count(&seen(Square::E1, piece, Square::A1), frame));
        let stride = counts.into_iter().max().unwrap_or(0);
        if stride > Self::MAX_ROWS {
            return Err(ExpressionError::TooMany { text: expression.to_string(), count: stride });
        }
        let mut lengths = [0; 16];
        for (length, count) in lengths.iter_mut().zip(counts) {
            *length = count as u8;
        }

        let (rows, starts) = rows(&expression, &lengths, stride);
        let kings = Color::ALL.map(|view| {
            std::array::from_fn(|king| {
                let flip = frame.flip(view, Square::new(king as u8));
                KingSight { start: starts[king ^ usize::from(flip)], flip, class: 0 }
            })
        });
        let mut set = FeatureSet {
            size,
            stride,
            lengths,
            rows: rows.into(),
            kings: Box::new(kings),
            classes: 0,
            shares: false,
            expression,
        };
        set.find_classes();
        set.shares = possible::shares(&set);
        Ok(set)
    }

    /// Gives squares of the king with the same rows the same class.
    fn find_classes(&mut self) {
        let mut first_of: Vec<Square> = Vec::new();
        for king in Square::all() {
            let known = first_of.iter().position(|&other| self.sees_alike(king, other));
            let class = known.unwrap_or(first_of.len()) as u8;
            if known.is_none() {
                first_of.push(king);
            }
            for view in Color::ALL {
                let mask = usize::from(self.expression.frame.view.mask(view));
                self.kings[view.index()][king.index() ^ mask].class = class;
            }
        }
        self.classes = first_of.len();
    }

    fn sees_alike(&self, king: Square, other: Square) -> bool {
        let (one, two) = (self.seen_by(Color::White, king), self.seen_by(Color::White, other));
        let alike = |piece| Square::all().all(|square| one.rows(piece, square) == two.rows(piece, square));
        (one.king.start, one.king.flip) == (two.king.start, two.king.flip)
            || Piece::ALL.into_iter().all(alike)
    }
}

/// White's piece is the own one in the tables.
fn seen(king: Square, piece: Piece, square: Square) -> Seen {
    Seen { king, role: piece.role(), own: piece.color() == Color::White, square }
}

/// The rows by distinct king, piece and square, and where those of each square of the king begin.
fn rows(expression: &Expression, lengths: &[u8; 16], stride: usize) -> (Vec<u32>, [u32; Square::COUNT]) {
    let Expression { term, frame, .. } = expression;
    let block = Piece::COUNT * Square::COUNT * stride;
    let mut rows: Vec<u32> = Vec::new();
    let mut starts = [0; Square::COUNT];
    for king in frame.king_squares() {
        let start = rows.len();
        rows.resize(start + block, 0);
        for piece in Piece::ALL {
            for square in Square::all() {
                let at = start + entry(piece.index(), square.index()) * stride;
                let mut free = rows[at..at + stride].iter_mut();
                term.indices(&seen(king, piece, square), frame, &mut |index| {
                    *free.next().expect("no piece has more rows than were counted") = index as u32;
                });
                let used = stride - free.len();
                assert_eq!(
                    used,
                    usize::from(lengths[piece.index()]),
                    "{piece:?} on {square}, king on {king}"
                );
            }
        }
        // Kings that see the same rows share them.
        let (earlier, new) = rows.split_at(start);
        let same = (block > 0).then(|| earlier.chunks(block).position(|other| other == new)).flatten();
        starts[king.index()] = same.map_or(start, |number| number * block) as u32;
        if same.is_some() {
            rows.truncate(start);
        }
    }
    (rows, starts)
}
