// SPDX-License-Identifier: GPL-3.0-or-later
//! One game: ask, measure, referee, until somebody has won or nobody can.

use std::time::{Duration, Instant};

use contest::{
    Clock, TimeControl,
    adjudicate::{self, Report, Ruling},
};
use engine::{Controls, Tablebases};
use formats::book::Opening;
use rules::{
    Color,
    chess::{Game, Move, ParseUciError},
};

use crate::{
    Ending, Fault, GameRecord, MoveMade, Offence, Overhead, Patience, Player, Proposal, Question, Termination,
};

/// The conditions that all games of a match are played under.
#[derive(Default)]
pub struct Conditions {
    /// How far a clock may be overdrawn without losing.
    pub margin: Duration,
    /// How long to wait where no clock runs.
    pub patience: Patience,
    /// When games are ended that could go on.
    pub adjudication: adjudicate::Rules,
    /// Endgame tables that know outcomes.
    pub tablebases: Option<Tablebases>,
    /// Whether moves and positions are written the Chess960 way.
    pub chess960: bool,
}

/// Gets both players ready and plays one game; players and time controls are given White's first.
///
/// Nothing is returned if `stop` was given before the game was over.
pub fn play_game(
    opening: &Opening,
    players: [&mut dyn Player; 2],
    controls: [TimeControl; 2],
    conditions: &Conditions,
    stop: &Controls,
) -> Option<GameRecord> {
    let [white, black] = players;
    for (color, player) in Color::ALL.into_iter().zip([&mut *white, &mut *black]) {
        if let Err(offence) = player.new_game() {
            return Some(GameRecord::forfeit(opening.clone(), color, &offence));
        }
    }
    play_ready(opening, [white, black], controls, conditions, stop)
}

/// Plays one game of players who are ready for it.
pub(crate) fn play_ready(
    opening: &Opening,
    [white, black]: [&mut dyn Player; 2],
    controls: [TimeControl; 2],
    conditions: &Conditions,
    stop: &Controls,
) -> Option<GameRecord> {
    let mut table = Table::set_up(opening, controls, conditions, stop);
    let mut ending = table.ending_on_the_board();
    while ending.is_none() {
        if stop.is_stopped() {
            return None;
        }
        ending = table.play_move(match table.game.board().turn() {
            Color::White => &mut *white,
            Color::Black => &mut *black,
        });
    }
    if stop.is_stopped() {
        return None; // who is stopped may answer anything: it is not held against them
    }
    let Table { made, wasted, overhead, .. } = table;
    let (opening, ending, restarted) = (opening.clone(), ending?, [false; 2]);
    Some(GameRecord { opening, moves: made, wasted, ending, restarted, overhead })
}

/// The table at which a game is played.
struct Table<'a> {
    opening: &'a Opening,
    conditions: &'a Conditions,
    stop: &'a Controls,
    game: Game,
    moves: Vec<Move>,
    clock: Clock,
    made: Vec<MoveMade>,
    /// How long the last player thought if no move came of it.
    wasted: Duration,
    reports: Vec<Report>,
    overhead: Overhead,
    /// When the last move came.
    last_answer: Option<Instant>,
}

impl<'a> Table<'a> {
    fn set_up(
        opening: &'a Opening,
        controls: [TimeControl; 2],
        conditions: &'a Conditions,
        stop: &'a Controls,
    ) -> Table<'a> {
        Table {
            opening,
            conditions,
            stop,
            game: opening.game(),
            moves: opening.moves.clone(),
            clock: Clock::new(controls, conditions.margin),
            made: Vec::new(),
            wasted: Duration::ZERO,
            reports: Vec::new(),
            overhead: Overhead::default(),
            last_answer: None,
        }
    }

    /// Asks for a move, judges it and plays it; returns the end of the game if it is there.
    fn play_move(&mut self, player: &mut dyn Player) -> Option<Ending> {
        let mover = self.game.board().turn();
        let question = Question {
            start: &self.opening.start,
            moves: &self.moves,
            game: &self.game,
            clock: &self.clock,
            stop: self.stop,
        };
        let thought = player.think(&question);
        if let Some(last) = self.last_answer.replace(thought.answered) {
            self.overhead.add(thought.asked.saturating_duration_since(last));
        }
        let time = thought.time();
        let judged = thought.answer.and_then(|proposal| self.judge(mover, proposal, time));
        let made = match judged {
            Ok(made) => made,
            Err(offence) => {
                self.wasted = time;
                return Some(Ending::by_offence(mover, &offence));
            }
        };
        self.reports.push(Report {
            mover,
            move_number: self.game.board().fullmoves().into(),
            score: made.opinion.map(|opinion| opinion.centipawns()),
        });
        self.game.play(made.m);
        self.moves.push(made.m);
        self.made.push(made);
        self.ending_on_the_board().or_else(|| self.ending_by_referee())
    }

    /// Whether the move came in time and is a legal one.
    fn judge(&mut self, mover: Color, proposal: Proposal, time: Duration) -> Result<MoveMade, Offence> {
        if let Err(fall) = self.clock.press(mover, time) {
            let words = format!("loses on time, {} ms over", fall.over.as_millis());
            return Err(Offence::new(Fault::FlagFall, words));
        }
        let Some(text) = proposal.text else {
            return Err(Offence::new(Fault::IllegalMove, "gives no move, though there is one"));
        };
        match self.game.board().parse_uci(&text) {
            Ok(m) => Ok(MoveMade { m, opinion: proposal.opinion, time, left: self.clock.left(mover) }),
            Err(ParseUciError::Syntax(_)) => {
                Err(Offence::new(Fault::Garbage, format!("sends garbage for a move: '{text}'")))
            }
            Err(ParseUciError::Illegal { .. } | ParseUciError::NoPromotion { .. }) => {
                Err(Offence::new(Fault::IllegalMove, format!("plays the illegal move '{text}'")))
            }
        }
    }

    fn ending_on_the_board(&self) -> Option<Ending> {
        let (outcome, reason) = self.game.outcome()?;
        Some(Ending { outcome, termination: Termination::Normal, reason: reason.to_string() })
    }

    fn ending_by_referee(&self) -> Option<Ending> {
        let known = self.conditions.tablebases.as_ref().and_then(|tables| tables.outcome(self.game.board()));
        let Ruling { outcome, reason } = self.conditions.adjudication.judge(&self.reports, known)?;
        Some(Ending { outcome, termination: Termination::Adjudication, reason: reason.to_string() })
    }
}
