// SPDX-License-Identifier: GPL-3.0-or-later
//! The subcommands of the real program: what they print and how they end.

use std::{fs, path::PathBuf, process::Command};

/// Exit code, standard output and standard error.
fn nue(arguments: &[&str]) -> (i32, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_nue")).args(arguments).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is text");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// A file that exists while the tests run.
fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("the file can be written");
    path.display().to_string()
}

/// The number after a label.
fn figure<'a>(output: &'a str, label: &str) -> &'a str {
    let line = output.lines().find(|line| line.starts_with(label)).unwrap_or_else(|| panic!("{output}"));
    line[label.len()..].trim()
}

#[test]
fn perft_counts_and_divides() {
    let (code, output, _) = nue(&["perft", "4"]);
    assert_eq!((code, figure(&output, "nodes  ")), (0, "197281"));
    let (code, output, _) = nue(&[
        "perft",
        "3",
        "--divide",
        "--threads",
        "2",
        "--hash",
        "1",
        "--fen",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ]);
    assert_eq!((code, figure(&output, "nodes  ")), (0, "97862"));
    assert!(output.contains("e1g1: 2059\n"), "{output}");
    assert_eq!(figure(&nue(&["perft", "0"]).1, "nodes  "), "1");
}

#[test]
fn a_perft_suite_tells_right_from_wrong_and_refused() {
    let good = file(
        "good.perft.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902 ;D6 1\n\
         \n\
         r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1 ;D1 23 ;D2 522 ;D3 12333\n",
    );
    let (code, output, _) = nue(&["perft", "--suite", &good, "--depth", "3", "--threads", "2"]);
    assert_eq!(code, 0, "{output}");
    assert_eq!(figure(&output, "counts"), "6");
    assert_eq!(figure(&output, "nodes  "), (20 + 400 + 8902 + 23 + 522 + 12333).to_string());

    let bad = file(
        "bad.perft.epd",
        "8/8/8/8/8/8/8/8 w - - 0 1 ;D1 0\n\
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 401\n",
    );
    let (code, output, _) = nue(&["perft", "--suite", &bad, "--max-nodes", "1000"]);
    assert_eq!(code, 1, "{output}");
    assert!(output.contains("bad.perft.epd:2: depth 2 expected 401 got 400"), "{output}");
    assert!(output.contains("bad.perft.epd:1: refused: white has 0 kings"), "{output}");
    assert_eq!((figure(&output, "mismatches"), figure(&output, "refused")), ("1", "1"));
}

#[test]
fn a_suite_is_solved() {
    let suite = file(
        "suite.epd",
        "6k1/R7/8/8/8/8/8/1R4K1 w - - bm Rb8#; id \"back rank\";\n\
         6k1/R7/8/8/8/8/8/1R4K1 w - - am Kh2; c0 \"Rb8#=10, Kh2=1\";\n\
         6k1/R7/8/8/8/8/8/1R4K1 w - - bm #1;\n\
         6k1/R7/8/8/8/8/8/1R4K1 w - - bm Kh1; id \"wrong\";\n\
         6k1/R7/8/8/8/8/8/1R4K1 w - - id \"no aim\";\n",
    );
    let (code, output, _) = nue(&["epd", &suite, "--nodes", "2000", "--threads", "2", "--hash", "1"]);
    assert_eq!(code, 0, "{output}");
    assert!(output.ends_with("points 10 / 10 (100.0 %)\nsolved 3 / 4 (75.0 %)\n"), "{output}");
    assert!(output.contains("missed  wrong  Rb8#, wanted Kh1"), "{output}");
    assert!(output.contains("left out: line 5: nothing to find"), "{output}");
}

#[test]
fn the_bench_is_the_same_twice() {
    let run = || {
        let (code, output, _) = nue(&["bench", "--depth", "4"]);
        assert_eq!(code, 0);
        let last = output.lines().last().expect("a line").to_owned();
        let words: Vec<&str> = last.split(' ').collect();
        let [nodes, "nodes", nps, "nps"] = words[..] else { panic!("{last}") };
        nps.parse::<u64>().expect("nodes per second");
        nodes.parse::<u64>().expect("nodes")
    };
    assert_eq!(run(), run());
}

