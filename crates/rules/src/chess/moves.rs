// SPDX-License-Identifier: GPL-3.0-or-later
//! Moves in 16 bits: origin, destination, kind.

use std::fmt;

use super::{Role, Square};

/// What happens besides a piece going from one square to another; four bits of a [`Move`].
///
/// Bit 2 marks captures, bit 3 promotions.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum MoveKind {
    /// Nothing else happens.
    Quiet = 0,
    /// A pawn goes two squares.
    DoublePush = 1,
    /// The king castles; the destination is the square of the castling rook.
    Castle = 2,
    /// The piece on the destination is captured.
    Capture = 4,
    /// A pawn captures en passant.
    EnPassant = 5,
    /// A pawn becomes a knight; the next three kinds follow the order of roles.
    PromoteKnight = 8,
    /// A pawn becomes a bishop.
    PromoteBishop = 9,
    /// A pawn becomes a rook.
    PromoteRook = 10,
    /// A pawn becomes a queen.
    PromoteQueen = 11,
    /// A pawn captures and becomes a knight.
    CapturePromoteKnight = 12,
    /// A pawn captures and becomes a bishop.
    CapturePromoteBishop = 13,
    /// A pawn captures and becomes a rook.
    CapturePromoteRook = 14,
    /// A pawn captures and becomes a queen.
    CapturePromoteQueen = 15,
}

/// A move in 16 bits: origin, destination and [`MoveKind`].
///
/// Castling is written as the king taking its own rook, which is unambiguous in Chess960. All 65,536
/// bit patterns are values of the type; [`super::Board::is_legal`] tells which of them can be played.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Move(u16);

impl Move {
    /// The absence of a move: a1a1, never legal.
    pub const NONE: Move = Move(0);

    /// A move from its parts.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        Move(from.index() as u16 | (to.index() as u16) << 6 | (kind as u16) << 12)
    }

    /// A promotion to `role`, which must be a knight, bishop, rook or queen.
    #[inline]
    pub const fn promotion(from: Square, to: Square, role: Role, capture: bool) -> Move {
        let kind = 8 + (role as u16 - Role::Knight as u16) + if capture { 4 } else { 0 };
        Move(from.index() as u16 | (to.index() as u16) << 6 | kind << 12)
    }

    /// The move of a bit pattern; any pattern is accepted.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    /// The bit pattern.
    #[inline(always)]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// Where the piece comes from.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::new((self.0 & 63) as u8)
    }

    /// Where the piece goes; for castling the square of the rook.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6 & 63) as u8)
    }

    /// The four kind bits; three patterns (3, 6, 7) belong to no [`MoveKind`].
    #[inline(always)]
    pub const fn kind_bits(self) -> u8 {
        (self.0 >> 12) as u8
    }

    /// Origin and destination as one number below 4096.
    #[inline(always)]
    pub const fn from_to(self) -> usize {
        (self.0 & 4095) as usize
    }

    /// Whether the move is of this kind.
    #[inline(always)]
    pub const fn is(self, kind: MoveKind) -> bool {
        self.kind_bits() == kind as u8
    }

    /// Whether the move captures, en passant included.
    #[inline(always)]
    pub const fn is_capture(self) -> bool {
        self.0 & 0x4000 != 0
    }

    /// Whether a pawn promotes.
    #[inline(always)]
    pub const fn is_promotion(self) -> bool {
        self.0 & 0x8000 != 0
    }

    /// Whether the king castles.
    #[inline(always)]
    pub const fn is_castle(self) -> bool {
        self.is(MoveKind::Castle)
    }

    /// Whether the move neither captures nor promotes.
    #[inline(always)]
    pub const fn is_quiet(self) -> bool {
        self.0 & 0xC000 == 0
    }

    /// What a promoting pawn becomes.
    #[inline(always)]
    pub const fn promoted(self) -> Option<Role> {
        if !self.is_promotion() {
            return None;
        }
        Some(Role::ALL[1 + (self.0 >> 12 & 3) as usize])
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}/{}", self.from(), self.to(), self.kind_bits())
    }
}

/// A list of moves without heap memory; no legal position has more than 218.
#[derive(Clone)]
pub struct MoveList {
    len: usize,
    moves: [Move; MoveList::CAPACITY],
}

impl MoveList {
    /// The most moves a list can hold.
    pub const CAPACITY: usize = 256;

    /// An empty list.
    #[inline(always)]
    pub const fn new() -> MoveList {
        MoveList { len: 0, moves: [Move::NONE; MoveList::CAPACITY] }
    }

    /// Appends a move.
    #[inline(always)]
    pub fn push(&mut self, m: Move) {
        self.moves[self.len] = m;
        self.len += 1;
    }

    /// Puts a move in place of an earlier one.
    #[inline(always)]
    pub fn set(&mut self, index: usize, m: Move) {
        self.moves[..self.len][index] = m;
    }

    /// Exchanges two moves.
    #[inline(always)]
    pub fn swap(&mut self, a: usize, b: usize) {
        self.moves[..self.len].swap(a, b);
    }

    /// The moves.
    #[inline(always)]
    pub fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl std::ops::Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        self.as_slice()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}
