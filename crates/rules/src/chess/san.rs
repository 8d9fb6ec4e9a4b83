// SPDX-License-Identifier: GPL-3.0-or-later
//! Standard Algebraic Notation: `Nf3`, `exd5`, `O-O`, `e8=Q#`.
//!
//! Written as the PGN standard demands, with the fewest letters that name the move. Read with patience:
//! marks of check and quality, the `x` and the `=` may be missing or superfluous, zeros may castle, and the
//! long form (`Ng1-f3`) is understood.

use thiserror::Error;

use super::{Bitboard, Board, Move, MoveKind, Role, Square, Wing, attacks};

/// A text that names no single legal move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the message of each variant says what it and its fields mean")]
pub enum ParseSanError {
    #[error("'{0}' is not a move in algebraic notation, expected something like Nf3, exd5, e8=Q or O-O")]
    Syntax(String),
    #[error("move '{text}' promotes, expected =N, =B, =R or =Q at its end, in {fen}")]
    NoPromotion { text: String, fen: String },
    #[error("ambiguous move '{text}', expected one of {choices}, in {fen}")]
    Ambiguous { text: String, choices: String, fen: String },
    #[error("illegal move '{text}' in {fen}")]
    Illegal { text: String, fen: String },
}

/// What a text says about a move; [`Board::resolve_san`] finds the move that it means.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum San {
    /// The king castles to this wing.
    Castle(Wing),
    /// A piece goes to a square.
    Normal {
        /// What moves.
        role: Role,
        /// Where it comes from: the file, 0 = a.
        file: Option<u8>,
        /// Where it comes from: the rank, 0 = first.
        rank: Option<u8>,
        /// Whether the text says that something is captured.
        capture: bool,
        /// Where it goes.
        to: Square,
        /// What the pawn becomes.
        promoted: Option<Role>,
    },
}

impl San {
    /// Reads a text; nothing if it is no move in this notation.
    pub fn parse(text: &str) -> Option<San> {
        let text = text.trim();
        let text = text.strip_suffix("e.p.").unwrap_or(text).trim_end();
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        match text {
            "O-O" | "0-0" | "o-o" => return Some(San::Castle(Wing::King)),
            "O-O-O" | "0-0-0" | "o-o-o" => return Some(San::Castle(Wing::Queen)),
            _ => {}
        }
        let (text, promoted) = split_promotion(text.as_bytes())?;
        let (role, text) = match text {
            [letter @ (b'N' | b'B' | b'R' | b'Q' | b'K' | b'P'), rest @ ..] => {
                (Role::from_letter(*letter as char)?, rest)
            }
            _ => (Role::Pawn, text),
        };
        if promoted.is_some() && role != Role::Pawn {
            return None;
        }
        let (origin, to) = text.split_last_chunk::<2>()?;
        let to = std::str::from_utf8(to).ok()?.parse().ok()?;
        let (origin, capture) = match origin {
            [origin @ .., b'x' | b':'] => (origin, true),
            [origin @ .., b'-'] => (origin, false),
            _ => (origin, false),
        };
        let (file, rank) = match *origin {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
            [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
            _ => return None,
        };
        Some(San::Normal { role, file, rank, capture, to, promoted })
    }

    /// Whether the text can mean `m`, a legal move of `board`; a missing promotion is overlooked.
    fn fits(self, board: &Board, m: Move) -> bool {
        match self {
            San::Castle(wing) => m.is_castle() && Wing::of(m.from(), m.to()) == wing,
            San::Normal { role, file, rank, capture, to, promoted } => {
                // A pawn whose file is not given goes straight ahead.
                let file = file.or(if role == Role::Pawn && !capture { Some(to.file()) } else { None });
                !m.is_castle()
                    && m.to() == to
                    && role_of(board, m) == role
                    && file.is_none_or(|file| m.from().file() == file)
                    && rank.is_none_or(|rank| m.from().rank() == rank)
                    && (m.is_capture() || !capture)
                    && (promoted.is_none() || m.promoted() == promoted)
            }
        }
    }

    /// Whether the text names what the pawn becomes.
    fn promotes(self) -> bool {
        matches!(self, San::Normal { promoted: Some(_), .. })
    }
}

/// Cuts `=Q` or `Q` off the end.
fn split_promotion(text: &[u8]) -> Option<(&[u8], Option<Role>)> {
    let (&last, rest) = text.split_last()?;
    if last.is_ascii_digit() {
        return Some((text, None));
    }
    let role = Role::from_letter(last as char).filter(|role| !matches!(role, Role::Pawn | Role::King))?;
    Some((rest.strip_suffix(b"=").unwrap_or(rest), Some(role)))
}

/// The squares of a file and a rank, as far as they are given.
fn origin_squares(file: Option<u8>, rank: Option<u8>) -> Bitboard {
    file.map_or(Bitboard::FULL, Bitboard::file) & rank.map_or(Bitboard::FULL, Bitboard::rank)
}

/// The role of the piece that makes a legal move.
fn role_of(board: &Board, m: Move) -> Role {
    board.piece_on(m.from()).expect("a legal move starts on a piece").role()
}

impl Board {
    /// The legal move that a text in algebraic notation means.
    pub fn parse_san(&self, text: &str) -> Result<Move, ParseSanError> {
        let san = San::parse(text).ok_or_else(|| ParseSanError::Syntax(text.to_owned()))?;
        self.resolve_san(san).ok_or_else(|| self.san_error(san, text))
    }

