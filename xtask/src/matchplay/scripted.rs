// SPDX-License-Identifier: GPL-3.0-or-later
//! Games between shell scripts that speak just enough UCI to behave, or to misbehave.

use std::time::Duration;

use rules::{Color, Outcome, chess::Board};

use super::{
    game::{Conditions, GameRecord, play_game},
    pgn::{Tags, format_game},
    player::Player,
    spec::EngineSpec,
    tally::Fault,
};

/// An engine that answers `go` by running `on_go`; `moves` are its positional parameters.
fn engine(on_go: &str, moves: &[&str]) -> Player {
    let script = format!(
        "while read line; do case $line in
            uci) echo 'id name caf\u{e9}'; echo uciok;;
            isready) echo readyok;;
            go*) {on_go};;
            quit) exit;;
        esac; done"
    );
    let mut arguments = vec!["-c".to_owned(), script, "script".to_owned()];
    arguments.extend(moves.iter().map(|&m| m.to_owned()));
    let spec = EngineSpec { command: "sh".into(), name: "script".into(), arguments, options: Vec::new() };
    Player::start(&spec, false).unwrap()
}

fn mover(moves: &[&str]) -> Player {
    engine("echo info depth 1 score cp 25; echo bestmove $1; shift", moves)
}

fn play(mut white: Player, mut black: Player) -> GameRecord {
    let conditions = Conditions {
        time_control: "0.2+0.1".parse().unwrap(),
        margin: Duration::from_millis(50),
        patience: Duration::from_millis(400),
        max_moves: 3,
        draw: None,
        resign: None,
        chess960: false,
    };
    play_game(&Board::start(), [&mut white, &mut black], &conditions)
}

#[test]
fn a_game_ends_in_checkmate() {
    let mut record = play(mover(&["f2f3", "g2g4"]), mover(&["e7e5", "d8h4"]));
    assert_eq!(record.outcome, Outcome::Win(Color::Black));
    assert_eq!(record.fault, None);

    for made in &mut record.moves {
        made.elapsed = Duration::from_millis(20); // the real times differ from run to run
    }
    let tags = Tags { round: 7, names: ["A \"x\"", "B"], time_control: "0.2+0.1".into(), chess960: false };
    let expected = r#"[Event "Engine match"]
[Site "?"]
[Date "????.??.??"]
[Round "7"]
[White "A \"x\""]
[Black "B"]
[Result "0-1"]
[TimeControl "0.2+0.1"]
[PlyCount "4"]
[Termination "normal"]

1. f3 {+0.25/1 0.020s} e5 {+0.25/1 0.020s} 2. g4 {+0.25/1 0.020s} Qh4#
{+0.25/1 0.020s} {checkmate} 0-1

"#;
    assert_eq!(format_game(&tags, &record), expected);
}

#[test]
fn a_long_game_is_a_draw() {
    let record = play(mover(&["g1f3", "f3g1", "b1c3"]), mover(&["g8f6", "f6g8", "b8c6"]));
    assert_eq!((record.outcome, record.fault, record.adjudicated), (Outcome::Draw, None, true));
    assert_eq!(record.moves.len(), 6);
}

#[test]
fn an_illegal_move_loses() {
    for nonsense in ["e7e6", "0000", "(none)", ""] {
        let record = play(mover(&["e2e4", nonsense]), mover(&["e7e5"]));
        assert_eq!((record.outcome, record.fault), (Outcome::Win(Color::Black), Some(Fault::Illegal)));
    }
}

#[test]
fn a_crash_loses() {
    let record = play(mover(&["e2e4"]), engine("exit 1", &[]));
    assert_eq!((record.outcome, record.fault), (Outcome::Win(Color::White), Some(Fault::Crash)));
}

#[test]
fn a_late_move_loses() {
    let record = play(engine("sleep 0.4; echo bestmove e2e4", &[]), mover(&[]));
    assert_eq!((record.outcome, record.fault), (Outcome::Win(Color::Black), Some(Fault::Late)));
}

#[test]
fn silence_is_a_stall() {
    let record = play(engine("true", &[]), mover(&[]));
    assert_eq!((record.outcome, record.fault), (Outcome::Win(Color::Black), Some(Fault::Stall)));
}
