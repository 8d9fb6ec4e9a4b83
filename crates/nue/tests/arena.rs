// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue match` and `nue sprt` as people start, kill and start them again.

mod program;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use formats::pgn::Reader;
use serde_json::Value;

use crate::program::{NUE, command, empty_folder, run, succeed, text};

/// An empty folder with a small book in it.
fn folder(name: &str) -> PathBuf {
    let path = empty_folder(name);
    let book = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 1 2",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    ];
    fs::write(path.join("book.epd"), book.join("\n")).expect("a book");
    path
}

/// The rounds of the games in a PGN file, in the order of their numbers.
fn rounds(folder: &Path) -> Vec<usize> {
    let bytes = fs::read(folder.join("match.pgn")).unwrap_or_default();
    let mut reader = Reader::new(&bytes[..]);
    let mut rounds = Vec::new();
    while let Some(heading) = reader.next_heading().expect("good PGN") {
        rounds.push(heading.tags.get("Round").expect("a round").parse().expect("a number"));
    }
    rounds.sort_unstable();
    rounds
}

/// Waits until so many games are written, then kills the program as hard as can be.
fn kill_after(mut child: Child, folder: &Path, games: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let lines = || fs::read_to_string(folder.join("match.pgn.state")).unwrap_or_default().lines().count();
    while lines() <= games {
        assert!(Instant::now() < deadline, "no games are played");
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("it still runs");
    child.wait().expect("it ends");
}

#[test]
fn a_killed_match_goes_on_and_no_game_is_lost_or_played_twice() {
    let folder = folder("killed");
    let arguments = "match --engine cmd=NUE,name=pipe,option.Hash=1 --engine own,name=own,option.Hash=1 --tc nodes=400 \
                     --games 24 --book book.epd --concurrency 2 --pgn match.pgn --max-moves 40";
    for games in [3, 9, 15] {
        let child = command(&folder, arguments).stdout(Stdio::null()).spawn().expect("the program starts");
        kill_after(child, &folder, games);
    }
    let output = succeed(&folder, arguments);
    assert!(output.starts_with("going on after "), "{output}");
    assert_eq!(rounds(&folder), (1..=24).collect::<Vec<_>>());
    assert!(output.contains("\n24 games, "), "{output}");
    // Once more, and nothing is left to play; then for some games more.
    assert!(succeed(&folder, arguments).starts_with("going on after 24 finished games\npipe against own\n"));
    assert_eq!(rounds(&folder).len(), 24);
    succeed(&folder, &arguments.replace("--games 24", "--games 28"));
    assert_eq!(rounds(&folder), (1..=28).collect::<Vec<_>>());
}

#[test]
fn results_are_told_to_programs_too() {
    let folder = folder("json");
    let output = succeed(
        &folder,
        "match --engine own,name=a,option.Hash=1 --engine own,name=b,option.Hash=1,tc=depth=1 --engine own,name=c,option.Hash=1 \
         --tc nodes=300 --games 2 --book book.epd --order sequential --max-moves 20 --gauntlet 1 --json",
    );
    let value: Value = serde_json::from_str(&output).expect("JSON and nothing else");
    let games: Vec<_> = (0..3).map(|engine| value["engines"][engine]["games"].as_u64()).collect();
    assert_eq!(games, [Some(4), Some(2), Some(2)]);
    assert_eq!(value["engines"][1]["name"], "b");
    assert_eq!(value["engines"][2]["faults"]["crash"], 0);
    assert!(value["overhead_ms"]["p99"].as_f64().is_some_and(|millis| millis < 1000.0));
    assert!(value["sprt"].is_null());
}

#[test]
fn a_test_ends_by_itself_and_gives_a_line_for_the_commit() {
    let folder = folder("sprt");
    let engines = ["own,name=strong,option.Hash=1,tc=nodes=3000", "own,name=weak,option.Hash=1,tc=depth=1"];
    for (first, second, verdict, control) in [
        (0, 1, "H1 accepted: 400 Elo rather than 0", "nodes=3000 : depth=1   +"),
        (1, 0, "H0 accepted: 0 Elo rather than 400", "depth=1 : nodes=3000   -"),
    ] {
        let arguments = format!(
            "sprt --engine {} --engine {} --chess960 --bounds 0,400 --concurrency 2 --pgn match.pgn",
            engines[first], engines[second]
        );
        let output = succeed(&folder, &format!("{arguments} --fresh"));
        let lines: Vec<&str> = output.lines().collect();
        let [.., decision, line] = lines[..] else { panic!("{output}") };
        assert_eq!(decision, verdict);
        assert!(line.starts_with(control), "{line}");
        assert!(
            line.contains("   LLR ") && line.contains(" [0, 400]   ") && line.ends_with(" games"),
            "{line}"
        );
        let played = rounds(&folder).len();
        assert!(played < 400, "{played} games");
        let again = succeed(&folder, &arguments);
        assert!(again.starts_with(&format!("decided earlier, after {played} games\n")), "{again}");
        assert!(again.ends_with(&format!("{verdict}\n{line}\n")), "{again}");
        assert_eq!(rounds(&folder).len(), played);
    }
}

/// The settings in a state file.
fn settings(folder: &Path) -> Value {
    let state = fs::read_to_string(folder.join("match.pgn.state")).expect("a state file");
    let header: Value = serde_json::from_str(state.lines().next().expect("a line")).expect("JSON");
    header["settings"].clone()
}

#[cfg(unix)]
#[test]
fn another_build_or_book_is_another_match() {
    use std::os::unix::fs::PermissionsExt;

    let folder = folder("builds");
    let engine = folder.join("engine");
    let build = |version: &str| {
        fs::write(&engine, format!("#!/bin/sh\n# {version}\nexec {NUE}\n")).expect("a script");
        fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).expect("a program");
    };
    build("one");
    let arguments = "match --engine cmd=./engine,name=new,option.Hash=1 --engine own,option.Hash=1 --tc nodes=100 \
                     --book book.epd --games 2 --max-moves 4 --pgn match.pgn --draw none --resign none";
    succeed(&folder, arguments);
    let first = settings(&folder);
    assert_eq!(first["programs"][1], arena::fingerprint(Path::new(NUE)).unwrap(), "own is this program");
    assert!(first["draw"].is_null() && first["resign"].is_null(), "{first}");
    let refusal = |part: &str| {
        let output = run(&folder, arguments);
        let errors = text(&output.stderr);
        assert!(!output.status.success() && errors.contains(part), "{errors}");
        assert!(errors.contains("(--fresh begins anew, --state names another file)"), "{errors}");
    };
    build("two");
    refusal("belongs to another match: its programs is [");
    build("one");
    assert!(succeed(&folder, arguments).starts_with("going on after 2 finished games\n"));
    let mut book = fs::read_to_string(folder.join("book.epd")).unwrap();
    book.push('\n');
    fs::write(folder.join("book.epd"), book).unwrap();
    refusal("belongs to another match: its book_content is \"");
    assert_eq!(rounds(&folder).len(), 2);
    assert!(succeed(&folder, &format!("{arguments} --fresh")).contains("new against nue\n"));
    assert_eq!(rounds(&folder).len(), 2);
    // A mistake on the way to a fresh start costs nothing.
    let wrong = format!("{arguments} --fresh").replace("./engine", "./engin");
    assert!(text(&run(&folder, &wrong).stderr).contains("engine new cannot be started"));
    assert_eq!(rounds(&folder).len(), 2);
}