#[test]
fn an_evaluation_is_shown() {
    let (code, output, _) = nue(&["eval", "--fen", "4k3/8/8/8/8/8/PPPPPPPP/4K3 b - - 0 1"]);
    assert_eq!(code, 0);
    assert!(output.contains("black to move -"), "{output}");
}

#[test]
fn feature_sets_are_listed_and_shown() {
    let (code, output, _) = nue(&["features", "list"]);
    assert_eq!(code, 0);
    assert!(
        output.contains("King × (Square × Role5 × Colour)\n  40960 features, 64 king classes"),
        "{output}"
    );
    let king_and_pawn = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let (code, output, _) = nue(&["features", "show", "halfkp", "--fen", king_and_pawn, "--index", "0"]);
    assert_eq!(code, 0);
    assert_eq!(figure(&output, "name  "), "HalfKP");
    assert_eq!(figure(&output, "features  "), "40960, 2656 of them dead");
    assert!(output.contains("       0  king a1, a1, pawn, own\n"), "{output}");
    assert!(output.contains("white sees 1\n    2680  king e1, e2, pawn, own\n"), "{output}");
    assert!(output.contains("black sees 1\n    3081  king e1, e7, pawn, enemy\n"), "{output}");
}

#[test]
fn features_of_games_are_counted() {
    let games = file("features.pgn", "1. e4 d5 2. exd5 Kd7 *\n\n1. e5 *\n\n1. d4 *\n");
    let (code, output, _) = nue(&["features", "stats", "HalfKP", &games]);
    assert_eq!(code, 0, "{output}");
    assert!(output.starts_with("2 games, 5 moves, refused games: 1\n"), "{output}");
    let (code, output, _) = nue(&["features", "stats", "all", &games, "--games", "1", "--json"]);
    assert_eq!(code, 0);
    let value: serde_json::Value = serde_json::from_str(&output).expect("JSON");
    let half_kp = &value["sets"][2];
    assert_eq!((half_kp["name"].as_str(), half_kp["features"].as_u64()), (Some("HalfKP"), Some(40960)));
    assert_eq!(half_kp["refreshes_per_move"].as_f64(), Some(0.25));
}

#[test]
fn mistakes_are_told_in_one_sentence() {
    for (arguments, part) in [
        (
            &["perft", "3", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"][..],
            "--fen does not give a position: white has 0 kings",
        ),
        (&["perft", "--suite", "/no/such/file"][..], "cannot read the suite /no/such/file"),
        (&["epd", "/no/such/file"][..], "cannot read the suite /no/such/file"),
        (&["perft"][..], "required arguments"),
        (&["perft", "3", "--suite", "x"][..], "cannot be used with"),
        (&["epd", "x", "--nodes", "1", "--movetime", "1"][..], "cannot be used with"),
        (
            &["features", "show", "King x Qing"][..],
            "'King x Qing' is no feature set: column 8: no set is called",
        ),
        (&["features", "stats", "Piece", "/no/such/file"][..], "/no/such/file: "),
        (&["nonsense"][..], "unrecognized subcommand"),
    ] {
        let (code, output, errors) = nue(arguments);
        assert_ne!(code, 0, "{arguments:?}");
        assert!(output.is_empty() && errors.contains(part), "{arguments:?}: {errors}");
        assert_eq!(errors.matches("error:").count(), 1, "{errors}");
    }
}

#[test]
fn help_names_every_command() {
    let (code, output, _) = nue(&["--help"]);
    assert_eq!(code, 0);
    for command in ["uci", "bench", "perft", "epd", "eval", "features", "net", "match", "sprt"] {
        assert!(output.contains(&format!("  {command} ")), "{output}");
        assert_eq!(nue(&[command, "--help"]).0, 0);
    }
}

#[test]
fn a_reader_who_has_seen_enough_is_no_fault() {
    for arguments in [&["features", "list"][..], &["perft", "2"], &["eval"], &["bench", "--depth", "1"]] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = Command::new(env!("CARGO_BIN_EXE_nue"))
            .args(arguments)
            .stdout(writer)
            .output()
            .expect("it starts");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !complaint.contains("panicked"), "{arguments:?}: {complaint}");
    }
}
