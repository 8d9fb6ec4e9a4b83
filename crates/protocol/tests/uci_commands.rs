// SPDX-License-Identifier: GPL-3.0-or-later
//! What an engine reads: known lines, round trips, and lines nobody should send.

use std::time::Duration;

use protocol::uci::{Command, Go, NumberError, ParseCommandError, PositionCommand, SetOption, StartPosition};

fn parse(line: &str) -> Command {
    Command::parse(line).unwrap_or_else(|error| panic!("{line:?}: {error}"))
}

fn refusal(line: &str) -> String {
    Command::parse(line).expect_err(line).to_string()
}

#[test]
fn single_words() {
    for (line, command) in [
        ("uci", Command::Uci),
        ("isready", Command::IsReady),
        ("ucinewgame", Command::NewGame),
        ("stop", Command::Stop),
        ("ponderhit", Command::PonderHit),
        ("quit\r\n", Command::Quit),
        ("  d ", Command::Diagram),
        ("eval", Command::Eval),
        ("flip", Command::Flip),
        ("help", Command::Help),
        ("bench", Command::Bench { depth: None }),
        ("bench 9", Command::Bench { depth: Some(9) }),
        ("debug on", Command::Debug(true)),
        ("debug off", Command::Debug(false)),
        ("register later", Command::Register("later".into())),
    ] {
        assert_eq!(parse(line), command, "{line:?}");
    }
}

#[test]
fn unknown_words_before_a_command_are_skipped() {
    assert_eq!(parse("joho debug on"), Command::Debug(true));
    assert_eq!(parse("well then   isready"), Command::IsReady);
    // The short words beyond UCI could stand in any sentence.
    assert_eq!(
        Command::parse("what does d mean"),
        Err(ParseCommandError::Unknown("what".into())),
        "no command in the middle of a sentence"
    );
}

#[test]
fn positions() {
    let position = |start, moves: &[&str]| {
        Command::Position(PositionCommand { start, moves: moves.iter().map(|m| m.to_string()).collect() })
    };
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(parse("position startpos"), position(StartPosition::Initial, &[]));
    assert_eq!(parse("position startpos moves"), position(StartPosition::Initial, &[]));
    assert_eq!(
        parse("position startpos moves e2e4 e7e5"),
        position(StartPosition::Initial, &["e2e4", "e7e5"])
    );
    assert_eq!(
        parse(&format!("position  fen  {fen}  moves  a7a8q")),
        position(StartPosition::Fen(fen.into()), &["a7a8q"])
    );
}

#[test]
fn limits() {
    let ms = Duration::from_millis;
    assert_eq!(parse("go"), Command::Go(Go::default()));
    assert_eq!(parse("go infinite"), Command::Go(Go { infinite: true, ..Go::default() }));
    assert_eq!(
        parse("go wtime 60000 btime -5 winc 100 binc 200 movestogo 40"),
        Command::Go(Go {
            time: [Some(ms(60_000)), Some(Duration::ZERO)],
            increment: [Some(ms(100)), Some(ms(200))],
            moves_to_go: Some(40),
            ..Go::default()
        })
    );
    assert_eq!(
        parse("go searchmoves e2e4 d2d4 depth 5 nodes 1000 mate 3 movetime 250 ponder"),
        Command::Go(Go {
            search_moves: vec!["e2e4".into(), "d2d4".into()],
            depth: Some(5),
            nodes: Some(1000),
            mate: Some(3),
            move_time: Some(ms(250)),
            ponder: true,
            ..Go::default()
        })
    );
    assert_eq!(parse("go perft 6"), Command::Go(Go { perft: Some(6), ..Go::default() }));
}

