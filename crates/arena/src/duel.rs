// SPDX-License-Identifier: GPL-3.0-or-later
//! Games of one engine against itself with other options: `duels -> slots side by side -> results`.
//!
//! What is played next may depend on what came before, so the duels are asked for one by one. Each slot keeps
//! its two players and only changes their options.

use std::{
    sync::{
        Mutex,
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

use contest::{TimeControl, Trinomial, half_points};
use engine::Controls;
use formats::book::Opening;
use rules::{Color, Outcome};

use crate::{
    Conditions, EngineSpec, Fault, Offence, Player, StartError, Termination, game::play_game, start,
};

/// Options of an engine, name and value.
type OptionValues = Vec<(String, String)>;

/// Two sets of options that play each other.
#[derive(Clone, Debug)]
pub struct Duel {
    /// Its number, by which the result is known.
    pub number: u64,
    /// What the first and the second player are set to.
    pub options: [OptionValues; 2],
    /// Each is played twice, first with White for the first player.
    pub openings: Vec<Opening>,
}

/// What came of a duel.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct DuelResult {
    /// Its number.
    pub number: u64,
    /// The games as the first player sees them.
    pub games: Trinomial,
    /// Games that were lost by misbehaving.
    pub faults: u32,
}

/// Who plays duels, and how.
pub struct Duels<'a> {
    /// The engine.
    pub engine: &'a EngineSpec,
    /// The time control of both players.
    pub time_control: TimeControl,
    /// The conditions of all games.
    pub conditions: &'a Conditions,
    /// Duels played at the same time.
    pub concurrency: usize,
}

impl Duels<'_> {
    /// Plays what `next` asks for until it wants no more.
    ///
    /// It is called without a result while a slot is free, and with each result as it comes. Duels that are still
    /// going on when it fails are lost.
    ///
    /// # Errors
    /// When the engine cannot be started, or with the error of `next`.
    pub fn run<E: From<StartError>>(
        &self,
        mut next: impl FnMut(Option<DuelResult>) -> Result<Option<Duel>, E>,
    ) -> Result<(), E> {
        let (tasks, queue) = mpsc::channel();
        let (sender, results) = mpsc::channel();
        let (queue, stop) = (Mutex::new(queue), Controls::new());
        thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let (queue, sender, stop) = (&queue, sender.clone(), &stop);
                scope.spawn(move || Slot { duels: self, players: [None, None], stop }.run(queue, &sender));
            }
            drop(sender); // the channel ends with the last slot
            let mut play = || -> Result<(), E> {
                let mut under_way = 0;
                let mut result = None;
                loop {
                    if let Some(duel) = next(result.take())? {
                        under_way += usize::from(tasks.send(duel).is_ok());
                        if under_way < self.concurrency {
                            continue;
                        }
                    }
                    if under_way == 0 {
                        return Ok(());
                    }
                    let Ok(finished) = results.recv() else { return Ok(()) };
                    result = Some(finished?);
                    under_way -= 1;
                }
            };
            let outcome = play();
            stop.stop();
            drop(tasks); // so that nobody waits for more
            outcome
        })
    }
}

/// A place where duels are played one after another.
struct Slot<'a> {
    duels: &'a Duels<'a>,
    players: [Option<Box<dyn Player>>; 2],
    stop: &'a Controls,
}

impl Slot<'_> {
    /// Plays duels until there are no more, they are stopped or nobody listens.
    fn run(mut self, queue: &Mutex<Receiver<Duel>>, listener: &Sender<Result<DuelResult, StartError>>) {
        loop {
            let duel = queue.lock().expect("nobody panics while waiting").recv();
            let Some(result) = duel.ok().and_then(|duel| self.play(&duel).transpose()) else { return };
            if listener.send(result).is_err() {
                return;
            }
        }
    }

    /// Plays a duel; nothing if all were stopped.
    fn play(&mut self, duel: &Duel) -> Result<Option<DuelResult>, StartError> {
        let mut result = DuelResult { number: duel.number, games: Trinomial::default(), faults: 0 };
        for opening in &duel.openings {
            for color in Color::ALL {
                let Some((outcome, faulty)) = self.play_game(duel, opening, color)? else { return Ok(None) };
                result.games.add(half_points(outcome, color));
                result.faults += u32::from(faulty);
            }
        }
        Ok(Some(result))
    }

    /// Plays a game in which the first player has a colour; tells also whether somebody misbehaved.
    fn play_game(
        &mut self,
        duel: &Duel,
        opening: &Opening,
        color: Color,
    ) -> Result<Option<(Outcome, bool)>, StartError> {
        for (player, color) in [(0, color), (1, !color)] {
            if self.prepare(player, &duel.options[player])?.is_some() {
                self.players[player] = None;
                return Ok(Some((Outcome::Win(!color), true)));
            }
        }
        let [Some(first), Some(second)] = &mut self.players else { unreachable!("both are prepared") };
        let (white, black) = if color == Color::White { (first, second) } else { (second, first) };
        let players: [&mut dyn Player; 2] = [&mut **white, &mut **black];
        let controls = [self.duels.time_control; 2];
        let record = play_game(opening, players, controls, self.duels.conditions, self.stop);
        let Some(record) = record else { return Ok(None) };
        let Termination::Fault(loser, fault) = record.ending.termination else {
            return Ok(Some((record.ending.outcome, false)));
        };
        if fault != Fault::FlagFall {
            // Whoever is late may go on; of the others nobody knows what state they are in.
            self.players[usize::from(loser != color)] = None;
        }
        Ok(Some((record.ending.outcome, true)))
    }

    /// Makes sure that a player is there and has its options; an offence says that it did not take them.
    fn prepare(&mut self, player: usize, options: &OptionValues) -> Result<Option<Offence>, StartError> {
        let Duels { engine, conditions, .. } = self.duels;
        let player = match &mut self.players[player] {
            Some(player) => player,
            seat => seat.insert(start(engine, conditions.chess960, conditions.patience)?),
        };
        Ok(player.set_options(options).err())
    }
}
