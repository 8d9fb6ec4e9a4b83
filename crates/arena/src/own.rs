// SPDX-License-Identifier: GPL-3.0-or-later
//! Our own engine as a player, in this process: no pipe, no text, no waiting for a thread to wake up.

use std::time::{Duration, Instant};

use contest::{Clock, TimeControl};
use engine::{Bound, Engine, Limits, Report, uci::SetOptionError};
use protocol::uci::{OptionOffer, Score, SetOption};
use rules::Color;

use crate::{EngineSpec, Fault, Offence, Opinion, Player, Proposal, Question, StartError, Thought};

/// The engine inside this program.
pub struct OwnPlayer {
    engine: Engine,
    /// The longest it may think about a move that no clock limits.
    patience: Duration,
    offers: Vec<OptionOffer>,
}

impl OwnPlayer {
    /// An engine with the options of a description.
    ///
    /// # Errors
    /// When an option does not exist or cannot be set so.
    pub fn start(spec: &EngineSpec, chess960: bool, patience: Duration) -> Result<OwnPlayer, StartError> {
        let offers = engine::uci::offers().collect();
        let mut player = OwnPlayer { engine: Engine::new(), patience, offers };
        let variant = ("UCI_Chess960".to_owned(), chess960.to_string());
        for (name, value) in spec.options.iter().chain([&variant]) {
            player
                .set_option(name, value)
                .map_err(|cause| StartError::Option { name: spec.name.clone(), cause })?;
        }
        Ok(player)
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), SetOptionError> {
        let option = SetOption { name: name.to_owned(), value: Some(value.to_owned()) };
        engine::uci::set_option(&mut self.engine, &option)
    }
}

impl Player for OwnPlayer {
    fn offers(&self) -> &[OptionOffer] {
        &self.offers
    }

    fn set_options(&mut self, options: &[(String, String)]) -> Result<(), Offence> {
        options.iter().try_for_each(|(name, value)| {
            let set = self.set_option(name, value);
            set.map_err(|error| Offence::new(Fault::NotReady, format!("does not take an option: {error}")))
        })
    }

    fn new_game(&mut self) -> Result<(), Offence> {
        self.engine.clear();
        Ok(())
    }

    fn think(&mut self, question: &Question<'_>) -> Thought {
        let mut limits = limits(question.clock, question.color());
        let untimed = question.clock.limit(question.color()).is_none();
        if untimed {
            limits.movetime = Some(self.patience.saturating_add(self.engine.options().move_overhead));
        }
        let mut last: Option<(Bound, Opinion)> = None;
        let asked = Instant::now();
        let choice = self.engine.search(question.game, &limits, question.stop, &mut |report| {
            let exact = last.is_some_and(|(bound, _)| bound == Bound::Exact);
            if report.multipv == 1 && (report.bound == Bound::Exact || !exact) {
                last = Some((report.bound, opinion(report)));
            }
        });
        let answered = Instant::now();
        if untimed && answered.saturating_duration_since(asked) >= self.patience {
            return Thought { asked, answered, answer: Err(Offence::new(Fault::Stall, "stalls")) };
        }
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
