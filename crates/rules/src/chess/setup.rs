// SPDX-License-Identifier: GPL-3.0-or-later
//! Any diagram, legal or not, and the test that makes a legal [`Board`] of it.
//!
//! A [`Setup`] holds what a FEN says and checks nothing. A [`Board`] is always legal in the sense of
//! this module: the rules can be applied to it. Whether play could ever reach it is not asked, beyond
//! counting pieces; impossible combinations of checks are accepted.

use thiserror::Error;

use super::{Bitboard, Board, CastlingRights, Piece, Role, Square, Wing, attacks};
use crate::Color;

/// A diagram with side to move, castling rights, en passant square and move counters.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// What stands on each square, a1 first.
    pub squares: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub turn: Color,
    /// Who may castle with which rook.
    pub castling: CastlingRights,
    /// The square that a pawn has just passed over.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u16,
    /// The number of the move, counted from 1 and raised after Black's moves.
    pub fullmoves: u16,
}

/// What makes a diagram no legal position.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the message of each variant says what it and its fields mean")]
pub enum IllegalPosition {
    #[error("{color} has {count} kings, expected 1")]
    KingCount { color: Color, count: u32 },
    #[error("{color} has {count} pieces, expected at most 16")]
    TooManyPieces { color: Color, count: u32 },
    #[error("pawn on the back rank at {0}")]
    PawnOnBackRank(Square),
    #[error("{color} has {pawns} + {promoted} pawns and promoted pieces, expected at most 8")]
    TooManyPromotions { color: Color, pawns: u32, promoted: u32 },
    #[error("castling right {right}: {color} king on {king}, expected it on its back rank")]
    CastlingKing { right: char, color: Color, king: Square },
    #[error("castling right {right}: no {color} rook on {rook}")]
    CastlingNoRook { right: char, color: Color, rook: Square },
    #[error("castling right {right}: rook on {rook} is not on that side of the king on {king}")]
    CastlingRookSide { right: char, rook: Square, king: Square },
    #[error("en passant square {square} is on the wrong rank, expected rank {expected} with {turn} to move")]
    EnPassantRank { square: Square, expected: u8, turn: Color },
    #[error("en passant square {0} is occupied")]
    EnPassantOccupied(Square),
    #[error("en passant square {0} has no pawn behind it")]
    EnPassantNoPawn(Square),
    #[error("en passant square {square}: the pawn cannot come from {origin}, which is occupied")]
    EnPassantOrigin { square: Square, origin: Square },
    #[error("halfmove clock {0} is too large, expected at most 255")]
    HalfmoveClock(u16),
    #[error("{0} king can be captured")]
    KingCanBeCaptured(Color),
}

/// The letter of a castling right in a FEN.
pub(super) fn right_letter(color: Color, wing: Wing) -> char {
    let role = match wing {
        Wing::King => Role::King,
        Wing::Queen => Role::Queen,
    };
    Piece::new(color, role).letter()
}

impl Setup {
    /// The empty board, White to move.
    pub const EMPTY: Setup = Setup {
        squares: [None; Square::COUNT],
        turn: Color::White,
        castling: CastlingRights::NONE,
        en_passant: None,
        halfmoves: 0,
        fullmoves: 1,
    };

    /// The squares on which `piece` stands.
    pub(super) fn squares_of(&self, piece: Piece) -> Bitboard {
        Square::all().filter(|square| self.squares[square.index()] == Some(piece)).collect()
    }

    fn count(&self, color: Color, role: Role) -> u32 {
        self.squares_of(Piece::new(color, role)).len()
    }

    fn occupied(&self) -> Bitboard {
        Square::all().filter(|square| self.squares[square.index()].is_some()).collect()
    }

    fn is_empty_at(&self, square: Square) -> bool {
        self.squares[square.index()].is_none()
    }

