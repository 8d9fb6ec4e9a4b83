// SPDX-License-Identifier: GPL-3.0-or-later
//! A game against the engine: `action -> events -> state`.
//!
//! [`Play::decide`] says what an action leads to and changes nothing; whoever stores the events applies them with
//! [`Play::apply`]. The same events played again give the same game, whenever that is.

use std::collections::BTreeSet;

use rules::{
    Color, Outcome,
    chess::{Board, Game, Move, Role},
};

use super::{Millis, Refused, check_name, clock::GameClock, fen_of, game_event::GameEvent, openings};
use crate::message::{Action, Colour, EndReason, GameResult, GameState, PlayedMove, Refusal, Score};

/// Longest game; far beyond what the rules allow to go on.
const MOST_PLIES: usize = 12_000;

/// A game as far as it got.
#[derive(Clone)]
pub struct Play {
    start: Board,
    chess960: bool,
    human: Color,
    elo: Option<u32>,
    game: Game,
    moves: Vec<PlayedMove>,
    clock: Option<GameClock>,
    watched: bool,
    result: Option<GameResult>,
    declined: bool,
    evaluation: Option<Score>,
    version: u32,
    /// Grows whenever the position changes.
    moment: u32,
    operations: BTreeSet<String>,
}

impl Play {
    /// Plays stored events again; clocks stand still until somebody watches.
    ///
    /// # Errors
    /// When the events do not make a game.
    pub fn replay<'a>(
        events: impl IntoIterator<Item = (&'a GameEvent, Option<&'a str>)>,
    ) -> Result<Play, Refused> {
        let mut events = events.into_iter();
        let Some((GameEvent::Begun { fen, chess960, human, elo, clock }, _)) = events.next() else {
            return Err(Refused::new(Refusal::Unavailable, "a stored game has no beginning"));
        };
        let start = Board::from_fen(fen)?;
        let mut play = Play {
            start,
            chess960: *chess960,
            human: (*human).into(),
            elo: *elo,
            game: Game::new(start),
            moves: Vec::new(),
            clock: clock.map(GameClock::new),
            watched: false,
            result: None,
            declined: false,
            evaluation: None,
            version: 1,
            moment: 0,
            operations: BTreeSet::new(),
        };
        for (event, operation) in events {
            play.apply(event, operation, 0)?;
        }
        Ok(play)
    }

    /// The number of events so far.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// A number that changes with the position: what was searched for another moment is of no use.
    pub fn moment(&self) -> u32 {
        self.moment
    }

    /// The position with its past.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The position where the game began, and the moves in UCI form.
    pub fn line(&self) -> (&Board, impl Iterator<Item = &PlayedMove>) {
        (&self.start, self.moves.iter())
    }

    /// Whether castling is written as the king taking its rook.
    pub fn chess960(&self) -> bool {
        self.chess960
    }

    /// The strength of the engine.
    pub fn elo(&self) -> Option<u32> {
        self.elo
    }

    /// The human's side.
    pub fn human(&self) -> Color {
        self.human
    }

    /// The clock, if there is one.
    pub fn clock(&self) -> Option<&GameClock> {
        self.clock.as_ref()
    }

    /// How the game ended.
    pub fn result(&self) -> Option<GameResult> {
        self.result
    }

    /// Whether the engine has to move.
    pub fn engine_to_move(&self) -> bool {
        self.result.is_none() && self.game.board().turn() != self.human
    }

    /// What an action of the human leads to; nothing if the operation was carried out before.
    ///
    /// # Errors
    /// When the rules or the state of the game do not allow it.
    pub fn decide(&self, operation: &str, action: &Action, now: Millis) -> Result<Vec<GameEvent>, Refused> {
        check_name(operation, 1)?;
        if self.operations.contains(operation) {
            return Ok(Vec::new());
        }
        if self.result.is_some() {
            return Err(Refused::new(Refusal::GameOver, "the game is over"));
        }
        if let Some(flag) = self.flag_fallen(now) {
            return Ok(vec![flag]);
        }
        match action {
            Action::Move { ply, uci } => self.decide_move(*ply, uci, now),
            Action::TakeBack => self.decide_take_back(),
            Action::Resign => Ok(vec![ended(Some(!self.human), EndReason::Resignation)]),
            Action::OfferDraw if self.engine_is_content() => Ok(vec![ended(None, EndReason::Agreement)]),
            Action::OfferDraw if self.declined => Ok(Vec::new()),
            Action::OfferDraw => Ok(vec![GameEvent::Declined]),
            Action::ClaimDraw => match self.claim() {
                Some(reason) => Ok(vec![ended(None, reason)]),
                None => Err(Refused::new(Refusal::NotPossible, "there is no draw to claim in this position")),
            },
        }
    }

    fn decide_move(&self, ply: u32, uci: &str, now: Millis) -> Result<Vec<GameEvent>, Refused> {
        if ply as usize != self.moves.len() {
            let reason = format!("move {uci} is for half-move {ply}, the game is at {}", self.moves.len());
            return Err(Refused::new(Refusal::OutOfStep, reason));
        }
        let board = self.game.board();
        if board.turn() != self.human {
            return Err(Refused::new(Refusal::NotYourTurn, "the engine is to move"));
        }
        if self.moves.len() >= MOST_PLIES {
            return Err(Refused::new(
                Refusal::TooLarge,
                format!("a game has at most {MOST_PLIES} half-moves"),
            ));
        }
        let m =
            board.parse_uci(uci).map_err(|error| Refused::new(Refusal::IllegalMove, error.to_string()))?;
        Ok(self.moved(m, None, now))
    }

    fn decide_take_back(&self) -> Result<Vec<GameEvent>, Refused> {
        let plies = if self.game.board().turn() == self.human { 2 } else { 1 };
        if self.moves.len() < plies {
            return Err(Refused::new(Refusal::NotPossible, "there is no move of yours to take back"));
        }
        Ok(vec![GameEvent::TakenBack { plies: plies as u32 }])
    }

    /// What the engine's move leads to; nothing if the game has gone another way meanwhile.
    pub fn engine_move(&self, m: Move, evaluation: Option<Score>, now: Millis) -> Vec<GameEvent> {
        if !self.engine_to_move() || !self.game.board().is_legal(m) {
            return Vec::new();
        }
        if let Some(flag) = self.flag_fallen(now) {
            return vec![flag];
        }
        self.moved(m, evaluation, now)
    }

    /// The engine claims a draw that it may claim, if it hopes for no more.
    pub fn engine_claim(&self) -> Option<GameEvent> {
        let reason = self.claim().filter(|_| self.engine_to_move() && self.engine_is_content())?;
        Some(ended(None, reason))
    }

    /// The end of the game if the running clock has run out.
    pub fn flag_fallen(&self, now: Millis) -> Option<GameEvent> {
        let (color, at) = self.clock.as_ref()?.flag_at()?;
        if self.result.is_some() || now < at {
            return None;
        }
        Some(if can_mate(self.game.board(), !color) {
            ended(Some(!color), EndReason::Time)
        } else {
            ended(None, EndReason::TimeWithoutMaterial)
        })
    }

    /// When the running clock will have run out.
    pub fn flag_at(&self) -> Option<Millis> {
        self.clock.as_ref()?.flag_at().filter(|_| self.result.is_none()).map(|(_, at)| at)
    }

    /// Lets the clock run while somebody watches, and stand while nobody does.
    pub fn watch(&mut self, watched: bool, now: Millis) {
        self.watched = watched;
        self.run_clock(now);
    }

    /// Takes an event into the game.
    ///
    /// # Errors
    /// When the event does not follow from the game so far, as in a damaged journal.
    pub fn apply(&mut self, event: &GameEvent, operation: Option<&str>, now: Millis) -> Result<(), Refused> {
        match event {
            GameEvent::Begun { .. } => {
                return Err(Refused::new(Refusal::Unavailable, "a stored game begins twice"));
            }
            GameEvent::Moved { uci, clock_ms, evaluation } => {
                let board = *self.game.board();
                let m = board
                    .parse_uci(uci)
                    .map_err(|error| Refused::new(Refusal::Unavailable, error.to_string()))?;
                if let (Some(clock), Some(left)) = (&mut self.clock, clock_ms) {
                    clock.run(None, now);
                    clock.set(board.turn(), *left);
                }
                self.moves.push(PlayedMove {
                    uci: m.to_uci(self.chess960),
                    san: board.to_san(m),
                    clock_ms: *clock_ms,
                });
                self.game.play(m);
                self.moment += 1;
                self.declined = false;
                self.evaluation = evaluation.or(self.evaluation);
            }
            GameEvent::TakenBack { plies } => {
                self.moves.truncate(self.moves.len().saturating_sub(*plies as usize));
                self.game = Game::new(self.start);
                for played in &self.moves {
                    let m = self.game.board().parse_uci(&played.uci);
                    self.game.play(m.map_err(|error| Refused::new(Refusal::Unavailable, error.to_string()))?);
                }
                self.moment += 1;
                self.declined = false;
            }
            GameEvent::Declined => self.declined = true,
            GameEvent::Ended { result } => self.result = Some(*result),
        }
        self.version += 1;
        self.operations.extend(operation.map(str::to_owned));
        self.run_clock(now);
        Ok(())
    }

    /// What a page shows.
    pub fn state(&self, name: &str, created_ms: i64, now: Millis) -> GameState {
        let board = self.game.board();
        GameState {
            game: name.to_owned(),
            version: self.version,
            start_fen: fen_of(&self.start, self.chess960),
            chess960: self.chess960,
            human: self.human.into(),
            elo: self.elo,
            moves: self.moves.clone(),
            fen: fen_of(board, self.chess960),
            turn: board.turn().into(),
            check: board.in_check(),
            clock: self.clock.as_ref().map(|clock| clock.state(now)),
            result: self.result,
            thinking: self.engine_to_move(),
            claim: self.claim().filter(|_| self.result.is_none()),
            draw_declined: self.declined,
            evaluation: self.evaluation,
            opening: openings::of_line(&self.start, self.moves.iter().map(|played| played.uci.as_str())),
            created_ms: created_ms as f64,
        }
    }

    fn run_clock(&mut self, now: Millis) {
        let going = self.watched && self.result.is_none() && self.moves.len() >= 2;
        let turn = self.game.board().turn();
        if let Some(clock) = &mut self.clock {
            clock.run(going.then_some(turn), now);
        }
    }

    /// A move, and the end of the game if the rules end it there.
    fn moved(&self, m: Move, evaluation: Option<Score>, now: Millis) -> Vec<GameEvent> {
        let turn = self.game.board().turn();
        // Before both sides have moved, the clock neither runs nor gains.
        let left = |clock: &GameClock| match self.moves.len() {
            0 | 1 => clock.left(turn, now),
            _ => clock.after_move(turn, now),
        };
        let clock_ms = self.clock.as_ref().map(left);
        let mut events = vec![GameEvent::Moved { uci: m.to_uci(self.chess960), clock_ms, evaluation }];
        let mut game = self.game.clone();
        game.play(m);
        if let Some((outcome, reason)) = game.outcome().filter(|(_, reason)| !reason.is_claim()) {
            let winner = match outcome {
                Outcome::Win(color) => Some(color),
                Outcome::Draw => None,
            };
            events.push(ended(winner, reason.into()));
        }
        events
    }

    /// The rule by which the side to move may claim a draw.
    fn claim(&self) -> Option<EndReason> {
        self.game.outcome().map(|(_, reason)| reason).filter(|reason| reason.is_claim()).map(EndReason::from)
    }

    /// Whether the engine's last opinion promised it no more than a draw.
    fn engine_is_content(&self) -> bool {
        let sign = if self.human == Color::Black { 1 } else { -1 };
        match self.evaluation {
            Some(Score::Cp { value } | Score::Mate { value }) => sign * value <= 0,
            None => false,
        }
    }
}

fn ended(winner: Option<Color>, reason: EndReason) -> GameEvent {
    GameEvent::Ended { result: GameResult { winner: winner.map(Colour::from), reason } }
}

/// Whether a side has enough pieces to mate: any pawn, rook or queen, or two lesser pieces.
fn can_mate(board: &Board, color: Color) -> bool {
    let count = |role| board.pieces(color, role).len();
    let heavy = [Role::Pawn, Role::Rook, Role::Queen].into_iter().any(|role| count(role) > 0);
    heavy || count(Role::Knight) + count(Role::Bishop) >= 2
}
