// SPDX-License-Identifier: GPL-3.0-or-later
//! What an engine writes, and what a match runner reads from it.

use std::time::Duration;

use protocol::uci::{Bound, Info, OptionKind, OptionOffer, Reply, Score};

fn parse(line: &str) -> Reply {
    Reply::parse(line).unwrap_or_else(|error| panic!("{line:?}: {error}"))
}

fn info(line: &str) -> Info {
    match parse(line) {
        Reply::Info(info) => info,
        reply => panic!("{line:?} is {reply:?}"),
    }
}

#[test]
fn a_full_line_of_search() {
    let line = "info depth 20 seldepth 31 multipv 2 score cp -34 lowerbound wdl 20 800 180 nodes 123456 \
                nps 1000000 hashfull 12 tbhits 3 time 123 pv e2e4 e7e5 g1f3";
    let full = Info {
        depth: Some(20),
        seldepth: Some(31),
        multipv: Some(2),
        score: Some(Score::Cp(-34)),
        bound: Bound::Lower,
        wdl: Some([20, 800, 180]),
        nodes: Some(123_456),
        nps: Some(1_000_000),
        hashfull: Some(12),
        tbhits: Some(3),
        time: Some(Duration::from_millis(123)),
        pv: vec!["e2e4".into(), "e7e5".into(), "g1f3".into()],
        ..Info::default()
    };
    assert_eq!(Reply::Info(full.clone()).to_string(), line);
    assert_eq!(info(line), full);
}

#[test]
fn other_engines_lines_are_understood() {
    let mate = info("info depth 3 score mate -2 upperbound time 5 pv h7h8 string hello  there");
    assert_eq!((mate.score, mate.bound), (Some(Score::Mate(-2)), Bound::Upper));
    assert_eq!(mate.pv, ["h7h8"]);
    assert_eq!(mate.string.as_deref(), Some("hello  there"));

    let unknown = info("info depth 4 cpuload 900 sbhits 2 ebf 1.93 score cp 12 nodes 5");
    assert_eq!((unknown.depth, unknown.score, unknown.nodes), (Some(4), Some(Score::Cp(12)), Some(5)));

    let root = info("info currmove e2e4 currmovenumber 1");
    assert_eq!((root.currmove.as_deref(), root.currmovenumber), (Some("e2e4"), Some(1)));
    assert_eq!(info("info"), Info::default());
    assert_eq!(info("info string"), Info::text(""));
}

#[test]
fn best_moves() {
    let best = |best: Option<&str>, ponder: Option<&str>| Reply::BestMove {
        best: best.map(str::to_owned),
        ponder: ponder.map(str::to_owned),
    };
    assert_eq!(parse("bestmove e2e4"), best(Some("e2e4"), None));
    assert_eq!(parse("bestmove e7e8q ponder d8e8\r"), best(Some("e7e8q"), Some("d8e8")));
    assert_eq!(parse("bestmove e2e4 ponder (none)"), best(Some("e2e4"), None));
    for none in ["(none)", "0000", "NULL", "none"] {
        assert_eq!(parse(&format!("bestmove {none}")), best(None, None));
    }
    assert_eq!(best(None, None).to_string(), "bestmove (none)");
}

#[test]
fn option_offers() {
    let offer = |name: &str, kind| Reply::Option(OptionOffer { name: name.into(), kind });
    for (line, reply) in [
        (
            "option name Hash type spin default 16 min 1 max 1048576",
            offer("Hash", OptionKind::Spin { default: 16, min: 1, max: 1_048_576 }),
        ),
        ("option name Clear Hash type button", offer("Clear Hash", OptionKind::Button)),
        (
            "option name Ponder type check default false",
            offer("Ponder", OptionKind::Check { default: false }),
        ),
        (
            "option name SyzygyPath type string default <empty>",
            offer("SyzygyPath", OptionKind::Text { default: String::new() }),
        ),
        (
            "option name Book File type string default my  book.bin",
            offer("Book File", OptionKind::Text { default: "my  book.bin".into() }),
        ),
        (
            "option name Style type combo default Very Solid var Very Solid var Risky",
            offer(
                "Style",
                OptionKind::Combo {
                    default: "Very Solid".into(),
                    choices: vec!["Very Solid".into(), "Risky".into()],
                },
            ),
        ),
    ] {
        assert_eq!(parse(line), reply);
        assert_eq!(reply.to_string(), line);
    }
    assert_eq!(
        parse("option name OwnBook type check"),
        offer("OwnBook", OptionKind::Check { default: false })
    );
    assert_eq!(
        parse("option name Log type string"),
        offer("Log", OptionKind::Text { default: String::new() })
    );
}

#[test]
fn the_text_of_a_reply_parses_back() {
    for line in [
        "id name Nue 0.1.0",
        "id author somebody",
        "uciok",
        "readyok",
        "info string error: no such thing",
        "info depth 0 score mate 0",
        "info depth 5 currmove e2e4 currmovenumber 3",
        "bestmove e2e4 ponder e7e5",
        "bestmove (none)",
    ] {
        assert_eq!(parse(line).to_string(), line);
    }
}

#[test]
fn refusals() {
    for (line, message) in [
        ("", "empty line, expected a reply"),
        ("Stockfish 17 by the Stockfish developers", "unknown reply 'Stockfish'"),
        ("bestmove", "nothing after 'bestmove', expected a move"),
        ("id", "nothing after 'id', expected 'name' or 'author'"),
        ("info score", "nothing after 'score', expected 'cp' or 'mate'"),
        ("info score 12", "'12' after 'score', expected 'cp' or 'mate'"),
        ("info depth x", "'x' after 'depth' is not a whole number"),
        ("info wdl 1 2", "nothing after 'wdl', expected a whole number"),
        ("option name X", "nothing after 'type', expected a type of option"),
        ("option name X type knob", "'knob' after 'type', expected a type of option"),
        ("option name X type check default 1", "'1' after 'default', expected 'true' or 'false'"),
    ] {
        assert_eq!(Reply::parse(line).expect_err(line).to_string(), message, "{line:?}");
    }
}

/// Every triple of words, known and unknown, in every order.
#[test]
fn no_line_panics_and_each_accepted_one_round_trips() {
    let words = [
        "id",
        "name",
        "author",
        "option",
        "type",
        "check",
        "spin",
        "combo",
        "button",
        "string",
        "default",
        "min",
        "var",
        "info",
        "depth",
        "score",
        "cp",
        "mate",
        "wdl",
        "pv",
        "time",
        "-3",
        "bestmove",
        "ponder",
        "0000",
        "99999999999999999999999999999999999999999",
        "ü",
        "",
        "\t",
    ];
    for a in words {
        for b in words {
            for c in words {
                let line = format!("{a} {b} {c}");
                if let Ok(reply) = Reply::parse(&line) {
                    assert_eq!(Reply::parse(&reply.to_string()), Ok(reply), "{line:?}");
                }
            }
        }
    }
}
