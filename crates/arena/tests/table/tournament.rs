// SPDX-License-Identifier: GPL-3.0-or-later
//! Whole matches of mock engines, with their books in a folder.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::BufReader,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use arena::{Conditions, EngineSpec, Files, Labels, Ledger, Match, Settings};
use contest::{
    adjudicate,
    pairing::{Pairing, Schedule},
};
use formats::{
    book::{Book, Order},
    pgn::Reader,
};
use serde_json::json;

use super::{conditions, mock};

/// An empty folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path); // it is there only if the test ran before
    fs::create_dir_all(&path).expect("a folder");
    path
}

pub(crate) fn files(folder: &Path) -> Files {
    Files { state: Some(folder.join("match.state")), pgn: Some(folder.join("match.pgn")), fresh: false }
}

pub(crate) fn settings(text: &str) -> Settings {
    json!({ "test": text }).as_object().expect("an object").clone()
}

pub(crate) fn short_games() -> Conditions {
    let adjudication = adjudicate::Rules { max_moves: Some(8), ..adjudicate::Rules::default() };
    Conditions { adjudication, ..conditions() }
}

/// Plays a match, or a part of it, and returns its books.
pub(crate) fn run(
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
pub(crate) fn games(path: &Path) -> Vec<(usize, String, String)> {
    let mut reader = Reader::new(BufReader::new(File::open(path).expect("a file")));
    std::iter::from_fn(|| reader.next_game().expect("good PGN"))
        .map(|game| {
            let tag = |name| game.tags.get(name).unwrap_or_default().to_owned();
            (tag("Round").parse().expect("a number"), tag("White"), tag("FEN"))
        })
        .collect()
}

pub(crate) fn assert_complete(files: &Files, count: usize) {
    let games = games(files.pgn.as_deref().expect("a PGN file"));
    let rounds: BTreeSet<usize> = games.iter().map(|(round, ..)| *round).collect();
    assert_eq!((games.len(), rounds), (count, (1..=count).collect()));
}

pub(crate) fn two() -> [EngineSpec; 2] {
    [mock("a", "random seed=1"), mock("b", "random seed=2")]
}
