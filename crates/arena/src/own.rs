// SPDX-License-Identifier: GPL-3.0-or-later
//! Our own engine as a player, in this process: no pipe, no text, no waiting for a thread to wake up.

use std::time::Instant;

use contest::{Clock, TimeControl};
use engine::{Bound, Controls, Engine, Limits, Report};
use protocol::uci::{Score, SetOption};
use rules::Color;

use crate::{EngineSpec, Offence, Opinion, Player, Proposal, Question, StartError, Thought};

/// The engine inside this program.
pub struct OwnPlayer {
    engine: Engine,
}

impl OwnPlayer {
    /// An engine with the options of a description.
    ///
    /// # Errors
    /// When an option does not exist or cannot be set so.
    pub fn start(spec: &EngineSpec, chess960: bool) -> Result<OwnPlayer, StartError> {
        let mut engine = Engine::new();
        let variant = ("UCI_Chess960".to_owned(), chess960.to_string());
        for (name, value) in spec.options.iter().chain([&variant]) {
            let option = SetOption { name: name.clone(), value: Some(value.clone()) };
            engine::uci::set_option(&mut engine, &option)
                .map_err(|cause| StartError::Option { name: spec.name.clone(), cause })?;
        }
        Ok(OwnPlayer { engine })
    }
}

impl Player for OwnPlayer {
    fn new_game(&mut self) -> Result<(), Offence> {
        self.engine.clear();
        Ok(())
    }

    fn think(&mut self, question: &Question<'_>) -> Thought {
        let limits = limits(question.clock, question.color());
        let mut last: Option<(Bound, Opinion)> = None;
        let asked = Instant::now();
        let choice = self.engine.search(question.game, &limits, &Controls::new(), &mut |report| {
            let exact = last.is_some_and(|(bound, _)| bound == Bound::Exact);
            if report.multipv == 1 && (report.bound == Bound::Exact || !exact) {
                last = Some((report.bound, opinion(report)));
            }
        });
        let answered = Instant::now();
        let text = choice.best.map(|m| m.to_uci(true));
        Thought { asked, answered, answer: Ok(Proposal { text, opinion: last.map(|(_, opinion)| opinion) }) }
    }
}

fn opinion(report: &Report) -> Opinion {
    let score = match report.score {
        engine::Score::Cp(value) => Score::Cp(value),
        engine::Score::Mate(moves) => Score::Mate(moves),
    };
    Opinion { score, depth: report.depth }
}

fn limits(clock: &Clock, color: Color) -> Limits {
    match clock.control(color) {
        TimeControl::Clock { increment, .. } => Limits {
            clock: Some(engine::Clock {
                remaining: clock.left(color).unwrap_or_default(),
                increment,
                moves_to_go: clock.moves_to_go(color),
            }),
            ..Limits::default()
        },
        TimeControl::MoveTime(time) => Limits { movetime: Some(time), ..Limits::default() },
        TimeControl::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
        TimeControl::Depth(depth) => Limits { depth: Some(depth), ..Limits::default() },
    }
}