    /// The one legal move that fits; nothing if none does, or several do.
    ///
    /// Looks from the destination for pieces that could come, which is much faster than listing all moves.
    pub fn resolve_san(&self, san: San) -> Option<Move> {
        let us = self.turn();
        match san {
            San::Castle(wing) => {
                let rook = self.castling().rook(us, wing)?;
                let m = Move::new(self.king(us), rook, MoveKind::Castle);
                self.is_legal(m).then_some(m)
            }
            San::Normal { role: Role::Pawn, .. } => self.resolve_pawn_move(san),
            San::Normal { role, file, rank, capture, to, promoted } => {
                let takes = self.color(!us).contains(to);
                if promoted.is_some() || capture && !takes {
                    return None;
                }
                let kind = if takes { MoveKind::Capture } else { MoveKind::Quiet };
                let origins = attacks::of(role, us, to, self.occupied()) & self.pieces(us, role);
                self.only_legal(origins & origin_squares(file, rank), |from| Move::new(from, to, kind))
            }
        }
    }

    fn resolve_pawn_move(&self, san: San) -> Option<Move> {
        let San::Normal { file, rank, capture, to, promoted, .. } = san else { return None };
        let us = self.turn();
        if promoted.is_some() != (to.relative_rank(us) == 7) {
            return None;
        }
        let squares = origin_squares(file, rank) & self.pieces(us, Role::Pawn);
        if !capture && file.is_none_or(|file| file == to.file()) {
            let behind = to.forward(!us);
            let double = !self.occupied().contains(behind) && to.relative_rank(us) == 3;
            let from = if double { behind.forward(!us) } else { behind };
            let kind = if double { MoveKind::DoublePush } else { MoveKind::Quiet };
            let to_move = |from| match promoted {
                Some(role) => Move::promotion(from, to, role, false),
                None => Move::new(from, to, kind),
            };
            return self.only_legal(squares & from.into(), to_move);
        }
        let kind = if self.en_passant() == Some(to) { MoveKind::EnPassant } else { MoveKind::Capture };
        self.only_legal(squares & attacks::pawn(!us, to), |from| match promoted {
            Some(role) => Move::promotion(from, to, role, true),
            None => Move::new(from, to, kind),
        })
    }

    /// The move from the only square whose move is legal.
    #[inline]
    fn only_legal(&self, origins: Bitboard, to_move: impl Fn(Square) -> Move) -> Option<Move> {
        let mut legal = origins.into_iter().map(to_move).filter(|&m| self.is_legal(m));
        let only = legal.next()?;
        legal.next().is_none().then_some(only)
    }

    /// Why a text means no single legal move.
    #[cold]
    fn san_error(&self, san: San, text: &str) -> ParseSanError {
        let moves = self.legal_moves();
        let fitting: Vec<Move> = moves.iter().copied().filter(|&m| san.fits(self, m)).collect();
        let unpromoted = |m: Move| m.is_promotion() && !san.promotes();
        let (text, fen) = (text.to_owned(), self.to_string());
        match fitting.first() {
            None => ParseSanError::Illegal { text, fen },
            Some(&m) if unpromoted(m) => ParseSanError::NoPromotion { text, fen },
            Some(_) => {
                let choices: Vec<String> = fitting.iter().map(|&m| self.to_san(m)).collect();
                ParseSanError::Ambiguous { text, choices: choices.join(", "), fen }
            }
        }
    }

