// SPDX-License-Identifier: GPL-3.0-or-later
//! Every way of misbehaving ends the game with the right result and reason, and soon.

mod table;

use std::time::{Duration, Instant};

#[cfg(unix)]
use arena::{EngineSpec, Program};
use arena::{Fault, Offence, StartError, Termination};
use contest::adjudicate;
use rules::{Color, Outcome};
use table::{conditions, mock, play, refused};

/// A mock with White against a random mover: White must lose for the fault, as the words say.
fn assert_loses(behaviour: &str, control: &str, fault: Fault, words: &str) {
    let begun = Instant::now();
    let record = play(&mock("bad", behaviour), &mock("good", "random seed=5"), control, &conditions());
    assert_eq!(record.ending.outcome, Outcome::Win(Color::Black), "{behaviour}");
    assert_eq!(record.ending.termination, Termination::Fault(Color::White, fault), "{behaviour}");
    assert!(record.ending.reason.contains(words), "{behaviour}: {}", record.ending.reason);
    assert!(begun.elapsed() < Duration::from_secs(15), "{behaviour} took {:?}", begun.elapsed());
}

/// The offence of a mock that does not get as far as a game.
fn offence(behaviour: &str) -> Offence {
    match refused(&mock("bad", behaviour)) {
        StartError::Offence { offence, .. } => offence,
        other => panic!("{behaviour}: {other}"),
    }
}

#[test]
fn no_answer_to_uci() {
    let offence = offence("silent");
    assert_eq!(
        (offence.fault, &offence.words[..]),
        (Fault::NoHandshake, "does not answer 'uci' within 1.5s")
    );
    let message = refused(&mock("bad", "stillborn")).to_string();
    assert_eq!(message, "engine bad crashes (exit status: 7)");
}

#[test]
fn no_answer_to_isready() {
    let offence = offence("unready");
    assert_eq!(
        (offence.fault, &offence.words[..]),
        (Fault::NotReady, "does not answer 'isready' within 1.5s")
    );
}

#[test]
fn dead_on_arrival() {
    let offence = offence("stillborn");
    assert_eq!((offence.fault, &offence.words[..]), (Fault::Crash, "crashes (exit status: 7)"));
}

#[test]
fn illegal_moves() {
    assert_loses("illegal", "5+0.1", Fault::IllegalMove, "white plays the illegal move 'a1h8'");
    assert_loses("illegal at=3", "nodes=1", Fault::IllegalMove, "white plays the illegal move 'a1h8'");
    assert_loses("none", "5+0.1", Fault::IllegalMove, "white gives no move");
    assert_loses(
        "random moves=e2e4:e2e4",
        "5+0.1",
        Fault::IllegalMove,
        "white plays the illegal move 'e2e4'",
    );
}

#[test]
fn garbage() {
    assert_loses("garbage", "5+0.1", Fault::Garbage, "white sends garbage for a move: 'πππ'");
    assert_loses("empty at=2", "5+0.1", Fault::Garbage, "white sends garbage: nothing after 'bestmove'");
}

#[test]
fn stalls() {
    assert_loses("stall", "0.3", Fault::Stall, "white stalls");
    assert_loses("stall at=2", "movetime=0.1", Fault::Stall, "white stalls");
    // Without a clock even an engine that obeys `stop` has had its chance.
    assert_loses("slow", "nodes=1", Fault::Stall, "white stalls");
}

#[test]
fn flag_falls() {
    assert_loses("slow", "0.3", Fault::FlagFall, "white loses on time");
    assert_loses("random delay=400", "0.2+0.01", Fault::FlagFall, "white loses on time");
    assert_loses("slow at=2", "movetime=0.1", Fault::FlagFall, "white loses on time");
}

#[test]
fn crashes() {
    assert_loses("crash", "5+0.1", Fault::Crash, "white crashes (exit status: 3)");
    assert_loses("crash at=4", "nodes=1", Fault::Crash, "white crashes (exit status: 3)");
}

#[test]
fn floods() {
    for flood in ["flood", "flood-line at=2", "flood-answers", "flood-idle"] {
        assert_loses(flood, "600", Fault::Flood, "white floods its output");
    }
    assert_eq!(offence("flood-start").fault, Fault::Flood);
}

/// An engine in the shell, which can close its pipes; it says this when asked for a move.
#[cfg(unix)]
fn shell(answer: &str) -> EngineSpec {
    let script = format!(
        "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; go*) {answer};; esac; done"
    );
    let program =
        Program::Command { path: "sh".to_owned(), arguments: vec!["-c".to_owned(), script], directory: None };
    EngineSpec { name: "shell".to_owned(), program, options: Vec::new(), time_control: None }
}

#[cfg(unix)]
#[test]
fn who_closes_a_pipe_has_crashed() {
    let good = mock("good", "random delay=200 seed=5");
    let mute = shell("exec sleep 5 >&-");
    let deaf = shell("echo bestmove e2e4; exec sleep 5 <&-");
    for (bad, moves) in [(mute, 0), (deaf, 2)] {
        let record = play(&bad, &good, "9", &conditions());
        assert_eq!(record.ending.termination, Termination::Fault(Color::White, Fault::Crash));
        assert_eq!((record.moves.len(), &record.ending.reason[..]), (moves, "white closes its pipes"));
        // Finding out takes half a second, which is neither thinking nor overhead.
        assert!(record.overhead.worst() < Duration::from_millis(300), "{:?}", record.overhead.worst());
    }
}

#[test]
fn noise_is_no_fault() {
    let mut conditions = conditions();
    conditions.adjudication = adjudicate::Rules { max_moves: Some(12), ..adjudicate::Rules::default() };
    let record = play(&mock("noisy", "chatty seed=3"), &mock("good", "random seed=6"), "5+0.1", &conditions);
    assert_eq!(record.ending.termination, Termination::Adjudication, "{}", record.ending.reason);
}

#[test]
fn mistakes_of_the_description_are_nobodys_offence() {
    let mut spec = mock("a", "random");
    spec.options.push(("Contempt".to_owned(), "1".to_owned()));
    assert_eq!(
        refused(&spec).to_string(),
        "engine a has no option 'Contempt', expected one of Hash, UCI_Chess960"
    );
    let missing = "cmd=/no/such/engine,name=ghost".parse().unwrap();
    assert!(refused(&missing).to_string().starts_with("engine ghost cannot be started: "));
    let own = "own,option.Hash=none".parse().unwrap();
    assert_eq!(
        refused(&own).to_string(),
        "engine nue: option Hash: 'none', expected a whole number from 1 to 1048576"
    );
}
