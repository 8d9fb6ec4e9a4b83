// SPDX-License-Identifier: GPL-3.0-or-later
//! Games as transcripts with a clock of their own: a line for what is done, with its time in milliseconds, and
//! indented below it what follows. A transcript is right if playing it gives the same text.

use std::fmt::Write;

use rules::Random;

use super::{game_event::*, play::*, *};
use crate::message::{Action, ClockSetting, Colour, NewGame, Score};

struct Transcript {
    play: Play,
    journal: Vec<(GameEvent, Option<String>)>,
    operations: u32,
    text: String,
}

impl Transcript {
    fn new(new: &NewGame) -> Transcript {
        let begun = begin(new, 400..=3000, &mut Random::new(1)).unwrap();
        let play = Play::replay([(&begun, None)]).unwrap();
        Transcript { play, journal: vec![(begun, None)], operations: 0, text: String::new() }
    }

    fn run(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let now: Millis = words[0].parse().unwrap();
        let number = |index: usize| words[index].parse().unwrap();
        let action = match words[1] {
            "watch" | "leave" => {
                self.play.watch(words[1] == "watch", now);
                return self.show(now);
            }
            "engine" => {
                let m = self.play.game().board().parse_uci(words[2]).unwrap();
                let score = Score::Cp { value: words[3].parse().unwrap() };
                let events = match self.play.engine_claim() {
                    Some(claim) => vec![claim],
                    None => self.play.engine_move(m, Some(score), now),
                };
                return self.take(events, None, now);
            }
            "flag" => {
                let events = self.play.flag_fallen(now).into_iter().collect();
                return self.take(events, None, now);
            }
            "again" => {
                let operation = format!("o{}", self.operations);
                let events = self.play.decide(&operation, &Action::Resign, now).unwrap();
                return self.take(events, Some(operation), now);
            }
            "move" => Action::Move { ply: number(2), uci: words[3].to_owned() },
            "take-back" => Action::TakeBack,
            "resign" => Action::Resign,
            "offer" => Action::OfferDraw,
            "claim" => Action::ClaimDraw,
            other => panic!("{other}"),
        };
        self.operations += 1;
        let operation = format!("o{}", self.operations);
        match self.play.decide(&operation, &action, now) {
            Ok(events) => self.take(events, Some(operation), now),
            Err(refused) => {
                writeln!(self.text, "    refused: {:?}", refused.why).unwrap();
            }
        }
    }

    fn take(&mut self, events: Vec<GameEvent>, operation: Option<String>, now: Millis) {
        if events.is_empty() {
            writeln!(self.text, "    nothing").unwrap();
        }
        for event in events {
            self.play.apply(&event, operation.as_deref(), now).unwrap();
            match &event {
                GameEvent::Moved { uci, .. } => writeln!(self.text, "    moved {uci}").unwrap(),
                GameEvent::TakenBack { plies } => writeln!(self.text, "    taken back {plies}").unwrap(),
                GameEvent::Ended { result } => {
                    writeln!(self.text, "    ended {:?} {:?}", result.winner, result.reason).unwrap();
                }
                other => writeln!(self.text, "    {other:?}").unwrap(),
            }
            self.journal.push((event, operation.clone()));
        }
        self.show(now);
    }

    fn show(&mut self, now: Millis) {
        if let Some(clock) = self.play.state("game", 0, now).clock {
            let running = clock.running.map_or("none".to_owned(), |colour| format!("{colour:?}"));
            writeln!(self.text, "    clock {} {} {running}", clock.white_ms, clock.black_ms).unwrap();
        }
    }
}

/// Plays the lines that are not indented and compares everything; what a restart would see must be the same game.
fn check(new: &NewGame, transcript: &str) {
    let mut play = Transcript::new(new);
    let expected: String =
        transcript.lines().skip(1).map(|line| format!("{}\n", &line[8.min(line.len())..])).collect();
    let expected = expected.trim_end().to_owned() + "\n";
    for line in expected.lines().filter(|line| !line.starts_with(' ')) {
        writeln!(play.text, "{line}").unwrap();
        play.run(line);
    }
    assert_eq!(play.text, expected, "\n{}", play.text);
    let again =
        Play::replay(play.journal.iter().map(|(event, operation)| (event, operation.as_deref()))).unwrap();
    let state = |play: &Play| {
        let mut state = play.state("game", 0, 0);
        state.clock = None;
        state
    };
    assert_eq!(state(&again), state(&play.play));
}

fn new_game() -> NewGame {
    let colour = Some(Colour::White);
    NewGame { game: "game-1".into(), elo: None, colour, clock: None, fen: None, chess960: false }
}

fn from(fen: &str) -> NewGame {
    NewGame { fen: Some(fen.into()), ..new_game() }
}

fn with_clock() -> NewGame {
    NewGame { clock: Some(ClockSetting { base_ms: 60_000, increment_ms: 1_000 }), ..new_game() }
}

#[test]
fn a_game_to_mate() {
    check(
        &new_game(),
        "
        0 move 0 f2f3
            moved f2f3
        0 move 1 e7e5
            refused: NotYourTurn
        0 engine e7e5 -20
            moved e7e5
        0 move 0 g2g4
            refused: OutOfStep
        0 move 2 g2g5
            refused: IllegalMove
        0 move 2 g2g4
            moved g2g4
        0 engine d8h4 -9999
            moved d8h4
            ended Some(Black) Checkmate
        0 move 4 a2a3
            refused: GameOver
        0 take-back
            refused: GameOver",
    );
}

#[test]
fn moves_are_taken_back_to_the_humans_last() {
    check(
        &new_game(),
        "
        0 take-back
            refused: NotPossible
        0 move 0 e2e4
            moved e2e4
        0 take-back
            taken back 1
        0 move 0 d2d4
            moved d2d4
        0 engine d7d5 0
            moved d7d5
        0 take-back
            taken back 2
        0 move 0 c2c4
            moved c2c4",
    );
}

