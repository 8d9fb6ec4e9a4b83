// SPDX-License-Identifier: GPL-3.0-or-later
//! Squares of the board, numbered a1 = 0, b1 = 1, … h8 = 63.

use std::{fmt, str::FromStr};

use thiserror::Error;

use crate::Color;

/// A square of the board; a1 is 0, h1 is 7, h8 is 63.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// A text that names no square.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("'{0}' is not a square, expected a file a-h and a rank 1-8")]
pub struct ParseSquareError(pub String);

macro_rules! name_squares {
    ($($name:ident = $index:expr),* $(,)?) => {
        #[allow(missing_docs, reason = "the names of the squares speak for themselves")]
        impl Square { $(pub const $name: Square = Square($index);)* }
    };
}

name_squares! {
    A1 = 0, B1 = 1, C1 = 2, D1 = 3, E1 = 4, F1 = 5, G1 = 6, H1 = 7,
    A8 = 56, B8 = 57, C8 = 58, D8 = 59, E8 = 60, F8 = 61, G8 = 62, H8 = 63,
}

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 64;

    /// The square of this number; only the low six bits count.
    #[inline(always)]
    pub const fn new(index: u8) -> Square {
        Square(index & 63)
    }

    /// The square on a file (0 = a) and rank (0 = first).
    #[inline(always)]
    pub const fn at(file: u8, rank: u8) -> Square {
        Square::new(rank * 8 + file)
    }

    /// All squares, a1 first.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square)
    }

    /// The number of the square, below 64.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize // the mask lets the compiler drop bounds checks
    }

    /// The file, 0 = a … 7 = h.
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// The rank, 0 = first … 7 = eighth.
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        (self.0 & 63) >> 3
    }

    /// The rank as `color` counts it, 0 = its own back rank.
    #[inline(always)]
    pub const fn relative_rank(self, color: Color) -> u8 {
        self.relative(color).rank()
    }

    /// The square as `color` sees it: Black's view flips the ranks.
    #[inline(always)]
    pub const fn relative(self, color: Color) -> Square {
        Square(self.0 ^ (56 * color as u8))
    }

    /// The square mirrored between the a- and h-file.
    #[inline(always)]
    pub const fn mirrored(self) -> Square {
        Square(self.0 ^ 7)
    }

    /// The square one step ahead as `color` moves its pawns; wraps at the edge of the board.
    #[inline(always)]
    pub const fn forward(self, color: Color) -> Square {
        match color {
            Color::White => Square::new(self.0.wrapping_add(8)),
            Color::Black => Square::new(self.0.wrapping_sub(8)),
        }
    }

    /// King steps between two squares.
    #[inline]
    pub const fn distance(self, other: Square) -> u8 {
        let files = self.file().abs_diff(other.file());
        let ranks = self.rank().abs_diff(other.rank());
        if files > ranks { files } else { ranks }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, (b'1' + self.rank()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Square::at(file - b'a', rank - b'1')),
            _ => Err(ParseSquareError(text.to_owned())),
        }
    }
}
