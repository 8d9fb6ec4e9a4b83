// SPDX-License-Identifier: GPL-3.0-or-later
//! Forsyth-Edwards Notation in and out: `text -> Setup -> Board -> text`.
//!
//! Four to six fields are read; missing counters are 0 and 1. The castling field may be standard, X-FEN
//! (`K` means the outermost rook, a file letter any other) or Shredder-FEN (file letters only). Texts are
//! written as X-FEN, which for the usual squares is the standard form, or on request as Shredder-FEN.

use std::{
    fmt::{self, Write},
    str::FromStr,
};

use thiserror::Error;

use super::{
    Bitboard, Board, CastlingRights, IllegalPosition, Piece, Role, Setup, Square, Wing, setup::right_letter,
};
use crate::Color;

/// A text that is no FEN; each message names the field and the offending text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the message of each variant says what it and its fields mean")]
pub enum ParseFenError {
    #[error("FEN '{text}' has {count} fields, expected 4 to 6")]
    FieldCount { text: String, count: usize },
    #[error("piece placement '{placement}' has {count} ranks, expected 8")]
    RankCount { placement: String, count: usize },
    #[error("piece placement: rank {rank} '{text}' has {count} squares, expected 8")]
    RankLength { rank: u8, text: String, count: usize },
    #[error("piece placement: rank {rank} '{text}' has '{found}', expected one of pnbrqkPNBRQK or 1-8")]
    PlacementLetter { rank: u8, text: String, found: char },
    #[error("side to move '{0}', expected 'w' or 'b'")]
    Turn(String),
    #[error("castling rights '{text}' have '{found}', expected '-' or some of KQkq, A-H and a-h")]
    CastlingLetter { text: String, found: char },
    #[error("castling rights '{text}': '{found}' gives a right a second time")]
    CastlingTwice { text: String, found: char },
    #[error("en passant square '{0}', expected '-' or a file a-h and a rank 1-8")]
    EnPassant(String),
    #[error("halfmove clock '{0}', expected a number from 0 to 65535")]
    Halfmoves(String),
    #[error("move number '{0}', expected a number from 0 to 65535")]
    Fullmoves(String),
}

/// A FEN that gives no legal position: either no FEN at all, or one of an illegal diagram.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// The text is no FEN.
    #[error(transparent)]
    Parse(#[from] ParseFenError),
    /// The diagram is no legal position.
    #[error(transparent)]
    Illegal(#[from] IllegalPosition),
}

impl Setup {
    /// Reads a FEN. Any diagram will do; castling rights are only given a rook square each: the outermost
    /// rook, or without one the corner.
    pub fn from_fen(text: &str) -> Result<Setup, ParseFenError> {
        let mut fields = text.split_ascii_whitespace();
        let (Some(placement), Some(turn), Some(castling), Some(en_passant)) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            return Err(field_count(text));
        };
        let (halfmoves, fullmoves) = (fields.next(), fields.next());
        if fields.next().is_some() {
            return Err(field_count(text));
        }

        let mut setup = Setup { squares: parse_placement(placement)?, ..Setup::EMPTY };
        setup.turn = match turn {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(ParseFenError::Turn(turn.to_owned())),
        };
        setup.castling = parse_castling(&setup, castling)?;
        if en_passant != "-" {
            let square = en_passant.parse().map_err(|_| ParseFenError::EnPassant(en_passant.to_owned()))?;
            setup.en_passant = Some(square);
        }
        if let Some(number) = halfmoves {
            setup.halfmoves = number.parse().map_err(|_| ParseFenError::Halfmoves(number.to_owned()))?;
        }
        if let Some(number) = fullmoves {
            setup.fullmoves = number.parse().map_err(|_| ParseFenError::Fullmoves(number.to_owned()))?;
        }
        Ok(setup)
    }

    /// The rook that X-FEN means by a right without a file: the outermost one on that side of the king;
    /// where king or rook is missing, the corner.
    fn default_rook(&self, color: Color, wing: Wing) -> Square {
        let corner = match wing {
            Wing::King => Square::H1,
            Wing::Queen => Square::A1,
        };
        let corner = corner.relative(color);
        let Some(king) = self.back_rank(color, Role::King).first() else { return corner };
        let rooks = self.back_rank(color, Role::Rook);
        let outermost = match wing {
            Wing::King => rooks.last(),
            Wing::Queen => rooks.first(),
        };
        outermost.filter(|&rook| Wing::of(king, rook) == wing).unwrap_or(corner)
    }

    /// The wing of a castling rook on this file; without a king the half of the board decides.
    fn wing_of_file(&self, color: Color, rook: Square) -> Wing {
        let middle = Square::D1.relative(color);
        Wing::of(self.back_rank(color, Role::King).first().unwrap_or(middle), rook)
    }

    fn back_rank(&self, color: Color, role: Role) -> Bitboard {
        self.squares_of(Piece::new(color, role)) & Bitboard::relative_rank(color, 0)
    }

    fn write_fen(&self, out: &mut impl Write, style: CastlingStyle) -> fmt::Result {
        for rank in (0..8).rev() {
            self.write_rank(out, rank)?;
            out.write_char(if rank > 0 { '/' } else { ' ' })?;
        }
        out.write_str(match self.turn {
            Color::White => "w ",
            Color::Black => "b ",
        })?;
        self.write_castling(out, style)?;
        match self.en_passant {
            Some(square) => write!(out, " {square}")?,
            None => out.write_str(" -")?,
        }
        write!(out, " {} {}", self.halfmoves, self.fullmoves)
    }

    fn write_rank(&self, out: &mut impl Write, rank: u8) -> fmt::Result {
        let mut empty = 0;
        for file in 0..8 {
            let Some(piece) = self.squares[Square::at(file, rank).index()] else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                write!(out, "{empty}")?;
                empty = 0;
            }
            out.write_char(piece.letter())?;
        }
        if empty > 0 { write!(out, "{empty}") } else { Ok(()) }
    }

    fn write_castling(&self, out: &mut impl Write, style: CastlingStyle) -> fmt::Result {
        if self.castling.is_empty() {
            return out.write_char('-');
        }
        for color in Color::ALL {
            for wing in Wing::ALL {
                let Some(rook) = self.castling.rook(color, wing) else { continue };
                let plain = style == CastlingStyle::XFen && rook == self.default_rook(color, wing);
                out.write_char(if plain { right_letter(color, wing) } else { file_letter(color, rook) })?;
            }
        }
        Ok(())
    }
}

