// SPDX-License-Identifier: GPL-3.0-or-later
//! One game: ask, measure, referee, until somebody has won or nobody can.

use std::time::Duration;

use rules::{
    Color, Outcome,
    chess::{Board, Game, Move},
};

use super::{
    adjudicate::{Adjudicator, DrawRule, ResignRule},
    clock::{Clocks, TimeControl},
    opinion::Opinion,
    player::{Answer, Player},
    tally::Fault,
};

/// The conditions all games of a match are played under.
#[derive(Copy, Clone)]
pub(crate) struct Conditions {
    /// The time control.
    pub(crate) time_control: TimeControl,
    /// How far a clock may be overdrawn without losing.
    pub(crate) margin: Duration,
    /// How long a late engine may take to obey `stop` before it counts as stalled.
    pub(crate) patience: Duration,
    /// Moves by each side after which the game is a draw.
    pub(crate) max_moves: usize,
    /// When a level game is called a draw.
    pub(crate) draw: Option<DrawRule>,
    /// When a decided game is called a win.
    pub(crate) resign: Option<ResignRule>,
    /// Whether moves and positions are written the Chess960 way.
    pub(crate) chess960: bool,
}

/// A finished game.
pub(crate) struct GameRecord {
    /// Where it began.
    pub(crate) opening: Board,
    /// The moves made.
    pub(crate) moves: Vec<MoveMade>,
    /// Who won.
    pub(crate) outcome: Outcome,
    /// Why, in words.
    pub(crate) reason: String,
    /// What the loser did wrong, if the game did not end on the board.
    pub(crate) fault: Option<Fault>,
    /// Whether the match runner ended a game that could have gone on.
    pub(crate) adjudicated: bool,
}

/// A move with what its engine thought and how long that took.
pub(crate) struct MoveMade {
    /// The move.
    pub(crate) m: Move,
    /// The engine's view of the position.
    pub(crate) opinion: Option<Opinion>,
    /// The time the move took.
    pub(crate) elapsed: Duration,
}

/// How a game ended.
struct End {
    outcome: Outcome,
    reason: String,
    fault: Option<Fault>,
    adjudicated: bool,
}

impl End {
    fn by_fault(loser: Color, fault: Fault, what: &str) -> End {
        End {
            outcome: Outcome::Win(!loser),
            reason: format!("{loser} {what}"),
            fault: Some(fault),
            adjudicated: false,
        }
    }

    fn by_adjudication(outcome: Outcome, reason: &str) -> End {
        End { outcome, reason: reason.to_owned(), fault: None, adjudicated: true }
    }
}

/// Plays one game; `players` are White and Black.
pub(crate) fn play_game(opening: &Board, players: [&mut Player; 2], conditions: &Conditions) -> GameRecord {
    let mut moves = Vec::new();
    let end = play_moves(opening, players, conditions, &mut moves);
    let End { outcome, reason, fault, adjudicated } = end;
    GameRecord { opening: *opening, moves, outcome, reason, fault, adjudicated }
}

fn play_moves(
    opening: &Board,
    players: [&mut Player; 2],
    conditions: &Conditions,
    moves: &mut Vec<MoveMade>,
) -> End {
    for color in Color::ALL {
        if players[color.index()].new_game().is_err() {
            return End::by_fault(color, Fault::Crash, "was not ready for the game");
        }
    }

    let mut game = Game::new(*opening);
    let mut clocks = Clocks::new(conditions.time_control);
    let mut adjudicator = Adjudicator::new(conditions.draw, conditions.resign);
    let mut position = position_command(opening, conditions.chess960);
    loop {
        let mover = game.board().turn();
        let limit = clocks.left(mover) + conditions.margin;
        let player = &mut *players[mover.index()];
        let answer = player.think(&position, &clocks.go(), limit, conditions.patience);
        let (text, opinion, elapsed) = match answer {
            Answer::Move { text, opinion, elapsed } => (text, opinion, elapsed),
            Answer::Late => return End::by_fault(mover, Fault::Late, "loses on time"),
            Answer::Stalled => return End::by_fault(mover, Fault::Stall, "stalls"),
            Answer::Crashed => return End::by_fault(mover, Fault::Crash, "crashes"),
        };
        let Ok(m) = game.board().parse_uci(&text) else {
            return End::by_fault(mover, Fault::Illegal, &format!("plays the illegal move '{text}'"));
        };

        clocks.spend(mover, elapsed);
        let move_number = game.board().fullmoves();
        position.push(' ');
        position.push_str(&m.to_uci(conditions.chess960));
        game.play(m);
        moves.push(MoveMade { m, opinion, elapsed });

        if let Some((outcome, reason)) = game.outcome() {
            return End { outcome, reason: reason.to_string(), fault: None, adjudicated: false };
        }
        if let Some(outcome) = adjudicator.observe(mover, move_number, opinion.map(|o| o.score)) {
            return End::by_adjudication(outcome, "both engines agree");
        }
        if moves.len() >= 2 * conditions.max_moves {
            return End::by_adjudication(Outcome::Draw, "the game is too long");
        }
    }
}

fn position_command(opening: &Board, chess960: bool) -> String {
    let fen = if chess960 { opening.to_shredder_fen() } else { opening.to_string() };
    format!("position fen {fen} moves")
}