    /// A legal move in algebraic notation, with `+` for check and `#` for mate.
    pub fn to_san(&self, m: Move) -> String {
        let mut san = self.san_without_mark(m);
        let after = self.after(m);
        if after.in_check() {
            san.push(if after.count_legal_moves() == 0 { '#' } else { '+' });
        }
        san
    }

    fn san_without_mark(&self, m: Move) -> String {
        if m.is_castle() {
            return match Wing::of(m.from(), m.to()) {
                Wing::King => "O-O".to_owned(),
                Wing::Queen => "O-O-O".to_owned(),
            };
        }
        let origin = m.from().to_string();
        let (file, rank) = origin.split_at(1);
        let mut san = String::new();
        match role_of(self, m) {
            Role::Pawn if m.is_capture() => san.push_str(file),
            Role::Pawn => {}
            role => {
                san.push(role.letter());
                let rivals = self.rivals(m, role);
                let on_file = !rivals.is_disjoint(Bitboard::file(m.from().file()));
                let on_rank = !rivals.is_disjoint(Bitboard::rank(m.from().rank()));
                if !rivals.is_empty() && (!on_file || on_rank) {
                    san.push_str(file);
                }
                if on_file {
                    san.push_str(rank);
                }
            }
        }
        if m.is_capture() {
            san.push('x');
        }
        san.push_str(&m.to().to_string());
        if let Some(role) = m.promoted() {
            san.push('=');
            san.push(role.letter());
        }
        san
    }

    /// Where other pieces of the same role stand that could legally make the same move.
    fn rivals(&self, m: Move, role: Role) -> Bitboard {
        let moves = self.legal_moves();
        let rivals = moves.iter().filter(|other| {
            other.to() == m.to()
                && other.from() != m.from()
                && !other.is_castle()
                && role_of(self, **other) == role
        });
        rivals.map(|other| other.from()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        Board::from_fen(fen).expect("a legal position")
    }

    fn san(fen: &str, uci: &str) -> String {
        let board = board(fen);
        let m = board.parse_uci(uci).expect("a legal move");
        let text = board.to_san(m);
        assert_eq!(board.parse_san(&text), Ok(m), "{text} in {fen}");
        text
    }

    #[test]
    fn moves_are_named_with_the_fewest_letters() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(san(start, "e2e4"), "e4");
        assert_eq!(san(start, "g1f3"), "Nf3");

        let rooks = "4k3/8/8/R7/8/8/8/R3K2R w KQ - 0 1";
        assert_eq!(san(rooks, "a1d1"), "Rd1");
        assert_eq!(san("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1"), "Rad1");
        assert_eq!(san(rooks, "a1a3"), "R1a3");
        assert_eq!(san(rooks, "h1h5"), "Rhh5");
        assert_eq!(san(rooks, "e1g1"), "O-O");
        assert_eq!(san(rooks, "e1c1"), "O-O-O");

        let queens = "2k5/8/8/8/Q6Q/8/8/K6Q w - - 0 1";
        assert_eq!(san(queens, "h4e4"), "Qh4e4");
        assert_eq!(san(queens, "a4e4"), "Qae4");
        assert_eq!(san(queens, "h1e4"), "Q1e4");
    }

    #[test]
    fn a_pinned_rival_needs_no_mention() {
        assert_eq!(san("4r2k/8/8/8/8/4N3/8/N3K3 w - - 0 1", "a1c2"), "Nc2");
    }

