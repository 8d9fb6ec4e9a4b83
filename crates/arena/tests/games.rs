// SPDX-License-Identifier: GPL-3.0-or-later
//! Games as they should be: how they end, what is measured, what is written down.

mod table;

use std::{
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use arena::{Fault, Labels, Player, Termination, play_game, start, to_pgn};
use contest::adjudicate;
use engine::{Controls, Tablebases};
use formats::{book::Opening, pgn::Reader};
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
    play_game(&opening, players, controls, &conditions, &Controls::new()).expect("a whole game")
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
    let stop = Controls::new();
    stop.stop();
    assert!(play_game(&start_position(), players, controls, &conditions(), &stop).is_none());
}

#[test]
fn sessions_give_the_base_time_again() {
    let mut conditions = conditions();
    conditions.adjudication.max_moves = Some(4);
    let record = play(&mock("a", "random seed=4"), &mock("b", "random seed=5"), "2/5", &conditions);
    let left: Vec<u64> =
        record.moves.iter().step_by(2).map(|made| made.left.unwrap().as_secs_f64().round() as u64).collect();
    assert_eq!(left, [5, 10, 10, 15]);
}

#[test]
fn castling_of_chess960_is_understood_by_all() {
    let fen = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";
    let opening = Opening { start: Board::from_fen(fen).unwrap(), moves: Vec::new() };
    let mut conditions = conditions();
    conditions.chess960 = true;
    conditions.adjudication.max_moves = Some(3);
    let seat = |spec| start(&spec, true, conditions.patience).unwrap_or_else(|error| panic!("{error}"));
    let own = "own,option.Hash=1".parse().unwrap();
    let (mut white, mut black) =
        (seat(mock("a", "random moves=e1g1:a2a3")), seat(mock("b", "random moves=e8b8")));
    let mut own = seat(own);
    let controls = ["nodes=100".parse().unwrap(); 2];
    let players: [&mut dyn Player; 2] = [&mut *white, &mut *black];
    let record = play_game(&opening, players, controls, &conditions, &Controls::new()).unwrap();
    assert_eq!(record.ending.termination, Termination::Adjudication, "{}", record.ending.reason);
    assert!(record.moves[..2].iter().all(|made| made.m.is_castle()));
    let labels = Labels { event: "", round: 1, names: ["a", "b"], controls, chess960: true };
    let text = to_pgn(&labels, &record).to_string();
    assert!(
        text.contains("[Variant \"Chess960\"]") && text.contains("1. O-O ") && text.contains(" O-O-O "),
        "{text}"
    );
    let read = Reader::new(text.as_bytes()).next_game().unwrap().expect("a game");
    assert!(read.moves.iter().map(|ply| ply.m).eq(record.moves.iter().map(|made| made.m)));
    // Our own engine, told the same, plays on.
    let opening = Opening { start: opening.start, moves: record.moves.iter().map(|made| made.m).collect() };
    let players: [&mut dyn Player; 2] = [&mut *own, &mut *black];
    let record = play_game(&opening, players, controls, &conditions, &Controls::new()).unwrap();
    assert_eq!(record.ending.termination, Termination::Adjudication, "{}", record.ending.reason);
}

/// A game of our own engine with a depth that it never reaches.
fn endless_game(thought: Duration, stop: &Controls) -> Option<arena::GameRecord> {
    let spec = "own,option.Hash=1".parse().unwrap();
    let mut conditions = conditions();
    conditions.patience.thought = thought;
    let mut seats = [0, 1].map(|_| start(&spec, false, conditions.patience).expect("an engine"));
    let [white, black] = &mut seats;
    let players: [&mut dyn Player; 2] = [&mut **white, &mut **black];
    play_game(&start_position(), players, ["depth=99".parse().unwrap(); 2], &conditions, stop)
}

#[test]
fn our_own_engine_is_not_waited_for_without_end() {
    let record = endless_game(Duration::from_millis(100), &Controls::new()).expect("a game");
    assert_eq!(record.ending.termination, Termination::Fault(Color::White, Fault::Stall));
    assert!(record.thinking_time(Color::White) >= Duration::from_millis(100), "wasted time is thinking, too");
    assert_eq!(record.thinking_time(Color::Black), Duration::ZERO);
}

#[test]
fn our_own_engine_hears_that_the_match_is_over() {
    let (stop, begun) = (Controls::new(), Instant::now());
    let record = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(100));
            stop.stop();
        });
        endless_game(Duration::from_secs(60), &stop)
    });
    assert!(record.is_none());
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}
