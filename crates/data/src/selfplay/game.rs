// SPDX-License-Identifier: GPL-3.0-or-later
//! One game of the engine against itself.

use contest::adjudicate::{self, Report};
use engine::{Bound, Controls, Engine, Limits};
use formats::games::{GameRecord, MAX_PLIES, NO_SCORE};
use rules::{
    Color, Outcome, Random,
    chess::{Game, Move},
};

use super::Openings;
use crate::{
    Counts,
    score::{Opinion, PROVEN},
};

/// Openings tried before a game is given up; nearly every second one is good.
const MOST_OPENINGS: usize = 1000;

/// Games whose lengths differ by less are counted together.
const LENGTH_STEP: usize = 50;

/// The conditions of all games.
pub(super) struct Conditions<'a> {
    pub(super) openings: &'a Openings,
    pub(super) limits: &'a Limits,
    pub(super) rules: &'a adjudicate::Rules,
    /// A first score beyond this makes the opening no opening.
    pub(super) first_score: i16,
    /// The share of moves that chance chooses.
    pub(super) random_moves: f64,
}

/// A finished game.
pub(super) struct Finished {
    pub(super) record: GameRecord,
    pub(super) counts: Counts,
}

/// Plays a game; nothing if no opening would do.
pub(super) fn play(
    engine: &mut Engine,
    conditions: &Conditions<'_>,
    random: &mut Random,
) -> Option<Finished> {
    let mut counts = Counts::default();
    engine.clear();
    let (mut game, mut thought) = begin(engine, conditions, random, &mut counts)?;
    let mut record = GameRecord::new(*game.board(), Outcome::Draw);
    let mut reports = Vec::new();
    let (outcome, ending) = loop {
        let board = game.board();
        if thought.score.unsigned_abs() >= PROVEN.unsigned_abs() {
            let winner = if thought.score > 0 { Color::White } else { Color::Black };
            break (Outcome::Win(winner), "proven score".to_owned());
        }
        let (mover, move_number) = (board.turn(), u32::from(board.fullmoves()));
        let score = i32::from(if mover == Color::White { thought.score } else { -thought.score });
        reports.push(Report { mover, move_number, score: Some(score) });
        let (played, score) = choose(&game, &thought, conditions.random_moves, random);
        record.moves.push((played, score));
        game.play(played);
        if let Some((outcome, reason)) = game.outcome() {
            break (outcome, reason.to_string());
        }
        if let Some(ruling) = conditions.rules.judge(&reports, None) {
            break (ruling.outcome, ruling.reason.to_string());
        }
        if record.moves.len() >= MAX_PLIES {
            break (Outcome::Draw, "longest game".to_owned());
        }
        thought = think(engine, &game, conditions.limits, &mut counts);
    };
    record.outcome = outcome;
    counts.games = 1;
    let length = record.moves.len() / LENGTH_STEP * LENGTH_STEP;
    counts.tally(&format!("games of {length:03} to {:03} half-moves", length + LENGTH_STEP - 1), 1);
    counts.tally(&format!("ended by {ending}"), 1);
    counts.tally(
        match outcome {
            Outcome::Win(Color::White) => "white wins",
            Outcome::Win(Color::Black) => "black wins",
            Outcome::Draw => "draws",
        },
        1,
    );
    Some(Finished { record, counts })
}

/// The move that is played, and the score that is kept for the position before it: the best one, or now and then a random one.
///
/// A record shows by its move whether a position is quiet. One in which a quiet move was drawn although the best one is not would
/// pass for quiet, so its score is dropped.
fn choose(game: &Game, thought: &Thought, random_moves: f64, random: &mut Random) -> (Move, i16) {
    if random_moves == 0.0 || random.unit() >= random_moves {
        return (thought.best, thought.score);
    }
    let moves = game.board().legal_moves();
    let drawn = moves[random.below(moves.len())];
    let misleads = drawn.is_quiet() && !thought.best.is_quiet();
    (drawn, if misleads { NO_SCORE } else { thought.score })
}

/// Draws openings until one is undecided; what the engine thinks of it is its first thought.
fn begin(
    engine: &mut Engine,
    conditions: &Conditions<'_>,
    random: &mut Random,
    counts: &mut Counts,
) -> Option<(Game, Thought)> {
    for _ in 0..MOST_OPENINGS {
        if let Some(game) = conditions.openings.draw(random) {
            let thought = think(engine, &game, conditions.limits, counts);
            if thought.score.unsigned_abs() <= conditions.first_score.unsigned_abs() {
                return Some((game, thought));
            }
        }
        counts.tally("openings refused", 1);
    }
    None
}

/// A move and the score of the position before it, White's view.
struct Thought {
    best: Move,
    score: i16,
}

fn think(engine: &mut Engine, game: &Game, limits: &Limits, counts: &mut Counts) -> Thought {
    let mut opinion = Opinion::Centipawns(0);
    let choice = engine.search(game, limits, &Controls::new(), &mut |report| {
        if report.bound == Bound::Exact {
            opinion = report.score.into();
        }
    });
    counts.tally("nodes", engine.nodes());
    let best = choice.best.expect("the game is not over");
    Thought { best, score: opinion.for_white(game.board().turn()) }
}
