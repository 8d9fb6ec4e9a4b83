// SPDX-License-Identifier: GPL-3.0-or-later
//! One engine against itself: every duel once, options set before each game, misbehaviour survived.

mod table;

use std::collections::BTreeSet;

use arena::{Conditions, Duel, DuelResult, Duels, EngineSpec, Player, StartError};
use contest::adjudicate;
use table::{conditions, mock, refused, seat, start_position};

fn short_games() -> Conditions {
    let adjudication = adjudicate::Rules { max_moves: Some(6), ..adjudicate::Rules::default() };
    Conditions { adjudication, ..conditions() }
}

/// Plays duels of two openings each and returns what `next` was told.
fn play(engine: &EngineSpec, count: u64, concurrency: usize) -> Vec<DuelResult> {
    play_with(engine, ["2", "3"], count, concurrency)
}

/// The same with two values of the option `Hash`.
fn play_with(engine: &EngineSpec, values: [&str; 2], count: u64, concurrency: usize) -> Vec<DuelResult> {
    let conditions = short_games();
    let duels =
        Duels { engine, time_control: "nodes=10".parse().unwrap(), conditions: &conditions, concurrency };
    let (mut results, mut numbers) = (Vec::new(), 1..=count);
    let played = duels.run(|result| -> Result<Option<Duel>, StartError> {
        results.extend(result);
        let options = values.map(|value| vec![("Hash".to_owned(), value.to_owned())]);
        Ok(numbers.next().map(|number| Duel { number, options, openings: vec![start_position(); 2] }))
    });
    played.expect("all duels are played");
    results
}

#[test]
fn every_duel_is_played_once() {
    for (count, concurrency) in [(0, 2), (1, 3), (7, 1), (7, 3)] {
        let results = play(&mock("a", "random"), count, concurrency);
        let numbers: BTreeSet<u64> = results.iter().map(|result| result.number).collect();
        assert_eq!(numbers, (1..=count).collect(), "{results:?}");
        assert_eq!(results.len() as u64, count);
        assert!(results.iter().all(|result| result.games.samples() == 4 && result.faults == 0));
    }
}

#[test]
fn each_player_gets_its_options() {
    // With 9 the mock plays illegal moves only.
    for (values, counts) in [(["9", "1"], [4, 0, 0]), (["1", "9"], [0, 0, 4])] {
        for result in play_with(&mock("a", "random"), values, 2, 1) {
            assert_eq!((result.games.counts(), result.faults), (counts, 4), "{values:?}");
        }
    }
}

#[test]
fn who_crashes_loses_and_comes_back() {
    // Both crash at their fourth move; whoever moves first does so first, and starts again.
    let results = play(&mock("a", "crash at=4"), 2, 1);
    assert_eq!(results.len(), 2);
    assert!(results.iter().all(|result| result.games.samples() == 4));
    assert_eq!(results[0].faults, 4, "no game is longer than three moves: {results:?}");
    let [losses, draws, wins] = results[0].games.counts();
    assert_eq!((draws, losses + wins), (0, 4));
}

#[test]
fn an_engine_that_does_not_start_ends_the_run() {
    let (engine, conditions) = (mock("a", "stillborn"), short_games());
    let error = refused(&engine).to_string();
    let time_control = "nodes=10".parse().unwrap();
    let duels = Duels { engine: &engine, time_control, conditions: &conditions, concurrency: 2 };
    let played = duels.run(|result| -> Result<Option<Duel>, StartError> {
        assert_eq!(result, None);
        Ok(Some(Duel { number: 1, options: [vec![], vec![]], openings: vec![start_position()] }))
    });
    assert_eq!(played.unwrap_err().to_string(), error);
}

#[test]
fn players_tell_and_take_options() {
    let own: EngineSpec = "own".parse().unwrap();
    for spec in [mock("a", "random"), own] {
        let mut player: Box<dyn Player> = seat(&spec);
        assert!(player.offers().iter().any(|offer| offer.name == "Hash"), "{spec}");
        player.set_options(&[("Hash".to_owned(), "2".to_owned())]).unwrap();
        player.new_game().unwrap();
        let unknown = player.set_options(&[("Style".to_owned(), "2".to_owned())]);
        assert_eq!(unknown.is_err(), spec.name == "nue", "a program behind a pipe does not answer");
    }
}
