// SPDX-License-Identifier: GPL-3.0-or-later
//! Whole matches: every game once, whatever happens on the way.

mod table;

use std::{collections::BTreeSet, fs, time::Duration};

use arena::{Conditions, Fault, Match, Patience};
use contest::pairing::{Pairing, Schedule};
use table::{
    conditions, mock,
    tournament::{assert_complete, files, folder, games, run, short_games, two},
};

#[test]
fn every_game_is_played_once_and_every_opening_with_both_colours() {
    let files = files(&folder("once"));
    let ledger = run(&files, &two(), 6, &short_games(), usize::MAX).unwrap();
    assert_eq!(ledger.done(), &(0..12).collect());
    assert_eq!(ledger.standings().games(), 12);
    assert_eq!(ledger.standings().rows()[0].pairs.samples(), 6);
    assert!(ledger.standings().overhead().count() > 0);
    assert_complete(&files, 12);
    let mut games = games(files.pgn.as_deref().unwrap());
    games.sort();
    for pair in games.chunks(2) {
        assert_eq!(pair[0].2, pair[1].2, "one opening");
        assert_ne!(pair[0].1, pair[1].1, "both colours");
    }
}

#[test]
fn a_match_goes_on_where_it_was_broken_off() {
    let files = files(&folder("resume"));
    let first = run(&files, &two(), 6, &short_games(), 5).unwrap();
    assert_eq!(first.standings().games(), 5);
    drop(first);
    let second = run(&files, &two(), 6, &short_games(), 4).unwrap();
    assert_eq!(second.standings().games(), 9);
    drop(second);
    let third = run(&files, &two(), 6, &short_games(), usize::MAX).unwrap();
    assert_eq!(third.standings().games(), 12);
    let standings = third.standings().clone();
    drop(third);
    assert_complete(&files, 12);
    let last = run(&files, &two(), 6, &short_games(), usize::MAX).unwrap();
    assert_eq!(last.standings(), &standings, "the books tell the same story again");
    assert_complete(&files, 12);
}

/// A match of two pairs against one who misbehaves: every game is there and lost for the fault, with either
/// colour, and the opponent is not to blame.
fn assert_loses_all(behaviour: &str, control: &str, fault: Fault) {
    let files = files(&folder(&format!("bad {behaviour} {control}")));
    // Only where it has to run out is patience short: a busy machine needs its time.
    let runs_out = matches!(fault, Fault::NoHandshake | Fault::NotReady | Fault::Stall);
    let patience = Duration::from_millis(if runs_out { 700 } else { 20_000 });
    let mut conditions = conditions();
    conditions.patience =
        Patience { start: patience, ready: patience, thought: patience, stop: Duration::from_millis(100) };
    let mut engines = [mock("good", "random seed=2"), mock("bad", behaviour)];
    engines[1].time_control = control.parse().ok();
    let ledger = run(&files, &engines, 2, &conditions, usize::MAX).unwrap();
    let [good, bad] = ledger.standings().rows() else { panic!("two engines") };
    assert_eq!((bad.games.counts(), bad.pairs.counts()), ([4, 0, 0], [2, 0, 0, 0, 0]), "{behaviour}");
    assert_eq!((bad.faults.of(fault), bad.faults.total()), (4, 4), "{behaviour}: {}", bad.faults);
    assert_eq!((good.games.wins(), good.faults.total()), (4, 0), "{behaviour}: {}", good.faults);
    assert_complete(&files, 4);
}

#[test]
fn matches_go_on_after_bad_starts() {
    assert_loses_all("silent", "nodes=1", Fault::NoHandshake);
    assert_loses_all("unready", "nodes=1", Fault::NotReady);
    assert_loses_all("stillborn", "nodes=1", Fault::Crash);
    assert_loses_all("flood-start", "nodes=1", Fault::Flood);
}

