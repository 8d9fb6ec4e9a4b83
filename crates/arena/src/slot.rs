// SPDX-License-Identifier: GPL-3.0-or-later
//! A place where games are played one after another, by one player of each engine.

use std::{
    collections::BTreeSet,
    sync::{
        atomic::{AtomicUsize, Ordering::Relaxed},
        mpsc::Sender,
    },
};

use contest::pairing::Fixture;
use engine::Controls;
use rules::Color;

use crate::{
    Fault, Finished, GameRecord, Match, Offence, Player, StartError, Termination, game::play_ready, start,
};

/// What all slots of a match share.
pub(crate) struct Shared<'a> {
    pub(crate) plan: &'a Match<'a>,
    pub(crate) done: &'a BTreeSet<usize>,
    pub(crate) next_pair: AtomicUsize,
    pub(crate) stop: Controls,
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
            if first >= games || self.shared.stop.is_stopped() {
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
        let mut restarted = [false; 2];
        for color in Color::ALL {
            if let Some(offence) = self.get_ready(engines[color.index()], &mut restarted[color.index()])? {
                let record = GameRecord { restarted, ..GameRecord::forfeit(opening, color, &offence) };
                return Ok(Some(Finished { fixture, record }));
            }
        }
        let controls = engines.map(|engine| plan.control(engine));
        let [first, second] = &mut self.seats[..] else { unreachable!("both have taken their seats") };
        let (white, black) = if first.engine == fixture.white { (first, second) } else { (second, first) };
        let players: [&mut dyn Player; 2] = [&mut *white.player, &mut *black.player];
        let record = play_ready(&opening, players, controls, plan.conditions, &self.shared.stop);
        let Some(record) = record else { return Ok(None) };
        if let Termination::Fault(color, fault) = record.ending.termination
            && fault != Fault::FlagFall
        {
            // Whoever is late may go on; of the others nobody knows what state they are in.
            self.leave_seat(engines[color.index()]);
        }
        Ok(Some(Finished { fixture, record: GameRecord { restarted, ..record } }))
    }

    /// Makes sure that an engine is there and ready for a game; an offence says that it is not.
    ///
    /// Who died after its last game is started again and plays: no game was going on that it could lose.
    fn get_ready(&mut self, engine: usize, restarted: &mut bool) -> Result<Option<Offence>, StartError> {
        if let Some(seat) = self.seats.iter_mut().find(|seat| seat.engine == engine) {
            let Err(offence) = seat.player.new_game() else { return Ok(None) };
            self.leave_seat(engine);
            if offence.fault != Fault::Crash {
                return Ok(Some(offence));
            }
            *restarted = true;
        }
        let conditions = self.shared.plan.conditions;
        let started = start(&self.shared.plan.engines[engine], conditions.chess960, conditions.patience);
        let mut player = match started {
            Ok(player) => player,
            Err(StartError::Offence { offence, .. }) => return Ok(Some(offence)),
            Err(error) => return Err(error),
        };
        if let Err(offence) = player.new_game() {
            return Ok(Some(offence));
        }
        self.seats.push(Seat { engine, player });
        Ok(None)
    }

    fn leave_seat(&mut self, engine: usize) {
        self.seats.retain(|seat| seat.engine != engine);
    }
}