/// How castling rights are written.
#[derive(Copy, Clone, PartialEq, Eq)]
enum CastlingStyle {
    /// KQkq for the outermost rook, the file letter for any other.
    XFen,
    /// Always the file letter.
    Shredder,
}

fn file_letter(color: Color, rook: Square) -> char {
    match color {
        Color::White => (b'A' + rook.file()) as char,
        Color::Black => (b'a' + rook.file()) as char,
    }
}

fn field_count(text: &str) -> ParseFenError {
    ParseFenError::FieldCount { text: text.to_owned(), count: text.split_ascii_whitespace().count() }
}

fn parse_placement(placement: &str) -> Result<[Option<Piece>; Square::COUNT], ParseFenError> {
    let count = placement.split('/').count();
    if count != 8 {
        return Err(ParseFenError::RankCount { placement: placement.to_owned(), count });
    }
    let mut squares = [None; Square::COUNT];
    for (rank, text) in (0..8).rev().zip(placement.split('/')) {
        let mut file = 0;
        for letter in text.chars() {
            if let '1'..='8' = letter {
                file += letter as usize - '0' as usize;
                continue;
            }
            let piece = Piece::from_letter(letter).ok_or_else(|| ParseFenError::PlacementLetter {
                rank: rank + 1,
                text: text.to_owned(),
                found: letter,
            })?;
            // A rank that is too long is told below, with its whole length.
            if file < 8 {
                squares[Square::at(file as u8, rank).index()] = Some(piece);
            }
            file += 1;
        }
        if file != 8 {
            return Err(ParseFenError::RankLength { rank: rank + 1, text: text.to_owned(), count: file });
        }
    }
    Ok(squares)
}

/// Reads the castling field for the pieces of `setup`.
fn parse_castling(setup: &Setup, text: &str) -> Result<CastlingRights, ParseFenError> {
    let mut rights = CastlingRights::NONE;
    if text == "-" {
        return Ok(rights);
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let (wing, rook) = match letter.to_ascii_lowercase() {
            'k' => (Wing::King, setup.default_rook(color, Wing::King)),
            'q' => (Wing::Queen, setup.default_rook(color, Wing::Queen)),
            file @ 'a'..='h' => {
                let rook = Square::at(file as u8 - b'a', 0).relative(color);
                (setup.wing_of_file(color, rook), rook)
            }
            _ => return Err(ParseFenError::CastlingLetter { text: text.to_owned(), found: letter }),
        };
        if rights.rook(color, wing).is_some() {
            return Err(ParseFenError::CastlingTwice { text: text.to_owned(), found: letter });
        }
        rights.set(color, wing, rook);
    }
    Ok(rights)
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_fen(f, CastlingStyle::XFen)
    }
}

impl FromStr for Setup {
    type Err = ParseFenError;

    fn from_str(text: &str) -> Result<Setup, ParseFenError> {
        Setup::from_fen(text)
    }
}

impl Board {
    /// The position of a FEN, or what is wrong with the text or the position.
    pub fn from_fen(text: &str) -> Result<Board, FenError> {
        Ok(Board::from_setup(&Setup::from_fen(text)?)?)
    }

