// SPDX-License-Identifier: GPL-3.0-or-later
//! The files of a match: what a killed run leaves behind, and what belongs to others.

mod table;

use std::{
    fs::{self, OpenOptions},
    io::Write,
};

use arena::{Files, Ledger, StateError};
use contest::pairing::{Pairing, Schedule};
use table::tournament::{assert_complete, files, folder, games, run, settings, short_games, two};

#[test]
fn torn_ends_are_cut_off() {
    let files = files(&folder("torn"));
    drop(run(&files, &two(), 3, &short_games(), 3).unwrap());
    for (path, torn) in [
        (&files.state, "{\"game\":5,\"result\":\"1-"),
        (&files.pgn, "[Event \"test\"]\n[Round \"9\"]\n\n1. e4"),
    ] {
        let mut file = OpenOptions::new().append(true).open(path.as_deref().unwrap()).unwrap();
        file.write_all(torn.as_bytes()).unwrap();
    }
    run(&files, &two(), 3, &short_games(), usize::MAX).unwrap();
    assert_complete(&files, 6);
}

#[test]
fn what_was_in_the_pgn_file_stays() {
    let files = files(&folder("append"));
    let old = "[Round \"0\"]\n[White \"old\"]\n\n1. e4 *\n\n";
    fs::write(files.pgn.as_deref().unwrap(), old).unwrap();
    drop(run(&files, &two(), 2, &short_games(), 1).unwrap());
    run(&files, &two(), 2, &short_games(), usize::MAX).unwrap();
    assert!(fs::read_to_string(files.pgn.as_deref().unwrap()).unwrap().starts_with(old));
    assert_eq!(games(files.pgn.as_deref().unwrap()).len(), 5);
}

#[test]
fn books_of_another_match_are_refused() {
    let files = files(&folder("other"));
    let schedule = Schedule::new(Pairing::RoundRobin, 2, 1).unwrap();
    let open = |text: &str| Ledger::open(&files, &settings(text), &schedule, 2);
    let message = |text: &str| open(text).err().expect("a refusal").to_string();
    let state = files.state.clone().unwrap();
    let name = state.display();

    let first = open("one").unwrap();
    assert_eq!(message("one"), format!("{name} is in use by another program"));
    drop(first);
    assert_eq!(
        message("two"),
        format!(
            "state file {name} belongs to another match: its test is \"one\", expected \"two\" \
             (--fresh begins anew, --state names another file)"
        )
    );
    let good = fs::read_to_string(&state).unwrap();
    fs::write(&state, format!("{good}{{}}\n")).unwrap();
    assert_eq!(message("one"), format!("state file {name}, line 2 is damaged"));
    for other in ["not a state\n", "not a state", "{}\n"] {
        fs::write(&state, other).unwrap();
        assert_eq!(message("one"), format!("{name} is not the state file of a match"));
    }
    for torn in ["", "{", "{\"nue match sta"] {
        fs::write(&state, torn).unwrap();
        assert!(open("one").is_ok(), "{torn}");
    }
}

#[test]
fn beginning_anew_waits_for_the_lock_and_then_empties_both_files() {
    let files = files(&folder("fresh"));
    let old = run(&files, &two(), 1, &short_games(), usize::MAX).unwrap();
    let text = pgn(&files);
    let fresh = Files { fresh: true, ..files.clone() };
    let schedule = Schedule::new(Pairing::RoundRobin, 2, 1).unwrap();
    let open = || Ledger::open(&fresh, &settings("other"), &schedule, 2);
    assert!(matches!(open(), Err(StateError::Locked(_))), "the first match still runs");
    assert_eq!(pgn(&files), text, "its games are still there");
    drop(old);
    assert_eq!(open().unwrap().standings().games(), 0);
    assert_eq!(pgn(&files), "");
}

#[test]
fn games_of_others_are_not_cut_off() {
    let folder = folder("foreign");
    let first = files(&folder);
    let second = Files { state: Some(folder.join("second.state")), ..first.clone() };
    drop(run(&first, &two(), 2, &short_games(), 2).unwrap());
    drop(run(&second, &two(), 1, &short_games(), usize::MAX).unwrap());
    let text = pgn(&first);
    let error = run(&first, &two(), 2, &short_games(), usize::MAX).err().expect("a refusal").to_string();
    assert!(error.contains("match.pgn ends with ") && error.contains("did not write"), "{error}");
    assert_eq!(pgn(&first), text, "nothing is lost");
    assert_eq!(games(first.pgn.as_deref().unwrap()).len(), 4);
}

#[test]
fn two_matches_do_not_write_to_one_file_at_once() {
    let folder = folder("shared");
    let first = files(&folder);
    let second = Files { state: Some(folder.join("second.state")), ..first.clone() };
    let ledger = run(&first, &two(), 1, &short_games(), usize::MAX).unwrap();
    let error = run(&second, &two(), 1, &short_games(), usize::MAX).err().expect("a refusal").to_string();
    assert!(error.ends_with("match.pgn is in use by another program"), "{error}");
    drop(ledger);
    run(&second, &two(), 1, &short_games(), usize::MAX).unwrap();
    assert_eq!(games(first.pgn.as_deref().unwrap()).len(), 4);
}

#[test]
fn a_last_line_without_an_end_gets_one() {
    let files = files(&folder("unended"));
    fs::write(files.pgn.as_deref().unwrap(), "[Round \"0\"]\n\n1. e4 1-0").unwrap();
    drop(run(&files, &two(), 1, &short_games(), 1).unwrap());
    run(&files, &two(), 1, &short_games(), usize::MAX).unwrap();
    assert!(pgn(&files).starts_with("[Round \"0\"]\n\n1. e4 1-0\n\n[Event "), "{}", pgn(&files));
    assert_eq!(games(files.pgn.as_deref().unwrap()).len(), 3);
}

fn pgn(files: &Files) -> String {
    fs::read_to_string(files.pgn.as_deref().expect("a PGN file")).expect("text")
}
