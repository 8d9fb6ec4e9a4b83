// SPDX-License-Identifier: GPL-3.0-or-later
//! From where the board is looked at: how Black's view is made, and on which half the own king is seen.

use rules::{Color, chess::Square};

/// How Black's view of the board is made from White's.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// Ranks are exchanged (square XOR 56): the kings' files stay what they are.
    #[default]
    Mirror,
    /// The board is turned by 180 degrees (square XOR 63), as in the networks of Stockfish 12.
    Rotate,
}

impl View {
    /// What the number of a square is XORed with to give the square as `color` sees it.
    pub const fn mask(self, color: Color) -> u8 {
        match (color, self) {
            (Color::White, _) => 0,
            (Color::Black, View::Mirror) => 56,
            (Color::Black, View::Rotate) => 63,
        }
    }

    /// The word for it in an expression.
    pub const fn word(self) -> &'static str {
        match self {
            View::Mirror => "mirror",
            View::Rotate => "rotate",
        }
    }
}

/// A half of the board.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Half {
    /// Files a to d.
    Left,
    /// Files e to h.
    Right,
}

impl Half {
    /// Whether a square lies on it.
    pub const fn contains(self, square: Square) -> bool {
        (square.file() < 4) == matches!(self, Half::Left)
    }

    /// The number of its first file.
    pub const fn first_file(self) -> u8 {
        match self {
            Half::Left => 0,
            Half::Right => 4,
        }
    }

    /// The word for it in an expression.
    pub const fn word(self) -> &'static str {
        match self {
            Half::Left => "a-d",
            Half::Right => "e-h",
        }
    }
}

/// From where a set looks at the board.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// How Black's view is made.
    pub view: View,
    /// The half on which the own king is always seen: the board is mirrored when it stands on the other.
    pub fold: Option<Half>,
}

impl Frame {
    /// What the number of a square is XORed with for a side whose king stands on `king`.
    pub fn flip(&self, view: Color, king: Square) -> u8 {
        let mask = self.view.mask(view);
        let seen = Square::new(king.index() as u8 ^ mask);
        let mirrored = self.fold.is_some_and(|half| !half.contains(seen));
        if mirrored { mask ^ 7 } else { mask }
    }

    /// How many files the own king can be seen on.
    pub const fn king_files(&self) -> usize {
        if self.fold.is_some() { 4 } else { 8 }
    }

    /// The squares on which the own king can be seen, in the order of their numbers.
    pub fn king_squares(&self) -> impl Iterator<Item = Square> {
        let fold = self.fold;
        Square::all().filter(move |&square| fold.is_none_or(|half| half.contains(square)))
    }

    /// The square on which the own king is seen, numbered without gaps.
    pub const fn king_number(&self, king: Square) -> usize {
        king.rank() as usize * self.king_files() + self.king_file(king)
    }

    /// The file on which the own king is seen, numbered without gaps.
    pub const fn king_file(&self, king: Square) -> usize {
        king.file() as usize % self.king_files()
    }
}
