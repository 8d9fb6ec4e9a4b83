// SPDX-License-Identifier: GPL-3.0-or-later
//! Playing moves on a board, with an observer for those who follow the pieces.

use super::{Bitboard, Board, Move, MoveKind, Piece, Role, Square, Wing, attacks, zobrist};
use crate::Color;

/// Follows piece changes, so that networks can update without the board knowing them.
///
/// A move announces every piece that leaves a square before any piece that arrives on one.
pub trait Observer {
    /// A piece arrived on an empty square.
    fn put(&mut self, piece: Piece, square: Square);
    /// A piece left a square.
    fn take(&mut self, piece: Piece, square: Square);
}

/// Watches nothing.
impl Observer for () {
    #[inline(always)]
    fn put(&mut self, _: Piece, _: Square) {}
    #[inline(always)]
    fn take(&mut self, _: Piece, _: Square) {}
}

impl Board {
    /// Plays a legal move in place.
    #[inline]
    pub fn play(&mut self, m: Move) {
        self.play_observed(m, &mut ());
    }

    /// Plays a legal move in place and announces the piece changes.
    #[inline]
    pub fn play_observed(&mut self, m: Move, observer: &mut impl Observer) {
        match self.turn {
            Color::White => self.play_as::<true>(Color::White, m, observer),
            Color::Black => self.play_as::<true>(Color::Black, m, observer),
        }
    }

    /// The position after a legal move.
    #[inline]
    pub fn after(&self, m: Move) -> Board {
        let mut child = *self;
        child.play(m);
        child
    }

    /// The key of the position after a legal move, as far as the moved and the captured piece tell it.
    ///
    /// Exact unless the move castles, promotes, captures or allows en passant, or changes castling rights: good
    /// enough to fetch from memory what will probably be asked for.
    #[inline]
    pub fn likely_key_after(&self, m: Move) -> u64 {
        let number = |square, at| self.piece_on(square).map_or(0, |piece| zobrist::piece(piece, at));
        let passed = zobrist::turn() ^ zobrist::en_passant(self.en_passant);
        self.key() ^ passed ^ number(m.from(), m.from()) ^ number(m.from(), m.to()) ^ number(m.to(), m.to())
    }

    /// The position after a legal move with stale hash keys: enough to count its moves.
    #[inline]
    pub(super) fn after_unkeyed(&self, m: Move) -> Board {
        let mut child = *self;
        match self.turn {
            Color::White => child.play_as::<false>(Color::White, m, &mut ()),
            Color::Black => child.play_as::<false>(Color::Black, m, &mut ()),
        }
        child
    }

    /// Passes the turn; the side to move must not be in check.
    #[inline]
    pub fn play_null(&mut self) {
        debug_assert!(!self.in_check());
        self.keys.position ^= zobrist::turn() ^ zobrist::en_passant(self.en_passant);
        self.en_passant = None;
        self.halfmoves = self.halfmoves.saturating_add(1);
        self.fullmoves = self.fullmoves.saturating_add(u16::from(self.turn == Color::Black));
        self.turn = !self.turn;
        self.refresh_checks();
    }

    /// `us` is the side to move, passed as a constant so that the compiler makes a copy for each side.
    #[inline(always)]
    fn play_as<const KEYED: bool>(&mut self, us: Color, m: Move, observer: &mut impl Observer) {
        debug_assert!(self.is_legal(m), "{m:?} in {self}");
        let (from, to) = (m.from(), m.to());
        let Some(piece) = self.squares[from.index()] else { return };
        if KEYED {
            self.keys.position ^= zobrist::turn() ^ zobrist::en_passant(self.en_passant);
        }
        self.en_passant = None;
        self.halfmoves = self.halfmoves.saturating_add(1);

        if m.is_castle() {
            self.castle::<KEYED>(us, from, to, observer);
        } else {
            let arriving = match m.promoted() {
                Some(role) => Piece::new(us, role),
                None => piece,
            };
            if m.is_capture() {
                let victim = if m.is(MoveKind::EnPassant) { to.forward(!us) } else { to };
                if let Some(captured) = self.squares[victim.index()] {
                    self.take::<KEYED>(captured, victim, observer);
                }
                self.halfmoves = 0;
            }
            self.take::<KEYED>(piece, from, observer);
            self.put::<KEYED>(arriving, to, observer);
            if !self.castling.is_empty() {
                self.update_rights::<KEYED>(us, piece, Bitboard::of(from).with(to));
            }
        }

        self.fullmoves = self.fullmoves.saturating_add(u16::from(us == Color::Black));
        self.turn = !us;
        self.refresh_checks();

        if piece.role() == Role::Pawn {
            self.halfmoves = 0;
            if m.is(MoveKind::DoublePush) {
                self.offer_en_passant::<KEYED>(us, to.forward(!us));
            }
        }
    }

    #[inline(always)]
    fn put<const KEYED: bool>(&mut self, piece: Piece, square: Square, observer: &mut impl Observer) {
        self.roles[piece.role().index()] |= square.into();
        self.colors[piece.color().index()] |= square.into();
        self.squares[square.index()] = Some(piece);
        if KEYED {
            self.keys.toggle(piece, square);
        }
        observer.put(piece, square);
    }

    #[inline(always)]
    fn take<const KEYED: bool>(&mut self, piece: Piece, square: Square, observer: &mut impl Observer) {
        self.roles[piece.role().index()] ^= square.into();
        self.colors[piece.color().index()] ^= square.into();
        self.squares[square.index()] = None;
        if KEYED {
            self.keys.toggle(piece, square);
        }
        observer.take(piece, square);
    }

    /// Castling: both pieces leave before either arrives, since in Chess960 their squares may overlap.
    fn castle<const KEYED: bool>(
        &mut self,
        us: Color,
        king: Square,
        rook: Square,
        observer: &mut impl Observer,
    ) {
        let wing = Wing::of(king, rook);
        self.take::<KEYED>(Piece::new(us, Role::King), king, observer);
        self.take::<KEYED>(Piece::new(us, Role::Rook), rook, observer);
        self.put::<KEYED>(Piece::new(us, Role::King), wing.king_destination(us), observer);
        self.put::<KEYED>(Piece::new(us, Role::Rook), wing.rook_destination(us), observer);
        self.update_rights::<KEYED>(us, Piece::new(us, Role::King), Bitboard::EMPTY);
    }

    /// A king that moves loses both rights; a rook that moves or is captured loses its own.
    #[inline(always)]
    fn update_rights<const KEYED: bool>(&mut self, us: Color, moved: Piece, touched: Bitboard) {
        let before = self.castling;
        if moved.role() == Role::King {
            self.castling.remove_all(us);
        }
        self.castling.remove_rooks(touched);
        if KEYED {
            self.keys.position ^= zobrist::castling(before) ^ zobrist::castling(self.castling);
        }
    }

    /// Sets the en passant square if the side now to move can really capture there.
    #[inline(always)]
    fn offer_en_passant<const KEYED: bool>(&mut self, pushed: Color, target: Square) {
        let capturers = attacks::pawn(pushed, target) & self.pieces(!pushed, Role::Pawn);
        if capturers.is_empty() || !self.has_legal_en_passant(target) {
            return;
        }
        self.en_passant = Some(target);
        if KEYED {
            self.keys.position ^= zobrist::en_passant(self.en_passant);
        }
    }
}