#[test]
fn repeated_openings_are_no_evidence() {
    let folder = folder("repeated");
    let engines =
        "--engine own,name=a,option.Hash=1 --engine own,name=b,option.Hash=1 --max-moves 4 --tc depth=1";
    let output = run(&folder, &format!("match {engines} --games 10 --book book.epd"));
    assert!(output.status.success());
    let warning =
        "warning: 5 pairs of games from 4 openings: repeated games make results look surer than they are\n";
    assert_eq!(text(&output.stderr), warning);
    assert_eq!(text(&run(&folder, &format!("match {engines} --games 8 --book book.epd")).stderr), "");
    let output = run(&folder, &format!("sprt {engines} --book book.epd"));
    assert_eq!(
        text(&output.stderr),
        "warning: at most 8 games: at fixed nodes or depth each opening gives one pair\n"
    );
    assert!(text(&output.stdout).contains("\nundecided after 8 games\n"), "{}", text(&output.stdout));
    let output = run(&folder, &format!("sprt {engines}"));
    assert!(!output.status.success());
    assert_eq!(
        text(&output.stderr),
        "error: at fixed nodes or depth one opening gives one pair of games: --book is needed\n"
    );
}

#[cfg(unix)]
#[test]
fn a_test_decided_by_crashes_says_so() {
    let folder = folder("crashes");
    let arguments = "sprt --engine own,option.Hash=1 --engine cmd=true,name=bad --book book.epd --tc 1+0.01 --bounds 0,400";
    let output = succeed(&folder, arguments);
    let line = output.lines().last().expect("a line");
    assert!(line.contains(" games   faults nue: none; bad: crash "), "{line}");
    assert!(output.contains("\nfaults of bad: crash "), "{output}");
    let json = succeed(&folder, &format!("{arguments} --json"));
    let value: Value = serde_json::from_str(&json).expect("JSON and nothing else");
    assert_eq!(value["sprt"]["commit_line"], line);
    assert_eq!(value["sprt"]["verdict"], "H1");
    assert_eq!(value["engines"][1]["faults"]["crash"], value["games"]);
    assert_eq!(value["engines"][0]["faults"]["crash"], 0);
}

