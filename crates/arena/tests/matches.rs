// SPDX-License-Identifier: GPL-3.0-or-later
//! Whole matches: every game once, whatever happens on the way.

mod table;

use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions},
    io::{BufReader, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use arena::{Conditions, EngineSpec, Fault, Files, Labels, Ledger, Match, Settings};
use contest::{
    adjudicate,
    pairing::{Pairing, Schedule},
};
use formats::{
    book::{Book, Order},
    pgn::Reader,
};
use serde_json::json;
use table::{conditions, mock};

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path); // it is there only if the test ran before
    fs::create_dir_all(&path).expect("a folder");
    path
}

fn files(folder: &Path) -> Files {
    Files { state: Some(folder.join("match.state")), pgn: Some(folder.join("match.pgn")) }
}

fn settings(text: &str) -> Settings {
    json!({ "test": text }).as_object().expect("an object").clone()
}

fn short_games() -> Conditions {
    let adjudication = adjudicate::Rules { max_moves: Some(8), ..adjudicate::Rules::default() };
    Conditions { adjudication, ..conditions() }
}

/// Plays a match, or a part of it, and returns its books.
fn run(
    files: &Files,
    engines: &[EngineSpec],
    cycles: usize,
    conditions: &Conditions,
    most_games: usize,
) -> anyhow::Result<Ledger> {
    let schedule = Schedule::new(Pairing::RoundRobin, engines.len(), cycles)?;
    let folder = files.state.as_deref().and_then(Path::parent).expect("a folder");
    let path = folder.join("book.epd");
    fs::write(
        &path,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
         rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\
         rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\n",
    )?;
    let book = Book::read(&path, None, Order::Sequential)?;
    let mut ledger = Ledger::open(files, &settings("one"), &schedule, engines.len())?;
    let time_control = "nodes=1".parse()?;
    let plan = Match { engines, schedule, time_control, book: Some(&book), conditions, concurrency: 3 };
    let mut played = 0;
    plan.run(&ledger.done().clone(), |finished| {
        let fixture = finished.fixture;
        let players = [fixture.white, fixture.black];
        let labels = Labels {
            event: "test",
            round: fixture.game + 1,
            names: players.map(|engine| engines[engine].name.as_str()),
            controls: players.map(|engine| plan.control(engine)),
            chess960: false,
        };
        ledger.enter(&finished, &labels)?;
        played += 1;
        anyhow::Ok(if played < most_games { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    })?;
    Ok(ledger)
}

/// Round, White and FEN of each game of a PGN file.
fn games(path: &Path) -> Vec<(usize, String, String)> {
    let mut reader = Reader::new(BufReader::new(File::open(path).expect("a file")));
    std::iter::from_fn(|| reader.next_game().expect("good PGN"))
        .map(|game| {
            let tag = |name| game.tags.get(name).unwrap_or_default().to_owned();
            (tag("Round").parse().expect("a number"), tag("White"), tag("FEN"))
        })
        .collect()
}

fn assert_complete(files: &Files, count: usize) {
    let games = games(files.pgn.as_deref().expect("a PGN file"));
    let rounds: BTreeSet<usize> = games.iter().map(|(round, ..)| *round).collect();
    assert_eq!((games.len(), rounds), (count, (1..=count).collect()));
}

fn two() -> [EngineSpec; 2] {
    [mock("a", "random seed=1"), mock("b", "random seed=2")]
}

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
    assert_eq!(message("one"), format!("state file {name} is in use by another match"));
    drop(first);
    assert_eq!(
        message("two"),
        format!("state file {name} belongs to another match: its test is \"one\", expected \"two\"")
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
    Ledger::remove(&files).unwrap();
    assert!(!state.exists());
}

#[test]
fn crashers_are_started_again_and_counted() {
    let files = files(&folder("crash"));
    let engines = [mock("bad", "crash at=3"), mock("good", "random seed=2")];
    let ledger = run(&files, &engines, 3, &conditions(), usize::MAX).unwrap();
    let [bad, good] = ledger.standings().rows() else { panic!("two engines") };
    assert_eq!((bad.games.counts(), bad.faults.of(Fault::Crash)), ([6, 0, 0], 6));
    assert_eq!((good.games.counts(), good.faults.total()), ([0, 0, 6], 0));
    assert_complete(&files, 6);
}

#[test]
fn who_never_starts_loses_every_game() {
    let files = files(&folder("silent"));
    let mut conditions = conditions();
    conditions.patience.start = std::time::Duration::from_millis(200);
    let engines = [mock("good", "random"), mock("mute", "silent")];
    let ledger = run(&files, &engines, 1, &conditions, usize::MAX).unwrap();
    let mute = &ledger.standings().rows()[1];
    assert_eq!((mute.games.losses(), mute.faults.of(Fault::NoHandshake)), (2, 2));
    assert_complete(&files, 2);
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
