// SPDX-License-Identifier: GPL-3.0-or-later
//! Expressions compiled to tables: `own king, piece, square -> rows`.
//!
//! The tables hold one side's view. Looking up turns the square and exchanges the colours first, so that
//! both sides, and both halves of a folded board, share them.

use std::{fmt, str::FromStr};

use rules::{
    Color,
    chess::{Piece, Role, Square},
};

use super::{Expression, ExpressionError, Roles, provided};

/// A feature set, ready to be asked for the rows of the first layer that a piece activates.
#[derive(Clone)]
pub struct FeatureSet {
    pub(super) expression: Expression,
    pub(super) size: usize,
    /// Rows kept for a piece on a square, the most that any piece has.
    pub(super) stride: usize,
    /// Rows in use by piece as seen; whether a piece has an element does not depend on squares. The last
    /// four stand for no piece and spare a bounds check.
    pub(super) lengths: [u8; 16],
    /// By distinct king, piece as seen and square as seen.
    pub(super) rows: Box<[u32]>,
    /// By view and square of the own king.
    pub(super) kings: Box<[[KingSight; Square::COUNT]; 2]>,
    pub(super) classes: usize,
    pub(super) shares: bool,
}

/// The number of the entry of a piece and a square, both as seen.
#[inline(always)]
pub(super) const fn entry(piece: usize, square: usize) -> usize {
    piece * Square::COUNT + square
}

/// How the board looks with the own king on a certain square.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KingSight {
    /// Where the rows begin.
    pub(super) start: u32,
    /// What squares are XORed with.
    pub(super) flip: u8,
    pub(super) class: u8,
}

/// The rows as one side sees them while its king stays where it is.
#[derive(Copy, Clone)]
pub struct Sight<'a> {
    set: &'a FeatureSet,
    pub(super) king: KingSight,
    view: Color,
}

impl<'a> Sight<'a> {
    /// The rows of a piece on a square, each once.
    #[inline(always)]
    pub fn rows(self, piece: Piece, square: Square) -> &'a [u32] {
        let piece = (piece.index() ^ self.view.index()) & 15;
        let square = square.index() ^ usize::from(self.king.flip);
        let start = self.king.start as usize + entry(piece, square) * self.set.stride;
        &self.set.rows[start..start + usize::from(self.set.lengths[piece])]
    }
}

impl FeatureSet {
    /// The set of an expression or of a name.
    ///
    /// # Errors
    /// When the text is no expression, or the set would be too large.
    pub fn parse(text: &str) -> Result<FeatureSet, ExpressionError> {
        FeatureSet::compile(text.parse()?)
    }

    /// The rows that `piece` on `square` has for a side whose king stands on `king`.
    #[inline(always)]
    pub fn rows(&self, view: Color, king: Square, piece: Piece, square: Square) -> &[u32] {
        self.seen_by(view, king).rows(piece, square)
    }

    /// The rows as a side sees them whose king stands on `king`: for more than one piece.
    #[inline(always)]
    pub fn seen_by(&self, view: Color, king: Square) -> Sight<'_> {
        Sight { set: self, king: self.kings[view.index()][king.index()], view }
    }

    /// The class of a square of the own king: all squares of a class have the same rows, so that only a
    /// king's move to another class makes a refresh necessary.
    #[inline(always)]
    pub fn class(&self, view: Color, king: Square) -> usize {
        usize::from(self.kings[view.index()][king.index()].class)
    }

    /// How many classes there are.
    #[inline(always)]
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The most rows that one piece has.
    pub fn max_rows(&self) -> usize {
        self.stride
    }

    /// The most indices that can be active at once in one view: each side has a king and fifteen others.
    pub fn max_active(&self) -> usize {
        let most = |color: Color| {
            let count = |role: Role| usize::from(self.lengths[Piece::new(color, role).index()]);
            15 * Roles::FIVE.iter().map(count).max().unwrap_or(0) + count(Role::King)
        };
        let pieces = most(Color::White) + most(Color::Black);
        if self.is_counted() { pieces } else { pieces.min(self.size) }
    }

    /// Whether two pieces of a position can have the same index.
    pub fn shares(&self) -> bool {
        self.shares
    }

    /// Whether indices count pieces instead of saying that there is one.
    pub fn is_counted(&self) -> bool {
        self.expression.counted
    }

    /// Whether an update must know how many pieces have an index: only the first adds its row, and only
    /// the last takes it away.
    #[inline(always)]
    pub fn needs_counts(&self) -> bool {
        self.shares && !self.expression.counted
    }

    /// The expression that was compiled.
    pub fn expression(&self) -> &Expression {
        &self.expression
    }

    /// The canonical text: what a file says about its features, and what [`FeatureSet::parse`] reads.
    pub fn text(&self) -> String {
        self.expression.to_string()
    }

    /// The name of the provided set with this expression.
    pub fn name(&self) -> Option<&'static str> {
        let same = |set: &&provided::Provided| set.expression() == self.expression;
        provided::provided().iter().find(same).map(|set| set.name)
    }

    /// What an index stands for, such as `king e1, e4, pawn, own`.
    pub fn describe(&self, index: u32) -> String {
        assert!((index as usize) < self.size(), "index {index} of {} features", self.size());
        let mut names = Vec::new();
        self.expression.term.describe(index as usize, &self.expression.frame, &mut names);
        names.join(", ")
    }

    /// The number of indices.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.size
    }
}

impl PartialEq for FeatureSet {
    fn eq(&self, other: &FeatureSet) -> bool {
        self.expression == other.expression
    }
}

impl Eq for FeatureSet {}

impl FromStr for FeatureSet {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<FeatureSet, ExpressionError> {
        FeatureSet::parse(text)
    }
}

impl fmt::Display for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.expression, f)
    }
}

impl fmt::Debug for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FeatureSet({self})")
    }
}