#[test]
fn chess960_needs_no_book() {
    let folder = folder("chess960");
    let arguments = "match --engine own,name=a,option.Hash=1 --engine cmd=NUE,name=b,option.Hash=1 --chess960 --tc nodes=300 \
                     --games 6 --max-moves 12 --concurrency 2 --pgn match.pgn";
    succeed(&folder, arguments);
    let bytes = fs::read(folder.join("match.pgn")).unwrap();
    let mut reader = Reader::new(&bytes[..]);
    let mut openings = Vec::new();
    while let Some(game) = reader.next_game().expect("good PGN, castling included") {
        assert_eq!(game.tags.get("Variant"), Some("Chess960"));
        let termination = game.tags.get("Termination");
        assert!(matches!(termination, Some("normal" | "adjudication")), "{termination:?}");
        openings.push(game.start.to_string());
    }
    openings.sort();
    assert_eq!(openings.len(), 6);
    openings.dedup();
    assert_eq!(openings.len(), 3, "each opening with both colours");
    assert_eq!(rounds(&folder), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn mistakes_are_told_in_one_sentence() {
    let folder = folder("mistakes");
    let chess960 = "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n4k3/8/8/8/8/8/8/4K1R1 w G - 0 1\n";
    fs::write(folder.join("960.epd"), chess960).expect("a book");
    fs::write(folder.join("mate.pgn"), "1. f3 e5 2. g4 Qh4# 0-1\n").expect("a book");
    for (arguments, part) in [
        ("match --engine own", "1 player, expected at least two"),
        ("match --engine own --engine own", "two engines are called 'nue': give one another name="),
        ("match --engine own --engine own,name=b --games 3", "3 games, expected an even number"),
        ("match --engine own --engine own,name=b --concurrency 0", "concurrency of 0"),
        ("match --engine own --engine own,name=b --tc fast", "'fast' is not a time control"),
        ("match --engine own --engine b", "'b' says nothing about an engine"),
        ("match --engine own --engine own,name=b --book none.epd", "opening book none.epd: "),
        ("match --engine own --engine cmd=./none --games 2", "engine none cannot be started: "),
        ("match --engine own --engine own,name=b,option.X=1 --games 2", "unknown option 'X'"),
        ("match --engine own --engine own,name=b --syzygy book.epd", "Syzygy tables in book.epd: "),
        ("match --engine own --engine own,name=b --gauntlet 2", "2 challengers among 2 players"),
        ("sprt --engine own --engine own,name=b --engine own,name=c", "3 engines, expected two"),
        ("sprt --engine own --engine own,name=b --bounds 3,0", "hypotheses [3, 0]"),
        ("sprt --engine own --engine own,name=b --bounds 3", "'3' gives no bounds"),
        ("sprt --engine own --engine own,name=b --alpha 0.7", "error rate 0.7"),
        ("match --engine own --engine own,name=b --max-moves 0", "invalid value '0' for '--max-moves"),
        ("match --engine own --engine own,name=b --patience 10000000000000000000", "invalid value '1000"),
        ("match --engine own --engine own,name=b --draw 40", "'40' is not a rule, expected MOVE,COUNT,SCORE"),
        ("match --engine own --engine own,name=b,option.UCI_Chess960=true", "is set by the match"),
        (
            "match --engine own --engine own,name=b --book 960.epd",
            "opening book 960.epd, line 2: castling from",
        ),
        ("match --engine own --engine own,name=b --book mate.pgn", "(checkmate) after 4 half-moves, in "),
        (
            "match --engine own --engine own,name=b --book mate.pgn",
            ": --plies N cuts lines after N half-moves",
        ),
    ] {
        let output = run(&folder, arguments);
        let errors = text(&output.stderr);
        assert!(!output.status.success() && errors.contains(part), "{arguments}: {errors}");
        assert_eq!(errors.matches("error:").count(), 1, "{arguments}: {errors}");
        assert!(errors.matches("No such file").count() <= 1, "{arguments}: {errors}");
    }
}
