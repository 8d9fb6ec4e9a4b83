// SPDX-License-Identifier: GPL-3.0-or-later
//! A whole game as answers, the same way for reader and writer.

use rules::{
    Color, Outcome,
    chess::{Board, Move},
};

use super::{
    coder::Coder,
    contexts::Past,
    moves::MoveModel,
    scores::{ScoreModel, steps},
    start::StartModel,
};
use crate::{
    error::Problem,
    games::{GameRecord, MAX_PLIES},
    moves::illegal,
    packed::{outcome_code, outcome_of},
};

/// Everything that is learnt about the games of a block.
#[derive(Debug)]
pub(super) struct Model {
    start: StartModel,
    moves: MoveModel,
    scores: ScoreModel,
}

impl Model {
    pub(super) fn new() -> Model {
        Model { start: StartModel::new(), moves: MoveModel::new(), scores: ScoreModel::new() }
    }

    /// Codes a game. A writer passes it and gets it back; a reader passes nothing and gets what was written.
    /// With more than `most` half-moves the game is refused.
    pub(super) fn code(
        &mut self,
        coder: &mut impl Coder,
        wanted: Option<&GameRecord>,
        most: usize,
    ) -> Result<GameRecord, Problem> {
        let start = wanted.map_or_else(Board::start, |game| game.start);
        let mut game = GameRecord::new(self.start.code(coder, &start)?, Outcome::Draw);
        let (score, extra) = wanted.map_or((0, 0), |game| (game.start_score, game.extra));
        (game.start_score, game.extra) = self.start.code_extras(coder, score, extra);
        self.code_moves(coder, wanted.map(|game| game.moves.as_slice()), &mut game, most.min(MAX_PLIES))?;
        let code = wanted.map_or(0, |game| outcome_code(game.outcome));
        game.outcome = outcome_of(self.start.code_outcome(coder, steps(self.scores.last()), code))?;
        Ok(game)
    }

    /// Codes the moves of a game up to its end.
    fn code_moves(
        &mut self,
        coder: &mut impl Coder,
        wanted: Option<&[(Move, i16)]>,
        game: &mut GameRecord,
        most: usize,
    ) -> Result<(), Problem> {
        let mut board = game.start;
        let mut past: [Option<Past>; 2] = [None; 2];
        let mut streaks = Streaks::default();
        self.scores.begin();
        while board.has_legal_move() {
            let next = wanted.and_then(|moves| moves.get(streaks.plies));
            let ends = wanted.is_some() && next.is_none();
            if self.start.code_end(coder, streaks.state(), steps(self.scores.last()), ends) {
                return Ok(());
            }
            if game.moves.len() >= most {
                let (found, limit) = (game.moves.len() as u64 + 1, most as u64);
                return Err(Problem::TooLong { what: "a game", found, unit: "half-moves or more", limit });
            }
            let &(m, score) = next.unwrap_or(&(Move::NONE, 0));
            let black = board.turn() == Color::Black;
            let score = self.scores.code(coder, black, score);
            let change = self.scores.last_change();
            let jump = steps(if black { -change } else { change }) / 8;
            let m = self.moves.code(coder, &board, past, jump, m).ok_or_else(|| illegal(&board, m))?;
            game.moves.push((m, score));
            past = [Some(Past::of(&board, m)), past[0]];
            board.play(m);
            streaks.take(self.scores.last());
        }
        // Mate or stalemate ends a game by itself, also that of a writer who wants to go on.
        match wanted.and_then(|moves| moves.get(streaks.plies)) {
            Some(&(m, _)) => Err(illegal(&board, m)),
            None => Ok(()),
        }
    }
}

/// For how long scores have been clear: what tells where adjudicated games end.
#[derive(Debug, Default)]
struct Streaks {
    plies: usize,
    won: u32,
    drawn: u32,
}

impl Streaks {
    fn take(&mut self, score: i32) {
        self.plies += 1;
        self.won = if score.abs() >= 1000 { (self.won + 1).min(15) } else { 0 };
        self.drawn = if score.abs() <= 10 { (self.drawn + 1).min(15) } else { 0 };
    }

    /// Below 1024.
    fn state(&self) -> u32 {
        (self.won << 4 | self.drawn) << 2 | (self.plies as u32 / 40).min(3)
    }
}
