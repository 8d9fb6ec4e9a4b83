// SPDX-License-Identifier: GPL-3.0-or-later
//! Moves as the UCI protocol writes them: `e2e4`, `e7e8q`, and castling in either of two ways.
//!
//! Castling is the king's step to its destination (`e1g1`) in standard chess, and the king taking its own
//! rook (`e1h1`) in Chess960. Both are read in either game.

use thiserror::Error;

use super::{Board, Move, Role, Square, Wing};

/// A text that names no legal move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the message of each variant says what it and its fields mean")]
pub enum ParseUciError {
    #[error("'{0}' is not a move in UCI form, expected something like e2e4 or e7e8q")]
    Syntax(String),
    #[error("move '{text}' promotes, expected n, b, r or q at its end, in {fen}")]
    NoPromotion { text: String, fen: String },
    #[error("illegal move '{text}' in {fen}")]
    Illegal { text: String, fen: String },
}

impl Board {
    /// The legal move that a text in UCI form means.
    pub fn parse_uci(&self, text: &str) -> Result<Move, ParseUciError> {
        let (from, to, promoted) = split(text).ok_or_else(|| ParseUciError::Syntax(text.to_owned()))?;
        let moves = self.legal_moves();
        let candidates = || moves.iter().copied().filter(|m| m.from() == from);

        if let Some(m) = candidates().find(|m| m.to() == to && m.promoted() == promoted) {
            return Ok(m);
        }
        // No king steps two squares but in castling; shorter ways always mean the plain step.
        let is_castle = |m: &Move| m.is_castle() && king_destination(*m) == to && from.distance(to) > 1;
        if let Some(m) = candidates().find(|m| promoted.is_none() && is_castle(m)) {
            return Ok(m);
        }
        let (text, fen) = (text.to_owned(), self.to_string());
        if promoted.is_none() && candidates().any(|m| m.to() == to) {
            return Err(ParseUciError::NoPromotion { text, fen });
        }
        Err(ParseUciError::Illegal { text, fen })
    }
}

impl Move {
    /// The move in UCI form; [`Move::NONE`] is `0000`.
    ///
    /// Without `chess960`, castling from the standard squares is the king's step (`e1g1`). From any other
    /// squares that form could be mistaken for a plain step, so castling is the king taking its rook, as it
    /// always is with `chess960`.
    pub fn to_uci(self, chess960: bool) -> String {
        if self == Move::NONE {
            return "0000".to_owned();
        }
        let (from, to) = (self.from(), self.to());
        let standard = from.file() == Square::E1.file() && matches!(to.file(), 0 | 7);
        if self.is_castle() && standard && !chess960 {
            return format!("{from}{}", king_destination(self));
        }
        match self.promoted() {
            Some(role) => format!("{from}{to}{}", role.letter().to_ascii_lowercase()),
            None => format!("{from}{to}"),
        }
    }
}

/// Where the king of a castling move arrives.
fn king_destination(castle: Move) -> Square {
    let (king, rook) = (castle.from(), castle.to());
    let file = match Wing::of(king, rook) {
        Wing::King => Square::G1.file(),
        Wing::Queen => Square::C1.file(),
    };
    Square::at(file, king.rank())
}

/// Origin, destination and promotion of a text.
fn split(text: &str) -> Option<(Square, Square, Option<Role>)> {
    let from = text.get(..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let promoted = match text.get(4..)? {
        "" => None,
        "n" | "N" => Some(Role::Knight),
        "b" | "B" => Some(Role::Bishop),
        "r" | "R" => Some(Role::Rook),
        "q" | "Q" => Some(Role::Queen),
        _ => return None,
    };
    Some((from, to, promoted))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        Board::from_fen(fen).expect("a legal position")
    }

    fn error(board: &Board, text: &str) -> String {
        board.parse_uci(text).expect_err("not a legal move").to_string()
    }

    #[test]
    fn both_forms_of_castling_are_read() {
        let board = board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        for (step, takes_rook) in [("e1g1", "e1h1"), ("e1c1", "e1a1")] {
            let m = board.parse_uci(step).expect("legal");
            assert!(m.is_castle());
            assert_eq!(board.parse_uci(takes_rook), Ok(m));
            assert_eq!(m.to_uci(false), step);
            assert_eq!(m.to_uci(true), takes_rook);
        }
    }

    #[test]
    fn a_plain_king_step_is_no_castling() {
        let board = board("4k3/8/8/8/8/8/8/5K1R w K - 0 1");
        let step = board.parse_uci("f1g1").expect("legal");
        let castle = board.parse_uci("f1h1").expect("legal");
        assert!(!step.is_castle());
        assert!(castle.is_castle());
        assert_eq!(castle.to_uci(false), "f1h1");
        assert_eq!(step.to_uci(true), "f1g1");
    }

    #[test]
    fn castling_from_other_squares_takes_the_rook() {
        let board = board("1r2k1r1/8/8/8/8/8/8/1R2K1R1 b KQkq - 0 1");
        let m = board.parse_uci("e8b8").expect("legal");
        assert!(m.is_castle());
        assert_eq!(m.to_uci(false), "e8b8");
        assert_eq!(board.parse_uci("e8c8"), Ok(m));
    }

    #[test]
    fn promotions_carry_a_letter() {
        let board = board("1n5k/P7/8/8/8/8/8/K7 w - - 0 1");
        for text in ["a7a8q", "a7a8r", "a7b8b", "a7b8n"] {
            assert_eq!(board.parse_uci(text).map(|m| m.to_uci(false)), Ok(text.to_owned()));
        }
        assert_eq!(board.parse_uci("a7a8Q"), board.parse_uci("a7a8q"));
        assert_eq!(
            error(&board, "a7a8"),
            "move 'a7a8' promotes, expected n, b, r or q at its end, in 1n5k/P7/8/8/8/8/8/K7 w - - 0 1"
        );
    }

    #[test]
    fn every_legal_move_round_trips() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r1k2r1q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K2R1Q w KQkq - 0 1",
        ] {
            let board = board(fen);
            for &m in &board.legal_moves() {
                assert_eq!(board.parse_uci(&m.to_uci(false)), Ok(m));
                assert_eq!(board.parse_uci(&m.to_uci(true)), Ok(m));
            }
        }
    }

    #[test]
    fn errors_name_the_move_and_the_position() {
        let start = Board::start();
        for text in ["", "e2", "e2e9", "e2e4qq", "e2e4k", "é2e4", "e2e4é", "castle"] {
            assert_eq!(
                error(&start, text),
                format!("'{text}' is not a move in UCI form, expected something like e2e4 or e7e8q")
            );
        }
        for text in ["e2e5", "e7e5", "e1g1", "e2e4q", "a1a1"] {
            assert_eq!(error(&start, text), format!("illegal move '{text}' in {start}"));
        }
        assert_eq!(Move::NONE.to_uci(false), "0000");
    }
}