#[test]
fn an_operation_counts_once() {
    check(
        &new_game(),
        "
        0 move 0 e2e4
            moved e2e4
        0 again
            nothing
        0 resign
            ended Some(Black) Resignation
        0 again
            nothing",
    );
}

#[test]
fn a_draw_is_agreed_if_the_engine_hopes_for_no_more() {
    check(
        &new_game(),
        "
        0 offer
            Declined
        0 move 0 e2e4
            moved e2e4
        0 engine e7e5 -30
            moved e7e5
        0 offer
            Declined
        0 move 2 g1f3
            moved g1f3
        0 engine b8c6 10
            moved b8c6
        0 offer
            ended None Agreement",
    );
}

#[test]
fn a_repetition_can_be_claimed_but_need_not() {
    check(
        &new_game(),
        "
        0 claim
            refused: NotPossible
        0 move 0 g1f3
            moved g1f3
        0 engine g8f6 -50
            moved g8f6
        0 move 2 f3g1
            moved f3g1
        0 engine f6g8 -50
            moved f6g8
        0 move 4 g1f3
            moved g1f3
        0 engine g8f6 -50
            moved g8f6
        0 move 6 f3g1
            moved f3g1
        0 engine f6g8 -50
            moved f6g8
        0 claim
            ended None ThreefoldRepetition",
    );
}

#[test]
fn the_engine_claims_what_it_cannot_better() {
    check(
        &from("7k/8/8/8/8/8/RR6/4K3 w - - 98 80"),
        "
        0 move 0 a2a3
            moved a2a3
        0 engine h8g8 900
            moved h8g8
        0 move 2 a3a2
            moved a3a2
        0 engine g8h8 900
            ended None FiftyMoves",
    );
}

#[test]
fn the_clock_waits_for_both_first_moves_and_for_somebody_to_watch() {
    check(
        &with_clock(),
        "
        1000 watch
            clock 60000 60000 none
        5000 move 0 e2e4
            moved e2e4
            clock 60000 60000 none
        6000 engine e7e5 0
            moved e7e5
            clock 60000 60000 White
        8500 move 2 g1f3
            moved g1f3
            clock 58500 60000 Black
        9000 leave
            clock 58500 59500 none
        99000 watch
            clock 58500 59500 Black
        99500 engine b8c6 0
            moved b8c6
            clock 58500 60000 White
        100500 take-back
            taken back 2
            clock 57500 60000 White",
    );
}

#[test]
fn the_flag_falls() {
    check(
        &with_clock(),
        "
        0 watch
            clock 60000 60000 none
        0 move 0 e2e4
            moved e2e4
            clock 60000 60000 none
        0 engine e7e5 0
            moved e7e5
            clock 60000 60000 White
        59999 flag
            nothing
            clock 1 60000 White
        60000 move 2 g1f3
            ended Some(Black) Time
            clock 0 60000 none",
    );
}

#[test]
fn nobody_loses_on_time_to_a_lone_king() {
    let fen = Some("7k/8/8/8/8/8/7P/K7 w - - 0 1".to_owned());
    check(
        &NewGame { fen, ..with_clock() },
        "
        0 watch
            clock 60000 60000 none
        0 move 0 h2h3
            moved h2h3
            clock 60000 60000 none
        0 engine h8h7 0
            moved h8h7
            clock 60000 60000 White
        70000 flag
            ended None TimeWithoutMaterial
            clock 0 60000 none",
    );
}

#[test]
fn castling_is_written_as_the_game_wants() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let castle = |chess960, uci: &str| {
        let new = NewGame { chess960, ..from(fen) };
        let mut play = Transcript::new(&new);
        play.run(&format!("0 move 0 {uci}"));
        play.text.trim().to_owned()
    };
    assert_eq!(castle(false, "e1g1"), "moved e1g1");
    assert_eq!(castle(false, "e1h1"), "moved e1g1");
    assert_eq!(castle(true, "e1h1"), "moved e1h1");
}

#[test]
fn what_is_no_game_is_refused() {
    let refused = |new: NewGame| begin(&new, 400..=3000, &mut Random::new(1)).unwrap_err().why;
    assert_eq!(refused(NewGame { game: "a b".into(), ..new_game() }), Refusal::Invalid);
    assert_eq!(refused(NewGame { elo: Some(399), ..new_game() }), Refusal::Invalid);
    assert_eq!(refused(from("8/8/8/8/8/8/8/8 w - - 0 1")), Refusal::Invalid);
    assert_eq!(refused(from("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")), Refusal::Invalid, "stalemate");
    let clock = Some(ClockSetting { base_ms: 10, increment_ms: 0 });
    assert_eq!(refused(NewGame { clock, ..new_game() }), Refusal::Invalid);
}

#[test]
fn the_lot_decides_sides_and_starts() {
    let drawn = |seed, chess960| {
        let new = NewGame { colour: None, chess960, ..new_game() };
        match begin(&new, 400..=3000, &mut Random::new(seed)).unwrap() {
            GameEvent::Begun { human, fen, .. } => (human, fen),
            other => panic!("{other:?}"),
        }
    };
    let sides: Vec<Colour> = (0..40).map(|seed| drawn(seed, false).0).collect();
    assert!(sides.contains(&Colour::White) && sides.contains(&Colour::Black));
    let starts: std::collections::BTreeSet<String> = (0..40).map(|seed| drawn(seed, true).1).collect();
    assert!(starts.len() > 20, "{starts:?}");
    assert!(drawn(7, false).1.starts_with("rnbqkbnr/pppppppp"));
}
