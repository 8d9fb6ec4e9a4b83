// SPDX-License-Identifier: GPL-3.0-or-later
//! A match: `schedule -> slots playing side by side -> finished games, one by one`.

use std::{
    collections::BTreeSet,
    ops::ControlFlow,
    sync::{atomic::AtomicUsize, mpsc},
    thread,
};

use contest::{
    TimeControl,
    pairing::{Fixture, Schedule},
};
use engine::Controls;
use formats::book::{Book, Opening};
use rules::chess::Board;

use crate::{
    Conditions, EngineSpec, GameRecord, StartError,
    slot::{Shared, Slot},
};

/// Everything that is to be played, and how.
pub struct Match<'a> {
    /// Those who play.
    pub engines: &'a [EngineSpec],
    /// Who plays whom.
    pub schedule: Schedule,
    /// The time control of all who have none of their own.
    pub time_control: TimeControl,
    /// Where openings come from; without a book every game begins with the start position.
    pub book: Option<&'a Book>,
    /// The conditions of all games.
    pub conditions: &'a Conditions,
    /// Games played at the same time.
    pub concurrency: usize,
}

/// A finished game and its place in the match.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Its place.
    pub fixture: Fixture,
    /// The game.
    pub record: GameRecord,
}

impl Match<'_> {
    /// Plays all games but those already `done`, and hands over each as it ends.
    ///
    /// The match is over when all games are played, or when `on_game` breaks off or fails; games that are
    /// still going on then are lost.
    ///
    /// # Errors
    /// When an engine cannot be started at all, or with the error of `on_game`.
    pub fn run<E: From<StartError>>(
        &self,
        done: &BTreeSet<usize>,
        mut on_game: impl FnMut(Finished) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let shared = Shared { plan: self, done, next_pair: AtomicUsize::new(0), stop: Controls::new() };
        thread::scope(|scope| {
            let (sender, finished) = mpsc::channel();
            for _ in 0..self.slots(done) {
                let (sender, shared) = (sender.clone(), &shared);
                scope.spawn(move || Slot::new(shared).run(&sender));
            }
            drop(sender); // the channel ends with the last slot
            for game in finished {
                let next = game.map_err(E::from).and_then(&mut on_game);
                if !matches!(next, Ok(ControlFlow::Continue(()))) {
                    shared.stop.stop();
                    return next.map(|_| ());
                }
            }
            Ok(())
        })
    }

    /// How many games are played at the same time: never more than there are pairs left to play.
    pub fn slots(&self, done: &BTreeSet<usize>) -> usize {
        let whole_pairs = done.iter().filter(|&&game| game % 2 == 0 && done.contains(&(game + 1))).count();
        let pairs_left = (self.schedule.games() / 2).saturating_sub(whole_pairs);
        self.concurrency.clamp(1, pairs_left.max(1))
    }

    /// The opening of a number.
    pub(crate) fn opening(&self, number: usize) -> Opening {
        opening(self.book, number)
    }

    /// The time control of an engine.
    pub fn control(&self, engine: usize) -> TimeControl {
        self.engines[engine].control(self.time_control)
    }
}

/// The opening of a number; without a book it is the start position.
pub fn opening(book: Option<&Book>, number: usize) -> Opening {
    match book {
        Some(book) => book.opening(number),
        None => Opening { start: Board::start(), moves: Vec::new() },
    }
}