#[test]
fn matches_go_on_after_bad_answers() {
    assert_loses_all("illegal at=2", "nodes=1", Fault::IllegalMove);
    assert_loses_all("none", "nodes=1", Fault::IllegalMove);
    assert_loses_all("garbage at=2", "nodes=1", Fault::Garbage);
    assert_loses_all("empty at=3", "nodes=1", Fault::Garbage);
    assert_loses_all("crash at=3", "nodes=1", Fault::Crash);
}

#[test]
fn matches_go_on_after_stalls() {
    assert_loses_all("stall at=2", "nodes=1", Fault::Stall);
    assert_loses_all("slow", "nodes=1", Fault::Stall);
    assert_loses_all("slow at=2", "movetime=0.1", Fault::FlagFall);
}

#[test]
fn matches_go_on_after_floods() {
    for flood in ["flood at=2", "flood-line", "flood-answers", "flood-idle"] {
        assert_loses_all(flood, "nodes=1", Fault::Flood);
    }
}

#[test]
fn who_is_not_ready_for_a_later_game_loses_it() {
    let files = files(&folder("tired"));
    let mut conditions = short_games();
    conditions.patience.ready = Duration::from_millis(300);
    let engines = [mock("good", "random seed=3"), mock("tired", "tired at=2")];
    let ledger = run(&files, &engines, 1, &conditions, usize::MAX).unwrap();
    let [good, tired] = ledger.standings().rows() else { panic!("two engines") };
    assert_eq!((tired.faults.of(Fault::NotReady), tired.faults.total()), (1, 1), "{}", tired.faults);
    assert_eq!(good.faults.total(), 0);
    assert_complete(&files, 2);
}

#[test]
fn who_dies_between_games_is_started_again_and_plays() {
    let files = files(&folder("mortal"));
    let engines = [mock("good", "random seed=3"), mock("mortal", "mortal at=2")];
    let ledger = run(&files, &engines, 1, &short_games(), usize::MAX).unwrap();
    let [good, mortal] = ledger.standings().rows() else { panic!("two engines") };
    assert_eq!((mortal.faults.of(Fault::Crash), mortal.faults.total()), (1, 1), "{}", mortal.faults);
    assert_eq!((mortal.games.losses(), good.faults.total()), (0, 0), "no game was lost for it");
    assert_complete(&files, 2);
}

#[test]
fn there_are_no_more_slots_than_pairs_to_play() {
    let schedule = Schedule::new(Pairing::RoundRobin, 2, 3).unwrap();
    let (engines, conditions) = (two(), Conditions::default());
    let plan = Match {
        engines: &engines,
        schedule,
        time_control: "nodes=1".parse().unwrap(),
        book: None,
        conditions: &conditions,
        concurrency: 8,
    };
    let slots = |done: &[usize]| plan.slots(&done.iter().copied().collect::<BTreeSet<_>>());
    assert_eq!([slots(&[]), slots(&[0, 3]), slots(&[0, 1, 5]), slots(&[0, 1, 2, 3, 4, 5])], [3, 3, 2, 1]);
}

#[test]
fn who_cannot_be_started_ends_the_match() {
    let files = files(&folder("missing"));
    let engines = [mock("good", "random"), "cmd=/no/such/engine".parse().unwrap()];
    let error = run(&files, &engines, 1, &conditions(), usize::MAX).err().expect("no match");
    assert!(error.to_string().starts_with("engine engine cannot be started: "), "{error}");
}

#[test]
fn several_engines_and_our_own() {
    let files = files(&folder("several"));
    let own = "own,name=own,option.Hash=1,tc=depth=1".parse().unwrap();
    let engines = [mock("a", "random seed=1"), mock("b", "random seed=2"), own];
    let ledger = run(&files, &engines, 1, &short_games(), usize::MAX).unwrap();
    assert!(ledger.standings().rows().iter().all(|row| row.games.samples() == 4));
    assert_complete(&files, 6);
    let text = fs::read_to_string(files.pgn.as_deref().unwrap()).unwrap();
    assert_eq!(text.matches("TimeControl \"depth=1\"").count(), 4, "{text}");
}
