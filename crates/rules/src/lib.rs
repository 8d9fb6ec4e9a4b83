// SPDX-License-Identifier: GPL-3.0-or-later
//! How the games are played: boards, moves, notation, and nothing else.
//!
//! No network, no clock, no protocol beyond the games' own notation. Each game is a module of
//! concrete, fast types; the small [`Position`] trait is for outsiders (match runners, servers,
//! random playouts) that want to handle any game alike.

mod checksum;
pub mod chess;
pub mod perft;
mod random;

pub use checksum::Checksum;
pub use random::Random;

/// One of the two players.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Color {
    /// The player who moves first.
    White = 0,
    /// The player who moves second.
    Black = 1,
}

impl Color {
    /// Both players, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// 0 for White, 1 for Black.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl std::ops::Not for Color {
    type Output = Color;

    #[inline(always)]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Color::White => "white",
            Color::Black => "black",
        })
    }
}

/// How a finished game ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// One side won.
    Win(Color),
    /// Nobody won.
    Draw,
}

/// What every game's position can do; enough to play, count and record games without knowing which.
pub trait Position: Clone {
    /// A move of this game.
    type Move: Copy + Eq;

    /// The player to move.
    fn turn(&self) -> Color;
    /// Every legal move.
    fn legal_moves(&self) -> Vec<Self::Move>;
    /// How many legal moves there are, without listing them.
    fn count_legal_moves(&self) -> u64;
    /// How many positions are two half-moves away: the innermost two levels of a leaf count.
    ///
    /// A game overrides this where it can count without the bookkeeping that a game in progress needs.
    fn count_leaves(&self) -> u64 {
        self.legal_moves().into_iter().map(|m| self.after(m).count_legal_moves()).sum()
    }
    /// The position after `m`, which must be legal.
    fn after(&self, m: Self::Move) -> Self;
    /// The outcome if the rules end the game here, looking at this position alone.
    fn outcome(&self) -> Option<Outcome>;
    /// A 64-bit key, equal for equal positions.
    fn key(&self) -> u64;
}
