// SPDX-License-Identifier: GPL-3.0-or-later
//! What the tests share: mock engines and a table to play at.

#![allow(dead_code, reason = "each test file uses a part")]

pub(crate) mod tournament;

use std::time::Duration;

use arena::{Conditions, EngineSpec, GameRecord, Patience, Player, StartError, play_game, start};
use engine::Controls;
use formats::book::Opening;
use rules::chess::Board;

/// The description of a mock engine; the words after its behaviour are `key=value`.
pub(crate) fn mock(name: &str, behaviour: &str) -> EngineSpec {
    let program = env!("CARGO_BIN_EXE_mock-engine").replace(',', "\\,");
    let arguments: String = behaviour.split(' ').map(|word| format!(",arg={word}")).collect();
    format!("cmd={program},name={name}{arguments}").parse().expect("a description")
}

/// Conditions under which nobody waits long.
pub(crate) fn conditions() -> Conditions {
    let millis = Duration::from_millis;
    Conditions {
        margin: millis(50),
        patience: Patience {
            start: millis(1500),
            ready: millis(1500),
            thought: millis(1500),
            stop: millis(400),
        },
        ..Conditions::default()
    }
}

/// The start position, nothing played.
pub(crate) fn start_position() -> Opening {
    Opening { start: Board::start(), moves: Vec::new() }
}

/// Starts a player that is expected to start.
pub(crate) fn seat(spec: &EngineSpec) -> Box<dyn Player> {
    match start(spec, false, conditions().patience) {
        Ok(player) => player,
        Err(error) => panic!("{spec}: {error}"),
    }
}

/// Starts a player that is expected not to.
pub(crate) fn refused(spec: &EngineSpec) -> StartError {
    match start(spec, false, conditions().patience) {
        Ok(_) => panic!("{spec} starts"),
        Err(error) => error,
    }
}

/// A game from the start position.
pub(crate) fn play(
    white: &EngineSpec,
    black: &EngineSpec,
    control: &str,
    conditions: &Conditions,
) -> GameRecord {
    let (mut white, mut black) = (seat(white), seat(black));
    let controls = [control.parse().expect("a time control"); 2];
    let players: [&mut dyn Player; 2] = [&mut *white, &mut *black];
    play_game(&start_position(), players, controls, conditions, &Controls::new()).expect("a whole game")
}
