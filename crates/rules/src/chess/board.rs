// SPDX-License-Identifier: GPL-3.0-or-later
//! The board: a legal position with everything move generation asks for.

use super::{
    Bitboard, CastlingRights, Keys, Move, MoveList, Piece, Role, Setup, Square, attacks, attacks::rays_from,
};
use crate::{Color, Outcome, Position};

/// A legal chess position.
///
/// Two hundred bytes, copied rather than unmade: `let child = board.after(m)`.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct Board {
    pub(super) roles: [Bitboard; 6],
    pub(super) colors: [Bitboard; 2],
    pub(super) squares: [Option<Piece>; 64],
    pub(super) keys: Keys,
    pub(super) checkers: Bitboard,
    pub(super) pinned: Bitboard,
    pub(super) castling: CastlingRights,
    pub(super) en_passant: Option<Square>,
    pub(super) turn: Color,
    pub(super) halfmoves: u8,
    pub(super) fullmoves: u16,
}

impl Board {
    /// The start position of standard chess.
    pub fn start() -> Board {
        use Role::*;
        const BACK_RANK: [Role; 8] = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
        let mut setup = Setup::EMPTY;
        for (file, role) in (0..8).zip(BACK_RANK) {
            for color in Color::ALL {
                setup.squares[Square::at(file, 0).relative(color).index()] = Some(Piece::new(color, role));
                setup.squares[Square::at(file, 1).relative(color).index()] = Some(Piece::new(color, Pawn));
            }
        }
        for color in Color::ALL {
            setup.castling.set(color, super::Wing::King, Square::H1.relative(color));
            setup.castling.set(color, super::Wing::Queen, Square::A1.relative(color));
        }
        Board::assemble(&setup)
    }

    /// The board of a setup that is known to be legal, computed from nothing.
    ///
    /// An en passant square that no legal capture uses is dropped.
    pub(crate) fn assemble(setup: &Setup) -> Board {
        let mut board = Board {
            roles: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            squares: setup.squares,
            keys: Keys::default(),
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            castling: setup.castling,
            en_passant: None,
            turn: setup.turn,
            halfmoves: u8::try_from(setup.halfmoves).unwrap_or(u8::MAX),
            fullmoves: setup.fullmoves.max(1),
        };
        for square in Square::all() {
            if let Some(piece) = setup.squares[square.index()] {
                board.roles[piece.role().index()] |= square.into();
                board.colors[piece.color().index()] |= square.into();
            }
        }
        board.refresh_checks();
        board.en_passant = setup.en_passant.filter(|&square| board.has_legal_en_passant(square));
        board.keys = Keys::from_scratch(&board);
        board
    }

