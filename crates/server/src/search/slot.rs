// SPDX-License-Identifier: GPL-3.0-or-later
//! A slot: a thread with an engine that takes turn after turn.

use std::{
    sync::{Arc, PoisonError},
    time::{Duration, Instant},
};

use engine::{Controls, Engine, Limits, Options};

use super::{Assignment, End, Search, Shared, found::Collector};
use crate::core::turns::{Precedence, Turn};

/// Kept back on each move of a clocked game for the way to the disk and the page.
const OVERHEAD: Duration = Duration::from_millis(30);

/// Takes turns until the slots are closed.
pub(super) fn run(shared: &Shared, slot: usize) {
    // Made before anybody waits for it.
    let mut engine = fresh(shared);
    while let Some((turn, assignment, controls)) = next(shared, slot) {
        search(shared, slot, &mut engine, turn, assignment, &controls);
    }
}

/// An engine with the slot's hash table, and the network if it can be read: that it can was checked at the start.
fn fresh(shared: &Shared) -> Engine {
    let setup = &shared.setup;
    let evaluation = setup.evaluation.clone();
    let options = Options { hash_mb: setup.hash_mb, evaluation, ..Options::default() };
    Engine::with_options(options).unwrap_or_default()
}

/// Waits for a turn; nothing when the slots are closed.
fn next(shared: &Shared, slot: usize) -> Option<(Turn, Assignment, Controls)> {
    let mut state = shared.state();
    loop {
        if state.closing {
            return None;
        }
        if let Some(turn) = state.turns.take(slot, shared.now()) {
            if let Some(assignment) = state.jobs.get(&turn.job).cloned() {
                let controls = state.controls[slot].clone();
                controls.reset(false);
                let more = state.turns.waiting() > 0;
                drop(state);
                shared.turns.notify_one();
                if more {
                    shared.work.notify_all();
                }
                return Some((turn, assignment, controls));
            }
            state.turns.give_back(slot, true);
            continue;
        }
        state = shared.work.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

fn search(
    shared: &Shared,
    slot: usize,
    engine: &mut Engine,
    turn: Turn,
    assignment: Assignment,
    controls: &Controls,
) {
    let Assignment { search, progress, nodes, time } = assignment;
    adjust(engine, &search, turn.alone);
    let limits = limits(&search, time);
    let mut collector = Collector::new(&search.game, search.lines, nodes, time);
    let begin = Instant::now();
    let choice = engine.search(&search.game, &limits, controls, &mut |report| {
        if let Some(found) = collector.take(report) {
            let newer = |known: &mut super::Progress| {
                let better = known.found.as_ref().is_none_or(|known| found.depth >= known.depth);
                if better {
                    known.found = Some(Arc::new(found));
                }
                better
            };
            progress.send_if_modified(newer);
        }
    });
    let finished = !controls.is_stopped();
    if finished {
        progress.send_modify(|progress| progress.choice = Some(choice));
    }
    let mut state = shared.state();
    if let Some(assignment) = state.jobs.get_mut(&turn.job) {
        assignment.nodes += engine.nodes();
        assignment.time += begin.elapsed();
    }
    let gone = !state.jobs.contains_key(&turn.job);
    state.turns.give_back(slot, finished || gone);
    drop(state);
    shared.work.notify_all();
    shared.turns.notify_one();
}

/// Settings of this turn; a hash table changes its size, and so forgets, only while nobody else needs it.
fn adjust(engine: &mut Engine, search: &Search, alone: bool) {
    let now = engine.options();
    let analysis = search.precedence == Precedence::Analysis;
    let options = Options {
        threads: if alone && analysis { search.threads.max(1) } else { 1 },
        hash_mb: search.hash_mb.filter(|_| alone).unwrap_or(now.hash_mb),
        multi_pv: search.lines.max(1),
        limit_strength: search.elo.is_some(),
        elo: search.elo.unwrap_or(*Options::ELO_RANGE.end()),
        move_overhead: OVERHEAD,
        ..now.clone()
    };
    if *now != options {
        // Without the memory for a larger table the search goes on with the one at hand.
        let kept = Options { hash_mb: now.hash_mb, ..options.clone() };
        if engine.configure(options).is_err() {
            let _ = engine.configure(kept);
        }
    }
}

fn limits(search: &Search, spent: Duration) -> Limits {
    let mut limits = Limits::default();
    match &search.end {
        End::Depth(depth) => limits.depth = Some(*depth),
        End::Time(time) => limits.movetime = Some(time.saturating_sub(spent)),
        End::Nodes(nodes) => limits.nodes = Some(*nodes),
        End::Clock(clock, since) => {
            limits.clock = Some(*clock);
            limits.since = Some(*since);
        }
        End::Never => {}
    }
    limits
}