    /// The FEN with castling rights written as the files of the rooks.
    pub fn to_shredder_fen(&self) -> String {
        let mut text = String::new();
        Setup::from(self).write_fen(&mut text, CastlingStyle::Shredder).expect("a String takes any text");
        text
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Setup::from(self), f)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Board {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Board, FenError> {
        Board::from_fen(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn the_start_position_round_trips() {
        assert_eq!(Board::start().to_string(), START);
        assert!(Board::from_fen(START).is_ok_and(|board| board == Board::start()));
        assert_eq!(
            Board::start().to_shredder_fen(),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"
        );
    }

    #[test]
    fn counters_may_be_missing_and_spaces_repeated() {
        let bare = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w   KQkq -";
        assert_eq!(Setup::from_fen(bare), Setup::from_fen(START));
        let five = Setup::from_fen("4k3/8/8/8/8/8/8/4K3 b - - 17").expect("five fields");
        assert_eq!(five.to_string(), "4k3/8/8/8/8/8/8/4K3 b - - 17 1");
    }

    #[test]
    fn a_setup_keeps_an_en_passant_square_that_a_board_drops() {
        let text = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1";
        assert_eq!(Setup::from_fen(text).expect("a FEN").to_string(), text);
        assert_eq!(Board::from_fen(text).expect("legal").to_string(), "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
        let legal = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
        assert_eq!(Board::from_fen(legal).expect("legal").to_string(), legal);
    }

    #[test]
    fn castling_letters_find_their_rooks() {
        // White: rooks on b1, f1 and h1 around the king on e1; Black: king on c8.
        let pieces = "r1k2r1r/8/8/8/8/8/8/1R2KR1R";
        let rooks = |rights: &str| {
            let castling = Setup::from_fen(&format!("{pieces} w {rights} -")).expect("a FEN").castling;
            [Color::White, Color::Black]
                .map(|color| Wing::ALL.map(|wing| castling.rook(color, wing).map(|rook| rook.to_string())))
        };
        let some = |square: &str| Some(square.to_owned());
        assert_eq!(rooks("KQkq"), [[some("h1"), some("b1")], [some("h8"), some("a8")]]);
        assert_eq!(rooks("FBfa"), [[some("f1"), some("b1")], [some("f8"), some("a8")]]);
        assert_eq!(rooks("Hq"), [[some("h1"), None], [None, some("a8")]]);
        assert_eq!(rooks("-"), [[None, None], [None, None]]);
    }

    #[test]
    fn inner_rooks_print_their_file_and_outer_ones_the_wing() {
        for (read, x_fen, shredder) in
            [("KQkq", "KQkq", "HBha"), ("FBfa", "FQfq", "FBfa"), ("HBha", "KQkq", "HBha"), ("Fk", "Fk", "Fh")]
        {
            let fen = |rights: &str| format!("r1k2r1r/8/8/8/8/8/8/1R2KR1R w {rights} - 3 40");
            let board = Board::from_fen(&fen(read)).expect("legal");
            assert_eq!(board.to_string(), fen(x_fen));
            assert_eq!(board.to_shredder_fen(), fen(shredder));
        }
    }

    #[test]
    fn unfounded_rights_survive_in_the_diagram() {
        for text in [
            "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
            "8/8/8/8/8/8/8/8 w KQ - 0 1",
            "8/8/8/8/8/8/8/8 w FCgb - 0 1",
            "7k/8/8/8/4K3/8/8/R6R w Qk - 0 1",
        ] {
            let setup = Setup::from_fen(text).expect("a FEN");
            assert_eq!(setup.to_string(), text);
            assert!(Board::from_setup(&setup).is_err());
        }
    }

    #[test]
    fn errors_name_the_field_and_the_text() {
        for (text, expected) in [
            ("", "FEN '' has 0 fields, expected 4 to 6"),
            ("8 w - - 0 1 7", "FEN '8 w - - 0 1 7' has 7 fields, expected 4 to 6"),
            ("8/8/8/8 w - -", "piece placement '8/8/8/8' has 4 ranks, expected 8"),
            ("8/8/8/8/8/p6/8/8 w - -", "piece placement: rank 3 'p6' has 7 squares, expected 8"),
            ("8/8/8/8/8/8/8/p8 w - -", "piece placement: rank 1 'p8' has 9 squares, expected 8"),
            (
                "7x/8/8/8/8/8/8/8 w - -",
                "piece placement: rank 8 '7x' has 'x', expected one of pnbrqkPNBRQK or 1-8",
            ),
            ("8/8/8/8/8/8/8/8 W - -", "side to move 'W', expected 'w' or 'b'"),
            (
                "8/8/8/8/8/8/8/8 w KX -",
                "castling rights 'KX' have 'X', expected '-' or some of KQkq, A-H and a-h",
            ),
            ("8/8/8/8/8/8/8/8 w KK -", "castling rights 'KK': 'K' gives a right a second time"),
            ("8/8/8/8/8/8/8/8 w - e9", "en passant square 'e9', expected '-' or a file a-h and a rank 1-8"),
            ("8/8/8/8/8/8/8/8 w - - -1", "halfmove clock '-1', expected a number from 0 to 65535"),
            ("8/8/8/8/8/8/8/8 w - - 0 x", "move number 'x', expected a number from 0 to 65535"),
        ] {
            let error = Setup::from_fen(text).expect_err("not a FEN");
            assert_eq!(error.to_string(), expected);
        }
    }
}