    /// Says what is wrong with the diagram, if anything is.
    fn check(&self) -> Result<(), IllegalPosition> {
        for color in Color::ALL {
            self.check_material(color)?;
        }
        let back_ranks = Bitboard::rank(0) | Bitboard::rank(7);
        let pawns = self.squares_of(Piece::WhitePawn) | self.squares_of(Piece::BlackPawn);
        if let Some(square) = (pawns & back_ranks).first() {
            return Err(IllegalPosition::PawnOnBackRank(square));
        }
        for color in Color::ALL {
            for wing in Wing::ALL {
                self.check_castling(color, wing)?;
            }
        }
        if let Some(square) = self.en_passant {
            self.check_en_passant(square)?;
        }
        if self.halfmoves > u8::MAX.into() {
            return Err(IllegalPosition::HalfmoveClock(self.halfmoves));
        }
        self.check_waiting_king()
    }

    fn check_material(&self, color: Color) -> Result<(), IllegalPosition> {
        let kings = self.count(color, Role::King);
        if kings != 1 {
            return Err(IllegalPosition::KingCount { color, count: kings });
        }
        let count = Role::ALL.iter().map(|&role| self.count(color, role)).sum();
        if count > 16 {
            return Err(IllegalPosition::TooManyPieces { color, count });
        }
        let pawns = self.count(color, Role::Pawn);
        let at_start = [(Role::Knight, 2), (Role::Bishop, 2), (Role::Rook, 2), (Role::Queen, 1)];
        let promoted =
            at_start.iter().map(|&(role, count)| self.count(color, role).saturating_sub(count)).sum();
        if pawns + promoted > 8 {
            return Err(IllegalPosition::TooManyPromotions { color, pawns, promoted });
        }
        Ok(())
    }

    fn check_castling(&self, color: Color, wing: Wing) -> Result<(), IllegalPosition> {
        let Some(rook) = self.castling.rook(color, wing) else { return Ok(()) };
        let right = right_letter(color, wing);
        let back_rank = Bitboard::relative_rank(color, 0);
        let kings = self.squares_of(Piece::new(color, Role::King));
        if let Some(king) = (kings - back_rank).first() {
            return Err(IllegalPosition::CastlingKing { right, color, king });
        }
        let rooks = self.squares_of(Piece::new(color, Role::Rook));
        if !(rooks & back_rank).contains(rook) {
            return Err(IllegalPosition::CastlingNoRook { right, color, rook });
        }
        match kings.first() {
            Some(king) if Wing::of(king, rook) != wing => {
                Err(IllegalPosition::CastlingRookSide { right, rook, king })
            }
            _ => Ok(()),
        }
    }

    fn check_en_passant(&self, square: Square) -> Result<(), IllegalPosition> {
        let mover = !self.turn;
        let expected = Square::at(0, 5).relative(self.turn).rank();
        if square.rank() != expected {
            return Err(IllegalPosition::EnPassantRank { square, expected: expected + 1, turn: self.turn });
        }
        if !self.is_empty_at(square) {
            return Err(IllegalPosition::EnPassantOccupied(square));
        }
        let pawn = square.forward(mover);
        if self.squares[pawn.index()] != Some(Piece::new(mover, Role::Pawn)) {
            return Err(IllegalPosition::EnPassantNoPawn(square));
        }
        let origin = square.forward(self.turn);
        if !self.is_empty_at(origin) {
            return Err(IllegalPosition::EnPassantOrigin { square, origin });
        }
        Ok(())
    }

    /// The side that is not to move must not stand in check.
    fn check_waiting_king(&self) -> Result<(), IllegalPosition> {
        let waiting = !self.turn;
        let kings = self.squares_of(Piece::new(waiting, Role::King));
        let occupied = self.occupied();
        let attacked = occupied.into_iter().any(|square| match self.squares[square.index()] {
            Some(piece) if piece.color() == self.turn => {
                !attacks::of(piece.role(), piece.color(), square, occupied).is_disjoint(kings)
            }
            _ => false,
        });
        if attacked { Err(IllegalPosition::KingCanBeCaptured(waiting)) } else { Ok(()) }
    }
}

