// SPDX-License-Identifier: GPL-3.0-or-later
//! Where a game begins, as answers: square by square, most of them as in the start position.

use rules::{
    Color,
    chess::{Board, Piece, Role, Setup, Square, Wing},
};

use super::{coder::Coder, logistic::Predictor};
use crate::error::Problem;

/// Learns how games begin.
#[derive(Debug)]
pub(super) struct StartModel {
    predictor: Predictor<2>,
    home: Setup,
}

/// Ranges of contexts, one for each kind of question.
#[derive(Copy, Clone)]
enum Field {
    Standard = 0,
    Unchanged = 1 << 10,
    Piece = 2 << 10,
    Turn = 3 << 10,
    Castling = 4 << 10,
    EnPassant = 5 << 10,
    Halfmoves = 6 << 10,
    Fullmoves = 7 << 10,
    Score = 8 << 10,
    Extra = 9 << 10,
    End = 10 << 10,
    Outcome = 11 << 10,
}

impl StartModel {
    pub(super) fn new() -> StartModel {
        StartModel { predictor: Predictor::new([14, 15], 1), home: Setup::from(&Board::start()) }
    }

    /// Codes a start position; a reader gets the one that was written.
    pub(super) fn code(&mut self, coder: &mut impl Coder, board: &Board) -> Result<Board, Problem> {
        let wanted = Setup::from(board);
        if self.ask(coder, Field::Standard, 0, 0, wanted == self.home) {
            return Ok(Board::start());
        }
        let mut setup = Setup::EMPTY;
        let mut changed = 0;
        for square in Square::all() {
            let index = square.index();
            let home = self.home.squares[index];
            let context = index as u32;
            if self.ask(coder, Field::Unchanged, context, changed.min(15), wanted.squares[index] == home) {
                setup.squares[index] = home;
            } else {
                changed += 1;
                let code = wanted.squares[index].map_or(0, |piece| 1 + piece.index() as u32);
                let code = self.number(coder, Field::Piece, u32::from(square.rank()), 4, code);
                let piece = match code {
                    0 => None,
                    code => Some(
                        *Piece::ALL
                            .get(code as usize - 1)
                            .ok_or(Problem::Piece { code: code as u8, square })?,
                    ),
                };
                setup.squares[index] = piece;
            }
        }
        let black = self.ask(coder, Field::Turn, 0, 0, wanted.turn == Color::Black);
        setup.turn = if black { Color::Black } else { Color::White };
        for color in Color::ALL {
            for wing in Wing::ALL {
                self.code_right(coder, &wanted, &mut setup, color, wing);
            }
        }
        if self.ask(coder, Field::EnPassant, 0, 0, wanted.en_passant.is_some()) {
            let file = wanted.en_passant.map_or(0, Square::file);
            let file = self.number(coder, Field::EnPassant, 1, 3, file.into());
            setup.en_passant = Some(Square::at(file as u8, 5).relative(setup.turn));
        }
        setup.halfmoves = self.number(coder, Field::Halfmoves, 0, 8, wanted.halfmoves.into()) as u16;
        setup.fullmoves = self.number(coder, Field::Fullmoves, 0, 16, wanted.fullmoves.into()) as u16;
        Ok(Board::from_setup(&setup)?)
    }

    /// One castling right: whether it is there, and whether it belongs to the outermost rook.
    fn code_right(
        &mut self,
        coder: &mut impl Coder,
        wanted: &Setup,
        setup: &mut Setup,
        color: Color,
        wing: Wing,
    ) {
        let slot = color.index() as u32 * 2 + wing.index() as u32;
        let (king, rook) = (Piece::new(color, Role::King), Piece::new(color, Role::Rook));
        let mut back_rank = (0..8).map(|file| Square::at(file, 0).relative(color));
        let Some(king) = back_rank.clone().find(|square| setup.squares[square.index()] == Some(king)) else {
            return;
        };
        let mut is_rook =
            |square: &Square| setup.squares[square.index()] == Some(rook) && Wing::of(king, *square) == wing;
        let outermost = match wing {
            Wing::King => back_rank.rfind(&mut is_rook),
            Wing::Queen => back_rank.find(&mut is_rook),
        };
        let Some(outermost) = outermost else { return };
        let right = wanted.castling.rook(color, wing);
        if !self.ask(coder, Field::Castling, slot, 0, right.is_some()) {
            return;
        }
        let mut from = outermost;
        if !self.ask(coder, Field::Castling, 4, 0, right == Some(outermost)) {
            let file = right.map_or(0, Square::file).into();
            from = Square::at(self.number(coder, Field::Castling, 5, 3, file) as u8, 0).relative(color);
        }
        setup.castling.set(color, wing, from);
    }

    /// Codes the score of the start and the spare byte.
    pub(super) fn code_extras(&mut self, coder: &mut impl Coder, score: i16, extra: u8) -> (i16, u8) {
        let score = self.number(coder, Field::Score, 0, 16, u32::from(score as u16)) as u16 as i16;
        let extra = self.number(coder, Field::Extra, 0, 8, extra.into()) as u8;
        (score, extra)
    }

    /// Codes whether the game goes on; `state` and `detail` are below 1024.
    pub(super) fn code_end(&mut self, coder: &mut impl Coder, state: u32, detail: u32, ends: bool) -> bool {
        self.ask(coder, Field::End, state, detail, ends)
    }

    /// Codes a result below 4 under the state in which the game ended.
    pub(super) fn code_outcome(&mut self, coder: &mut impl Coder, state: u32, outcome: u8) -> u8 {
        self.number(coder, Field::Outcome, state, 2, outcome.into()) as u8
    }

    /// Codes a number of some bits, high bit first; `context` is below 64.
    fn number(&mut self, coder: &mut impl Coder, field: Field, context: u32, bits: u32, number: u32) -> u32 {
        let mut found = 1;
        for place in (0..bits).rev() {
            // The first eight bits are told apart by those before them.
            let before = if found < 256 { found } else { 0 };
            let bit = self.ask(
                coder,
                field,
                64 + (place << 3) + (before & 7),
                before << 6 | context,
                number >> place & 1 != 0,
            );
            found = found << 1 | u32::from(bit);
        }
        found & !(1 << bits)
    }

    fn ask(&mut self, coder: &mut impl Coder, field: Field, context: u32, detail: u32, answer: bool) -> bool {
        let first = field as u32 + context;
        self.predictor.code(coder, [first, (first << 14) ^ detail], 0, answer)
    }
}