#[test]
fn options() {
    let option = |name: &str, value: Option<&str>| {
        Command::SetOption(SetOption { name: name.into(), value: value.map(str::to_owned) })
    };
    assert_eq!(parse("setoption name Hash value 64"), option("Hash", Some("64")));
    assert_eq!(parse("setoption name Clear Hash"), option("Clear Hash", None));
    assert_eq!(parse("setoption name  Move   Overhead value 30"), option("Move Overhead", Some("30")));
    assert_eq!(
        parse("setoption name SyzygyPath value /my  tables/with value"),
        option("SyzygyPath", Some("/my  tables/with value"))
    );
    assert_eq!(parse("setoption name EvalFile value"), option("EvalFile", Some("")));
    let Command::SetOption(hash) = parse("setoption name hash value 1") else { panic!("not an option") };
    assert!(hash.names("Hash") && !hash.names("Hash2"));
}

#[test]
fn refusals_name_the_word() {
    assert_eq!(refusal(""), "empty line, expected a command");
    assert_eq!(refusal(" \t "), "empty line, expected a command");
    assert_eq!(refusal("xyzzy plugh"), "unknown command 'xyzzy', 'help' lists the known ones");
    assert_eq!(refusal("go depth"), "nothing after 'depth', expected a whole number");
    assert_eq!(refusal("go depth five"), "'five' after 'depth' is not a whole number");
    assert_eq!(refusal("go dpeth 5"), "'dpeth' after 'go', expected a limit such as 'depth' or 'movetime'");
    assert_eq!(refusal("go searchmoves depth 4"), "nothing after 'searchmoves', expected at least one move");
    assert_eq!(refusal("position"), "nothing after 'position', expected 'startpos' or 'fen'");
    assert_eq!(refusal("position here"), "'here' after 'position', expected 'startpos' or 'fen'");
    assert_eq!(refusal("position startpos e2e4"), "'e2e4' after 'position startpos', expected 'moves'");
    assert_eq!(refusal("position fen moves e2e4"), "nothing after 'position fen', expected a position");
    assert_eq!(refusal("debug joho on"), "'joho' after 'debug', expected 'on' or 'off'");
    assert_eq!(refusal("setoption Hash 5"), "'Hash' after 'setoption', expected 'name'");
    assert_eq!(
        refusal("setoption name value 5"),
        "nothing after 'setoption name', expected the name of an option"
    );
    assert_eq!(
        Command::parse("go nodes x"),
        Err(ParseCommandError::Number(NumberError::NotANumber { field: "nodes", found: "x".into() }))
    );
}

#[test]
fn the_text_of_a_command_parses_back() {
    for line in [
        "uci",
        "debug on",
        "debug off",
        "isready",
        "setoption name Clear Hash",
        "setoption name Move Overhead value 30",
        "setoption name SyzygyPath value ",
        "register",
        "register name Anna code 4711",
        "ucinewgame",
        "position startpos",
        "position startpos moves e2e4 e7e5 g1f3",
        "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves a1a2",
        "go",
        "go ponder wtime 1000 btime 2000 winc 10 binc 20 movestogo 3",
        "go infinite searchmoves e2e4 d2d4",
        "go movetime 99 depth 12 nodes 18446744073709551615 mate 4",
        "go perft 5",
        "stop",
        "ponderhit",
        "quit",
        "bench",
        "bench 12",
        "d",
        "eval",
        "flip",
        "help",
    ] {
        let command = parse(line);
        assert_eq!(command.to_string(), line, "the text is the canonical one");
        assert_eq!(parse(&command.to_string()), command);
    }
}

/// Every pair and triple of words, known and unknown, in every order.
#[test]
fn no_line_panics_and_each_accepted_one_round_trips() {
    let words = [
        "uci",
        "debug",
        "on",
        "setoption",
        "name",
        "value",
        "register",
        "position",
        "startpos",
        "fen",
        "moves",
        "go",
        "depth",
        "searchmoves",
        "wtime",
        "-1",
        "99999999999999999999999999999999999999999",
        "ponder",
        "infinite",
        "perft",
        "bench",
        "d",
        "é",
        "\u{0}",
        "e2e4",
        "",
        "\t",
    ];
    for a in words {
        for b in words {
            for c in words {
                let line = format!("{a} {b} {c}");
                if let Ok(command) = Command::parse(&line) {
                    assert_eq!(Command::parse(&command.to_string()), Ok(command), "{line:?}");
                }
            }
        }
    }
}
