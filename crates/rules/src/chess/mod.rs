// SPDX-License-Identifier: GPL-3.0-or-later
//! The rules of chess, Chess960 and double Chess960.
//!
//! `text -> Setup (any diagram) -> Board (a legal position) -> moves -> Board`
//!
//! A [`Board`] is small and copied before a move is played on it; taking a move back is dropping the
//! copy. Checkers, pins and all hash keys are kept incrementally.

pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod chess960;
mod diagram;
mod fen;
mod game;
mod legality;
mod movegen;
mod moves;
mod piece;
mod play;
mod repetition;
mod san;
mod see;
mod setup;
mod square;
mod uci;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use castling::{CastlingRights, Wing};
pub use fen::{FenError, ParseFenError};
pub use game::{Game, Reason};
pub use movegen::Stage;
pub use moves::{Move, MoveKind, MoveList};
pub use piece::{Piece, Role};
pub use play::Observer;
pub use repetition::{has_upcoming_repetition, is_repetition};
pub use san::{ParseSanError, San};
pub use see::SEE_VALUES;
pub use setup::{IllegalPosition, Setup};
pub use square::{ParseSquareError, Square};
pub use uci::ParseUciError;
pub use zobrist::Keys;
