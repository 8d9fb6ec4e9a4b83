// SPDX-License-Identifier: GPL-3.0-or-later
//! Any UCI engine as a judge: a process that is started again when it dies.

use std::time::Duration;

use arena::{EngineSpec, Patience, Player, Question, StartError};
use contest::{Clock, TimeControl};
use engine::Controls;
use rules::chess::{Game, Move};

use super::judge::{Judge, Judgement, Line};
use crate::{DataError, score::Opinion};

/// How often a process is started again for the same lines.
const TRIES: usize = 3;

/// A process that gives scores.
pub struct UciJudge {
    spec: EngineSpec,
    chess960: bool,
    clock: Clock,
    player: Option<Box<dyn Player>>,
}

impl UciJudge {
    /// A judge whose process is started when it is needed. The limit is one of nodes or depth.
    pub fn new(spec: EngineSpec, chess960: bool, limit: TimeControl) -> UciJudge {
        UciJudge { spec, chess960, clock: Clock::new([limit; 2], Duration::ZERO), player: None }
    }

    /// Starts a process and ends it: whether the description is good is worth knowing early.
    ///
    /// # Errors
    /// When there is no such program, or it lacks an option.
    pub fn try_out(spec: &EngineSpec, chess960: bool) -> Result<(), DataError> {
        match arena::start(spec, chess960, Patience::default()) {
            Ok(_) => Ok(()),
            // It is there and misbehaves: that may be better next time.
            Err(StartError::Offence { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn ask_all(&mut self, lines: &[Line]) -> Result<Vec<Vec<Judgement>>, String> {
        let mut player = match self.player.take() {
            Some(player) => player,
            None => arena::start(&self.spec, self.chess960, Patience::default())
                .map_err(|error| error.to_string())?,
        };
        player.new_game().map_err(|offence| offence.words)?;
        let mut judgements = Vec::with_capacity(lines.len());
        for line in lines {
            let mut of_line = Vec::with_capacity(line.asked());
            line.try_for_each(|game, moves| {
                of_line.push(ask(&mut *player, &self.clock, line, game, moves)?);
                Ok::<(), String>(())
            })?;
            judgements.push(of_line);
        }
        // Only a process that behaved is asked again.
        self.player = Some(player);
        Ok(judgements)
    }
}

/// Asks about one position.
fn ask(
    player: &mut dyn Player,
    clock: &Clock,
    line: &Line,
    game: &Game,
    moves: &[Move],
) -> Result<Judgement, String> {
    if let Some(judgement) = Judgement::of_the_end(game.board()) {
        return Ok(judgement);
    }
    let question = Question { start: &line.start, moves, game, clock, stop: &Controls::new() };
    let proposal = player.think(&question).answer.map_err(|offence| offence.words)?;
    let opinion = proposal.opinion.ok_or("gives no score")?;
    let best = proposal.text.as_deref().and_then(|text| game.board().parse_uci(text).ok());
    Ok(Judgement { opinion: Opinion::from(opinion.score), best })
}

impl Judge for UciJudge {
    fn judge(&mut self, lines: &[Line]) -> Result<Vec<Vec<Judgement>>, String> {
        let mut failure = String::new();
        for _ in 0..TRIES {
            match self.ask_all(lines) {
                Ok(judgements) => return Ok(judgements),
                Err(words) => failure = words,
            }
        }
        Err(format!("engine {} {failure}", self.spec.name))
    }
}