    /// The player to move.
    #[inline(always)]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The squares that hold a piece.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The squares of a side's pieces.
    #[inline(always)]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The squares of both sides' pieces of a role.
    #[inline(always)]
    pub fn role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    /// The squares of a side's pieces of a role.
    #[inline(always)]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.color(color) & self.role(role)
    }

    /// Bishops and queens of both sides.
    #[inline(always)]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.role(Role::Bishop) | self.role(Role::Queen)
    }

    /// Rooks and queens of both sides.
    #[inline(always)]
    pub fn straight_sliders(&self) -> Bitboard {
        self.role(Role::Rook) | self.role(Role::Queen)
    }

    /// The piece on a square.
    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// Where a side's king stands.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        Square::new(self.pieces(color, Role::King).0.trailing_zeros() as u8)
    }

    /// The enemy pieces that give check.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        !self.checkers.is_empty()
    }

    /// The pieces of the side to move that are pinned to their king.
    #[inline(always)]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// Who may still castle, and with which rooks.
    #[inline(always)]
    pub fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The square behind a pawn that just went two squares, if it can legally be captured there.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Half-moves since the last capture or pawn move, at most 255.
    #[inline(always)]
    pub fn halfmoves(&self) -> u8 {
        self.halfmoves
    }

    /// The number of the current move, starting with 1.
    #[inline(always)]
    pub fn fullmoves(&self) -> u16 {
        self.fullmoves
    }

    /// The hash keys.
    #[inline(always)]
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The hash key of the whole position.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.keys.position
    }

    /// Whether a side has a piece besides pawns and king.
    #[inline(always)]
    pub fn has_non_pawns(&self, color: Color) -> bool {
        !(self.color(color) - self.role(Role::Pawn) - self.role(Role::King)).is_empty()
    }

    /// Pieces of both sides that attack `square` when `occupied` squares block lines.
    #[inline(always)]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        (attacks::pawn(Color::Black, square) & self.pieces(Color::White, Role::Pawn))
            | (attacks::pawn(Color::White, square) & self.pieces(Color::Black, Role::Pawn))
            | (attacks::knight(square) & self.role(Role::Knight))
            | (attacks::king(square) & self.role(Role::King))
            | (attacks::bishop(square, occupied) & self.diagonal_sliders())
            | (attacks::rook(square, occupied) & self.straight_sliders())
    }

    /// Every square a side attacks when `occupied` squares block lines.
    #[inline]
    pub fn attacked_by(&self, color: Color, occupied: Bitboard) -> Bitboard {
        let side = self.color(color);
        let mut attacked =
            attacks::pawns(color, side & self.role(Role::Pawn)) | attacks::king(self.king(color));
        for from in side & self.role(Role::Knight) {
            attacked |= attacks::knight(from);
        }
        for from in side & self.diagonal_sliders() {
            attacked |= attacks::bishop(from, occupied);
        }
        for from in side & self.straight_sliders() {
            attacked |= attacks::rook(from, occupied);
        }
        attacked
    }

    /// Whether neither side could ever mate: bare kings, one minor piece, or bishops of one square colour.
    pub fn has_insufficient_material(&self) -> bool {
        let heavy = self.role(Role::Pawn) | self.straight_sliders();
        if !heavy.is_empty() {
            return false;
        }
        let (knights, bishops) = (self.role(Role::Knight), self.role(Role::Bishop));
        if knights.is_empty() {
            return bishops.is_subset(Bitboard::DARK) || bishops.is_subset(Bitboard::LIGHT);
        }
        self.occupied().len() <= 3
    }

    /// Finds the checkers and the pinned pieces of the side to move.
    #[inline(always)]
    pub(super) fn refresh_checks(&mut self) {
        let (ours, theirs) = (self.color(self.turn), self.color(!self.turn));
        let king = self.king(self.turn);
        let occupied = ours | theirs;
        let mut checkers = (attacks::knight(king) & self.role(Role::Knight))
            | (attacks::pawn(self.turn, king) & self.role(Role::Pawn));
        checkers &= theirs;
        let (straight, diagonal) = rays_from(king);
        let snipers = ((straight & self.straight_sliders()) | (diagonal & self.diagonal_sliders())) & theirs;
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & occupied;
            if blockers.is_empty() {
                checkers |= sniper.into();
            } else if !blockers.has_many() {
                pinned |= blockers & ours;
            }
        }
        self.checkers = checkers;
        self.pinned = pinned;
    }

    /// Whether the side to move can legally capture en passant on `square`.
    pub(super) fn has_legal_en_passant(&self, square: Square) -> bool {
        let capturers = attacks::pawn(!self.turn, square) & self.pieces(self.turn, Role::Pawn);
        capturers.into_iter().any(|from| self.is_en_passant_safe(from, square))
    }

    /// Whether the own king is safe after the pawn on `from` captures en passant on `target`.
    ///
    /// Two pawns leave their squares at once, so pins do not tell; lines are looked up anew.
    pub(super) fn is_en_passant_safe(&self, from: Square, target: Square) -> bool {
        let victim = target.forward(!self.turn);
        let king = self.king(self.turn);
        let theirs = self.color(!self.turn).without(victim);
        let occupied = (self.occupied() ^ from.into() ^ victim.into()) | target.into();
        (self.attackers_to(king, occupied) & theirs).is_empty()
    }
}

impl Position for Board {
    type Move = Move;

    fn turn(&self) -> Color {
        self.turn
    }

    fn legal_moves(&self) -> Vec<Move> {
        Board::legal_moves(self).to_vec()
    }

    fn count_legal_moves(&self) -> u64 {
        Board::count_legal_moves(self)
    }

    fn after(&self, m: Move) -> Board {
        Board::after(self, m)
    }

    fn outcome(&self) -> Option<Outcome> {
        if Board::count_legal_moves(self) == 0 {
            return Some(if self.in_check() { Outcome::Win(!self.turn) } else { Outcome::Draw });
        }
        self.has_insufficient_material().then_some(Outcome::Draw)
    }

    fn key(&self) -> u64 {
        self.keys.position
    }

    fn count_leaves(&self) -> u64 {
        let mut moves = MoveList::new();
        self.generate(super::Stage::All, &mut moves);
        moves.iter().map(|&m| self.after_unkeyed(m).count_legal_moves()).sum()
    }
}