impl From<&Board> for Setup {
    fn from(board: &Board) -> Setup {
        Setup {
            squares: std::array::from_fn(|index| board.piece_on(Square::new(index as u8))),
            turn: board.turn(),
            castling: board.castling(),
            en_passant: board.en_passant(),
            halfmoves: board.halfmoves().into(),
            fullmoves: board.fullmoves(),
        }
    }
}

impl Board {
    /// The position of a diagram, or what is wrong with it.
    ///
    /// A move number of 0 is read as 1, and an en passant square that no legal capture uses is dropped.
    pub fn from_setup(setup: &Setup) -> Result<Board, IllegalPosition> {
        setup.check()?;
        let fullmoves = setup.fullmoves.max(1);
        Ok(Board::assemble(&Setup { fullmoves, ..*setup }))
    }
}

impl TryFrom<&Setup> for Board {
    type Error = IllegalPosition;

    fn try_from(setup: &Setup) -> Result<Board, IllegalPosition> {
        Board::from_setup(setup)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kings_and(pieces: &[(Square, Piece)]) -> Setup {
        let mut setup = Setup::EMPTY;
        setup.squares[Square::E1.index()] = Some(Piece::WhiteKing);
        setup.squares[Square::E8.index()] = Some(Piece::BlackKing);
        for &(square, piece) in pieces {
            setup.squares[square.index()] = Some(piece);
        }
        setup
    }

    fn refusal(setup: &Setup) -> String {
        Board::from_setup(setup).expect_err("the diagram is illegal").to_string()
    }

    #[test]
    fn an_empty_board_lacks_kings() {
        assert_eq!(refusal(&Setup::EMPTY), "white has 0 kings, expected 1");
    }

    #[test]
    fn a_board_gives_its_setup_back() {
        let setup = kings_and(&[(Square::A1, Piece::WhiteRook), (Square::H8, Piece::BlackRook)]);
        let board = Board::from_setup(&setup).expect("legal");
        assert_eq!(Setup::from(&board), setup);
    }

    #[test]
    fn a_rook_castles_on_its_own_side() {
        let mut setup = kings_and(&[(Square::A1, Piece::WhiteRook)]);
        setup.castling.set(Color::White, Wing::Queen, Square::A1);
        assert!(Board::from_setup(&setup).is_ok());
        setup.castling.set(Color::White, Wing::King, Square::A1);
        assert_eq!(refusal(&setup), "castling right K: rook on a1 is not on that side of the king on e1");
    }

    #[test]
    fn a_castling_rook_stands_on_the_back_rank() {
        let h3 = Square::at(7, 2);
        let mut setup = kings_and(&[(h3, Piece::WhiteRook)]);
        setup.castling.set(Color::White, Wing::King, h3);
        assert!(matches!(Board::from_setup(&setup), Err(IllegalPosition::CastlingNoRook { .. })));
    }

    #[test]
    fn counters_are_bounded() {
        let mut setup = kings_and(&[]);
        setup.fullmoves = 0;
        setup.halfmoves = 255;
        assert_eq!(Board::from_setup(&setup).map(|board| board.fullmoves()), Ok(1));
        setup.halfmoves = 256;
        assert_eq!(refusal(&setup), "halfmove clock 256 is too large, expected at most 255");
    }

    #[test]
    fn kings_keep_apart() {
        let mut setup = Setup::EMPTY;
        setup.squares[Square::E1.index()] = Some(Piece::WhiteKing);
        setup.squares[Square::D1.index()] = Some(Piece::BlackKing);
        assert_eq!(refusal(&setup), "black king can be captured");
        setup.turn = Color::Black;
        assert_eq!(refusal(&setup), "white king can be captured");
    }
}
