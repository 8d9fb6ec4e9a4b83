// SPDX-License-Identifier: GPL-3.0-or-later
//! A place where games are played one after another, by one player of each engine.

use std::{
    collections::BTreeSet,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
        mpsc::Sender,
    },
};

use contest::pairing::Fixture;
use rules::Color;

use crate::{
    Fault, Finished, GameRecord, Match, Offence, Player, StartError, Termination, game::play_game, start,
};

/// What all slots of a match share.
pub(crate) struct Shared<'a> {
    pub(crate) plan: &'a Match<'a>,
    pub(crate) done: &'a BTreeSet<usize>,
    pub(crate) next_pair: AtomicUsize,
    pub(crate) stop: AtomicBool,
}

/// A slot and the players in it: at most two, and only while they are needed.
pub(crate) struct Slot<'a> {
    shared: &'a Shared<'a>,
    seats: Vec<Seat>,
}

struct Seat {
    engine: usize,
    player: Box<dyn Player>,
}

impl<'a> Slot<'a> {
    pub(crate) fn new(shared: &'a Shared<'a>) -> Slot<'a> {
        Slot { shared, seats: Vec::new() }
    }

    /// Plays pairs of games until none is left, the match is stopped or nobody listens.
    pub(crate) fn run(mut self, listener: &Sender<Result<Finished, StartError>>) {
        let games = self.shared.plan.schedule.games();
        loop {
            let first = 2 * self.shared.next_pair.fetch_add(1, Relaxed);
            if first >= games || self.shared.stop.load(Relaxed) {
                return;
            }
            for game in [first, first + 1] {
                if self.shared.done.contains(&game) {
                    continue;
                }
                let Some(finished) = self.play(self.shared.plan.schedule.game(game)).transpose() else {
                    return;
                };
                let failed = finished.is_err();
                if listener.send(finished).is_err() || failed {
                    return;
                }
            }
        }
    }

    /// Plays a game; nothing if the match was stopped.
    fn play(&mut self, fixture: Fixture) -> Result<Option<Finished>, StartError> {
        let plan = self.shared.plan;
        let engines = [fixture.white, fixture.black];
        let opening = plan.opening(fixture.opening);
        self.seats.retain(|seat| engines.contains(&seat.engine));
        for color in Color::ALL {
            if let Some(offence) = self.take_seat(engines[color.index()])? {
                let record = GameRecord::forfeit(opening, color, &offence);
                return Ok(Some(Finished { fixture, record }));
            }
        }
        let controls = engines.map(|engine| plan.control(engine));
        let [first, second] = &mut self.seats[..] else { unreachable!("both have taken their seats") };
        let (white, black) = if first.engine == fixture.white { (first, second) } else { (second, first) };
        let players: [&mut dyn Player; 2] = [&mut *white.player, &mut *black.player];
        let record = play_game(&opening, players, controls, plan.conditions, &self.shared.stop);
        let Some(record) = record else { return Ok(None) };
        if let Termination::Fault(color, fault) = record.ending.termination
            && fault != Fault::FlagFall
        {
            // Whoever is late may go on; of the others nobody knows what state they are in.
            self.seats.retain(|seat| seat.engine != engines[color.index()]);
        }
        Ok(Some(Finished { fixture, record }))
    }

    /// Makes sure that an engine is there; an offence says that it misbehaved while starting.
    fn take_seat(&mut self, engine: usize) -> Result<Option<Offence>, StartError> {
        if self.seats.iter().any(|seat| seat.engine == engine) {
            return Ok(None);
        }
        let conditions = self.shared.plan.conditions;
        match start(&self.shared.plan.engines[engine], conditions.chess960, conditions.patience) {
            Ok(player) => {
                self.seats.push(Seat { engine, player });
                Ok(None)
            }
            Err(StartError::Offence(offence)) => Ok(Some(offence)),
            Err(error) => Err(error),
        }
    }
}