    #[test]
    fn captures_promotions_and_marks() {
        assert_eq!(san("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), "exd6");
        assert_eq!(san("1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8q"), "axb8=Q+");
        assert_eq!(san("1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8n"), "a8=N");
        assert_eq!(san("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "d1d8"), "Rd8#");
        assert_eq!(san("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), "O-O+");
    }

    #[test]
    fn reading_is_patient() {
        let board = board("r3k2r/P5n1/8/3pP3/8/5N2/8/R3K2R w KQkq d6 0 1");
        for (text, uci) in [
            ("exd6", "e5d6"),
            ("exd6 e.p.", "e5d6"),
            ("exd6e.p.", "e5d6"),
            ("e5xd6", "e5d6"),
            ("ed6", "e5d6"),
            ("e5:d6!?", "e5d6"),
            ("0-0", "e1g1"),
            ("O-O-O!", "e1c1"),
            ("0-0-0+", "e1c1"),
            ("Nd4??", "f3d4"),
            ("Nf3-d4", "f3d4"),
            (" Nd4# ", "f3d4"),
            ("Pe6", "e5e6"),
            ("e5-e6", "e5e6"),
        ] {
            assert_eq!(board.parse_san(text).ok(), board.parse_uci(uci).ok(), "{text}");
        }
    }

    #[test]
    fn promotions_are_read_in_both_spellings() {
        let board = board("1n5k/P7/8/8/8/8/8/K7 w - - 0 1");
        let queen = board.parse_uci("a7a8q").ok();
        for text in ["a8=Q", "a8Q", "a8=Q+", "a8=q", "a7-a8=Q"] {
            assert_eq!(board.parse_san(text).ok(), queen, "{text}");
        }
        assert_eq!(board.parse_san("axb8=N").ok(), board.parse_uci("a7b8n").ok());
    }

    /// In random games every way to write or to garble a move means what the list of legal moves says.
    #[test]
    fn looking_from_the_destination_finds_what_the_list_of_moves_has() {
        let mut random = crate::Random::new(20);
        let mut resolved = 0;
        for game in 0..300 {
            let mut board = Board::chess960_start(game * 3 % Board::CHESS960_STARTS);
            for _ in 0..120 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mut texts: Vec<San> = [Wing::King, Wing::Queen].map(San::Castle).to_vec();
                for _ in 0..24 {
                    let bits = random.bits();
                    let given = |shift: u32| (bits >> shift & 8 != 0).then_some((bits >> shift & 7) as u8);
                    let m = moves[(bits >> 40) as usize % moves.len()];
                    let of_move = bits >> 20 & 3 != 0;
                    texts.push(San::Normal {
                        role: if of_move { role_of(&board, m) } else { Role::ALL[(bits >> 24) as usize % 6] },
                        file: given(0).map(|file| if bits & 256 != 0 { m.from().file() } else { file }),
                        rank: given(4).map(|rank| if bits & 512 != 0 { m.from().rank() } else { rank }),
                        capture: bits >> 10 & 1 != 0,
                        to: if of_move { m.to() } else { Square::new((bits >> 30) as u8) },
                        promoted: if bits >> 11 & 7 == 0 { Some(Role::Queen) } else { m.promoted() },
                    });
                }
                for san in texts {
                    let fitting: Vec<Move> = moves.iter().copied().filter(|&m| san.fits(&board, m)).collect();
                    let expected = match *fitting {
                        [only] if !only.is_promotion() || san.promotes() => Some(only),
                        _ => None,
                    };
                    assert_eq!(board.resolve_san(san), expected, "{san:?} in {board}");
                    resolved += u32::from(expected.is_some());
                }
                board.play(moves[(random.bits() >> 32) as usize % moves.len()]);
            }
        }
        assert!(resolved > 100_000, "only {resolved} texts meant a move");
    }

    #[test]
    fn errors_tell_nonsense_ambiguity_and_illegality_apart() {
        let error = |fen: &str, text: &str| board(fen).parse_san(text).expect_err("no move").to_string();
        let start = Board::start().to_string();
        for text in ["", "+", "N", "Ni3", "e9", "Nf3=Q", "e4=K", "O-O-O-O", "Nexxf3", "é4", "--", "4"] {
            assert_eq!(
                error(&start, text),
                format!(
                    "'{text}' is not a move in algebraic notation, expected something like Nf3, exd5, e8=Q or O-O"
                )
            );
        }
        for text in ["e5", "Nd2", "O-O", "exd3", "Nxf3", "e4=Q"] {
            assert_eq!(error(&start, text), format!("illegal move '{text}' in {start}"));
        }
        let knights = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
        assert_eq!(
            error(knights, "Nd2"),
            format!("ambiguous move 'Nd2', expected one of Nbd2, Nfd2, in {knights}")
        );
        let pawn = "7k/P7/8/8/8/8/8/K7 w - - 0 1";
        assert_eq!(
            error(pawn, "a8"),
            format!("move 'a8' promotes, expected =N, =B, =R or =Q at its end, in {pawn}")
        );
    }
}
