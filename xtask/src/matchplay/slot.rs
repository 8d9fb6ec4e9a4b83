// SPDX-License-Identifier: GPL-3.0-or-later
//! A place where games are played, one after another, by one process of each engine.

use std::sync::{
    atomic::{AtomicUsize, Ordering},
    mpsc::Sender,
};

use rules::chess::Board;

use super::{
    game::{Conditions, GameRecord, play_game},
    player::Player,
    spec::EngineSpec,
    tally::Fault,
};

/// A finished game and its place in the match.
pub(crate) struct Finished {
    /// The pair, that is the opening.
    pub(crate) pair: usize,
    /// The index of the engine that had White.
    pub(crate) white: usize,
    /// The game.
    pub(crate) record: GameRecord,
}

/// Plays pairs until none is left or nobody listens; an engine that cannot be started ends the match.
pub(crate) fn play_pairs(
    specs: [&EngineSpec; 2],
    openings: &[Board],
    next_pair: &AtomicUsize,
    conditions: &Conditions,
    listener: &Sender<anyhow::Result<Finished>>,
) {
    let mut players = [None, None];
    loop {
        let pair = next_pair.fetch_add(1, Ordering::Relaxed);
        let Some(opening) = openings.get(pair) else { return };
        for white in [0, 1] {
            let record = play_one(specs, &mut players, opening, white, conditions);
            let failed = record.is_err();
            let sent = listener.send(record.map(|record| Finished { pair, white, record }));
            if failed || sent.is_err() {
                return;
            }
        }
    }
}

fn play_one(
    specs: [&EngineSpec; 2],
    players: &mut [Option<Player>; 2],
    opening: &Board,
    white: usize,
    conditions: &Conditions,
) -> anyhow::Result<GameRecord> {
    for (player, spec) in players.iter_mut().zip(specs) {
        if player.is_none() {
            *player = Some(Player::start(spec, conditions.chess960)?);
        }
    }
    let [Some(first), Some(second)] = players else { unreachable!("both were started above") };
    let colors = if white == 0 { [first, second] } else { [second, first] };
    let record = play_game(opening, colors, conditions);
    if matches!(record.fault, Some(Fault::Crash | Fault::Stall)) {
        *players = [None, None]; // start afresh: the process is gone or no longer listens
    }
    Ok(record)
}
