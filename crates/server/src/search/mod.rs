// SPDX-License-Identifier: GPL-3.0-or-later
//! Search slots: threads that each own an engine, and jobs that take turns on them.
//!
//! `Search -> Ticket -> Progress`. Who gets which slot is decided by [`crate::core::turns`]. A job reports through a
//! channel that keeps only the newest value, so a slow reader never slows a search; it ends when its [`Ticket`] is
//! dropped, so nothing is searched that nobody waits for.

mod found;
mod slot;

use std::{
    collections::HashMap,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use engine::{Choice, Controls, Evaluation};
use rules::chess::Game;
use tokio::sync::watch;

pub use self::found::{Found, FoundLine, lines_message, terminal};
use crate::core::turns::{Job, Precedence, Removed, TurnLengths, Turns};

/// When a search ends by itself.
#[derive(Clone, Debug)]
pub enum End {
    /// After this depth.
    Depth(u32),
    /// After so much time of searching.
    Time(Duration),
    /// After so many nodes.
    Nodes(u64),
    /// By this clock, which began to run then.
    Clock(engine::Clock, Instant),
    /// When nobody listens any more.
    Never,
}

/// Something to be searched.
#[derive(Clone)]
pub struct Search {
    /// The position with its past.
    pub game: Game,
    /// How many best lines.
    pub lines: usize,
    /// How many threads, if the machine is free.
    pub threads: usize,
    /// The size of the hash table in MiB, if the machine is free.
    pub hash_mb: Option<usize>,
    /// The strength to play at; full strength if not given.
    pub elo: Option<u32>,
    /// When it ends.
    pub end: End,
    /// What it may overtake.
    pub precedence: Precedence,
}

/// How far a search is.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// What it found.
    pub found: Option<Arc<Found>>,
    /// What it decided, at its end.
    pub choice: Option<Choice>,
}

/// How the slots are set up.
#[derive(Clone, Debug)]
pub struct Setup {
    /// How many there are.
    pub slots: usize,
    /// Turns while others wait.
    pub lengths: TurnLengths,
    /// The hash table of a slot in MiB.
    pub hash_mb: usize,
    /// What all engines judge with.
    pub evaluation: Evaluation,
}

/// The slots.
pub struct Slots {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    setup: Setup,
    began: Instant,
    state: Mutex<State>,
    /// Wakes slots without work.
    work: Condvar,
    /// Wakes the keeper of the turns.
    turns: Condvar,
}

struct State {
    turns: Turns,
    jobs: HashMap<Job, Assignment>,
    controls: Vec<Controls>,
    next: Job,
    closing: bool,
}

/// A job between its turns.
#[derive(Clone)]
struct Assignment {
    search: Search,
    progress: Arc<watch::Sender<Progress>>,
    nodes: u64,
    time: Duration,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    /// Removes a job; the slot that knows its position.
    fn remove(&self, job: Job) -> Option<usize> {
        let mut state = self.state();
        state.jobs.remove(&job);
        let Removed { running, slot } = state.turns.remove(job);
        if let (true, Some(slot)) = (running, slot) {
            state.controls[slot].stop();
        }
        drop(state);
        // Who is left may be alone now.
        self.turns.notify_one();
        slot
    }

    /// Stops turns that are over while others wait.
    fn keep_turns(&self) {
        let mut state = self.state();
        while !state.closing {
            for slot in state.turns.overdue(self.now()) {
                state.controls[slot].stop();
            }
            let due = state.turns.next_due();
            state = match due {
                None => self.turns.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(at) => {
                    let wait = Duration::from_millis(at.saturating_sub(self.now()).max(1));
                    self.turns.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }
}

impl Slots {
    /// Starts the threads.
    ///
    /// # Panics
    /// When the system has no threads left.
    pub fn new(setup: Setup) -> Slots {
        let count = setup.slots.max(1);
        let state = State {
            turns: Turns::new(count, setup.lengths),
            jobs: HashMap::new(),
            controls: (0..count).map(|_| Controls::new()).collect(),
            next: 1,
            closing: false,
        };
        let shared = Arc::new(Shared {
            setup,
            began: Instant::now(),
            state: Mutex::new(state),
            work: Condvar::new(),
            turns: Condvar::new(),
        });
        let mut threads: Vec<JoinHandle<()>> = (0..count)
            .map(|slot| {
                let shared = Arc::clone(&shared);
                let thread = thread::Builder::new().name(format!("slot {slot}"));
                thread.spawn(move || slot::run(&shared, slot)).expect("a thread for a search slot")
            })
            .collect();
        let keeper = Arc::clone(&shared);
        threads.push(thread::spawn(move || keeper.keep_turns()));
        Slots { shared, threads: Mutex::new(threads) }
    }

    /// How many slots there are.
    pub fn count(&self) -> usize {
        self.shared.setup.slots.max(1)
    }

    /// How many jobs search, and how many wait for a turn.
    pub fn load(&self) -> (usize, usize) {
        let state = self.shared.state();
        (state.turns.running(), state.turns.waiting())
    }

    /// Begins a search; it ends with the ticket.
    pub fn begin(&self, search: Search) -> Ticket {
        self.begin_near(search, None)
    }

    /// Begins a search, if possible in the slot whose hash table knows the position's neighbours.
    pub fn begin_near(&self, search: Search, near: Option<usize>) -> Ticket {
        let (sender, progress) = watch::channel(Progress::default());
        let mut state = self.shared.state();
        let job = state.next;
        state.next += 1;
        state.turns.add(job, search.precedence, near);
        let assignment = Assignment { search, progress: Arc::new(sender), nodes: 0, time: Duration::ZERO };
        state.jobs.insert(job, assignment);
        drop(state);
        // All: the one that is woken might not be the one that takes it.
        self.shared.work.notify_all();
        self.shared.turns.notify_one();
        Ticket { job, progress, shared: Arc::clone(&self.shared) }
    }

    /// Searches to the end; nothing if the server is shutting down.
    pub async fn finish(&self, search: Search) -> Option<Progress> {
        let mut ticket = self.begin(search);
        let ended = ticket.progress.wait_for(|progress| progress.choice.is_some()).await.ok()?;
        Some(ended.clone())
    }

    /// Stops every search and waits for the threads.
    pub fn close(&self) {
        {
            let mut state = self.shared.state();
            state.closing = true;
            state.jobs.clear();
            state.controls.iter().for_each(Controls::stop);
        }
        self.shared.work.notify_all();
        self.shared.turns.notify_all();
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            let _ = thread.join();
        }
    }
}

/// A running or waiting search; dropping it ends the search.
pub struct Ticket {
    job: Job,
    /// How far it is; only the newest value is kept.
    pub progress: watch::Receiver<Progress>,
    shared: Arc<Shared>,
}

impl Ticket {
    /// A way to end the search from elsewhere.
    pub fn stopper(&self) -> Stopper {
        Stopper { job: self.job, shared: Arc::clone(&self.shared) }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.shared.remove(self.job);
    }
}

/// Ends a search before its ticket is gone.
pub struct Stopper {
    job: Job,
    shared: Arc<Shared>,
}

impl Stopper {
    /// Ends the search; the slot whose hash table knows its position.
    pub fn stop(&self) -> Option<usize> {
        self.shared.remove(self.job)
    }
}
