// SPDX-License-Identifier: GPL-3.0-or-later
//! Fair turns: which job may search next on which slot, and for how long.
//!
//! There are more searches than cores. A slot takes the job that has waited longest; while others wait, a turn is
//! short, a job's first turn shorter still, so that everybody sees a first line soon. The engine's own moves go before
//! analysis and are not interrupted. A job likes to go on in the slot whose hash table knows its position: it may
//! overtake for that a few times, and waits for a slot that is about to be free. A job that began in company and is
//! alone now gets a new turn, with the whole machine.

use std::{collections::VecDeque, ops::AddAssign};

use super::Millis;

/// How long turns are while others wait.
#[derive(Copy, Clone, Debug)]
pub struct TurnLengths {
    /// A job's first turn.
    pub first: Millis,
    /// Every other.
    pub later: Millis,
}

/// What goes before what.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precedence {
    /// Analysis and reports.
    Analysis,
    /// The engine's move in a game: first, and to its end.
    Play,
}

/// A job's number.
pub type Job = u64;

#[derive(Clone, Debug)]
struct Waiting {
    job: Job,
    precedence: Precedence,
    /// Where it searched last, or the search that it follows.
    slot: Option<usize>,
    first: bool,
}

#[derive(Clone, Debug)]
struct Running {
    job: Job,
    precedence: Precedence,
    first: bool,
    since: Millis,
    /// Whether others searched or waited when the turn began.
    in_company: bool,
    /// Whether it was told to stop.
    stopping: bool,
}

/// Who searches, and who waits.
#[derive(Clone, Debug)]
pub struct Turns {
    lengths: TurnLengths,
    slots: Vec<Option<Running>>,
    waiting: VecDeque<Waiting>,
    /// How often the head of the queue was overtaken.
    overtaken: usize,
}

/// Where a removed job was.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Removed {
    /// Whether its slot must be stopped.
    pub running: bool,
    /// The slot that knows its position.
    pub slot: Option<usize>,
}

/// A turn that a slot takes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The job.
    pub job: Job,
    /// Whether nobody else searches or waits, so that the job may use the whole machine.
    pub alone: bool,
}

impl Turns {
    /// Free slots.
    pub fn new(slots: usize, lengths: TurnLengths) -> Turns {
        Turns { lengths, slots: vec![None; slots], waiting: VecDeque::new(), overtaken: 0 }
    }

    /// A new job, which waits for its first turn, if possible in a certain slot.
    pub fn add(&mut self, job: Job, precedence: Precedence, near: Option<usize>) {
        let waiting = Waiting { job, precedence, slot: near, first: true };
        match precedence {
            Precedence::Analysis => self.waiting.push_back(waiting),
            Precedence::Play => {
                let behind =
                    self.waiting.iter().take_while(|other| other.precedence == Precedence::Play).count();
                self.waiting.insert(behind, waiting);
            }
        }
    }

    /// A job that nobody wants any more.
    pub fn remove(&mut self, job: Job) -> Removed {
        let waited = self.waiting.iter().position(|waiting| waiting.job == job);
        if let Some(waiting) = waited.and_then(|index| self.waiting.remove(index)) {
            return Removed { running: false, slot: waiting.slot };
        }
        let of_job = |running: &Running| running.job == job;
        let slot = self.slots.iter().position(|running| running.as_ref().is_some_and(of_job));
        if let Some(running) = slot.and_then(|slot| self.slots[slot].as_mut()) {
            running.stopping = true;
        }
        Removed { running: slot.is_some(), slot }
    }

    /// The next turn of a free slot.
    pub fn take(&mut self, slot: usize, now: Millis) -> Option<Turn> {
        let index = self.choose(slot)?;
        match index {
            0 => self.overtaken = 0,
            _ => self.overtaken.add_assign(1),
        }
        let Waiting { job, precedence, first, .. } = self.waiting.remove(index)?;
        let in_company = !self.waiting.is_empty() || self.slots.iter().flatten().any(|other| !other.stopping);
        let running = Running { job, precedence, first, since: now, in_company, stopping: false };
        self.slots[slot] = Some(running);
        Some(Turn { job, alone: !in_company })
    }

    /// The head of the queue, or one of the next with this slot's hash table behind it.
    fn choose(&self, slot: usize) -> Option<usize> {
        let is_ready = |waiting: &Waiting| match waiting.slot {
            Some(near) if near != slot => self.slots[near].as_ref().is_none_or(|running| !running.stopping),
            _ => true,
        };
        let first = self.waiting.iter().position(is_ready)?;
        let bound = self.waiting[first].precedence == Precedence::Play || self.overtaken >= self.slots.len();
        let mut reach = self.waiting.iter().take(self.slots.len());
        let at_home = reach.position(|waiting| waiting.slot == Some(slot));
        Some(at_home.filter(|_| !bound).unwrap_or(first))
    }

    /// A turn is over; unless the job is finished it waits for the next.
    pub fn give_back(&mut self, slot: usize, finished: bool) {
        let Some(running) = self.slots[slot].take() else { return };
        if !finished {
            let Running { job, precedence, .. } = running;
            self.waiting.push_back(Waiting { job, precedence, slot: Some(slot), first: false });
        }
    }

    /// Slots whose turn is over because others wait; each is named once.
    pub fn overdue(&mut self, now: Millis) -> Vec<usize> {
        let due = self.due();
        let mut slots = Vec::new();
        for (slot, at) in due {
            if at <= now
                && let Some(running) = &mut self.slots[slot]
            {
                running.stopping = true;
                slots.push(slot);
            }
        }
        slots
    }

    /// When the next turn will be over.
    pub fn next_due(&self) -> Option<Millis> {
        self.due().into_iter().map(|(_, at)| at).min()
    }

    /// How many jobs wait.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// How many slots are at work.
    pub fn running(&self) -> usize {
        self.slots.iter().flatten().count()
    }

    /// The slots that must make room, as many as jobs wait, and when; or the last one, for a turn without company.
    fn due(&self) -> Vec<(usize, Millis)> {
        let free = self.slots.iter().filter(|slot| slot.is_none()).count();
        let stopping = self.slots.iter().flatten().filter(|running| running.stopping).count();
        let mut needed = self.waiting.len().saturating_sub(free + stopping);
        let mut going = self.slots.iter().flatten().filter(|running| !running.stopping);
        if let (Some(only), None, true) = (going.next(), going.next(), self.waiting.is_empty()) {
            needed = usize::from(only.in_company);
        }
        let urgent = self.waiting.front().is_some_and(|head| head.precedence == Precedence::Play);
        let end = |running: &Running| match (urgent, running.first) {
            (true, _) => running.since,
            (false, true) => running.since + self.lengths.first,
            (false, false) => running.since + self.lengths.later,
        };
        let mut due: Vec<(usize, Millis)> = self
            .slots
            .iter()
            .enumerate()
            .filter_map(|(slot, running)| Some((slot, running.as_ref()?)))
            .filter(|(_, running)| running.precedence == Precedence::Analysis && !running.stopping)
            .map(|(slot, running)| (slot, end(running)))
            .collect();
        due.sort_by_key(|&(_, at)| at);
        due.truncate(needed);
        due
    }
}
