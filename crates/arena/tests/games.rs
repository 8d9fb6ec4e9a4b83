// SPDX-License-Identifier: GPL-3.0-or-later
//! Games as they should be: how they end, what is measured, what is written down.

mod table;

use std::{path::PathBuf, sync::atomic::AtomicBool, time::Duration};

use arena::{Player, Termination, play_game};
use contest::adjudicate;
use engine::Tablebases;
use formats::book::Opening;
use rules::{Color, Outcome, chess::Board};
use table::{conditions, mock, play, seat, start_position};

#[test]
fn mate_ends_the_game() {
    let white = mock("a", "random moves=f2f3:g2g4 score=-30");
    let black = mock("b", "random moves=e7e5:d8h4 score=30");
    let record = play(&white, &black, "5+0.1", &conditions());
    assert_eq!(record.ending.outcome, Outcome::Win(Color::Black));
    assert_eq!((record.ending.termination, &record.ending.reason[..]), (Termination::Normal, "checkmate"));
    let opinions: Vec<String> = record.moves.iter().map(|made| made.opinion.unwrap().to_string()).collect();
    assert_eq!(opinions, ["-0.30/1", "+0.30/1", "-0.30/1", "+0.30/1"]);
    assert!(record.moves.iter().all(|made| made.left.is_some_and(|left| left > Duration::from_secs(4))));
}

#[test]
fn thinking_time_is_the_engines_own() {
    let slow = mock("slow", "random moves=f2f3:g2g4 delay=60");
    let fast = mock("fast", "random moves=e7e5:d8h4");
    let record = play(&slow, &fast, "5+0.1", &conditions());
    let (white, black) = (record.thinking_time(Color::White), record.thinking_time(Color::Black));
    assert!(white >= Duration::from_millis(120), "{white:?}");
    assert!(black < white / 2, "{black:?} {white:?}");
    assert_eq!(record.overhead.count(), 3, "between four moves");
}

#[test]
fn scores_can_end_the_game() {
    let rules =
        adjudicate::Rules { draw: "1,4,10".parse().ok(), resign: "3,500".parse().ok(), max_moves: Some(30) };
    let end = |white: i32, black: i32| {
        let mut conditions = conditions();
        conditions.adjudication = rules;
        let [white, black] = [white, black].map(|score| mock("x", &format!("random seed=9 score={score}")));
        let record = play(&white, &black, "nodes=1", &conditions);
        assert_eq!(record.ending.termination, Termination::Adjudication);
        (record.ending.outcome, record.moves.len())
    };
    assert_eq!(end(900, -900), (Outcome::Win(Color::White), 6));
    assert_eq!(end(-900, 900), (Outcome::Win(Color::Black), 6));
    assert_eq!(end(5, 5), (Outcome::Draw, 8));
    assert_eq!(end(900, 900), (Outcome::Draw, 60));
}

/// A game of the engine inside this program against itself from a position.
fn own_game(fen: &str, moves: &[&str], tables: bool) -> arena::GameRecord {
    let start = Board::from_fen(fen).unwrap();
    let mut board = start;
    let mut opening = Opening { start, moves: Vec::new() };
    for text in moves {
        let m = board.parse_uci(text).unwrap();
        board.play(m);
        opening.moves.push(m);
    }
    let spec = "own,option.Hash=1".parse().unwrap();
    let (mut white, mut black) = (seat(&spec), seat(&spec));
    let mut conditions = conditions();
    if tables {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/data/syzygy");
        conditions.tablebases = Some(Tablebases::open(&path).expect("tables"));
    }
    let players: [&mut dyn Player; 2] = [&mut *white, &mut *black];
    let controls = ["nodes=2000".parse().unwrap(), "depth=4".parse().unwrap()];
    play_game(&opening, players, controls, &conditions, &AtomicBool::new(false)).expect("a whole game")
}

#[test]
fn our_own_engine_needs_no_pipe() {
    let record = own_game("6k1/8/6K1/8/8/8/8/R7 b - - 0 1", &["g8h8"], false);
    assert_eq!(record.ending.outcome, Outcome::Win(Color::White));
    assert_eq!(record.ending.reason, "checkmate");
    assert_eq!(record.moves[0].m.to_uci(false), "a1a8");
}

#[test]
fn tables_can_end_the_game() {
    let record = own_game("8/8/8/4k3/8/8/8/KQ6 w - - 0 1", &[], true);
    assert_eq!(record.ending.outcome, Outcome::Win(Color::White));
    assert_eq!(record.ending.termination, Termination::Adjudication);
    assert_eq!(record.moves.len(), 1);
}

#[test]
fn a_stopped_game_has_no_record() {
    let (mut white, mut black) = (seat(&mock("a", "random")), seat(&mock("b", "random")));
    let players: [&mut dyn Player; 2] = [&mut *white, &mut *black];
    let controls = ["nodes=1".parse().unwrap(); 2];
    let record = play_game(&start_position(), players, controls, &conditions(), &AtomicBool::new(true));
    assert!(record.is_none());
}
