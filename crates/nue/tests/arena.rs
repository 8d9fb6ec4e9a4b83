// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue match` and `nue sprt` as people start, kill and start them again.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use formats::pgn::Reader;
use serde_json::Value;

const NUE: &str = env!("CARGO_BIN_EXE_nue");

/// An empty folder with a small book in it.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path); // it is there only if the test ran before
    fs::create_dir_all(&path).expect("a folder");
    let book = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 1 2",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    ];
    fs::write(path.join("book.epd"), book.join("\n")).expect("a book");
    path
}

fn command(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(NUE);
    command.current_dir(folder).args(arguments.replace("NUE", NUE).split_whitespace());
    command
}

fn run(folder: &Path, arguments: &str) -> Output {
    command(folder, arguments).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is text")
}

fn succeed(folder: &Path, arguments: &str) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
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
    assert!(succeed(&folder, arguments).starts_with("going on after 24 finished games\nengine "));
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
    let arguments = "sprt --engine own,name=strong,option.Hash=1,tc=nodes=3000 --engine own,name=weak,option.Hash=1,tc=depth=1 \
                     --book book.epd --bounds 0,400 --max-games 2000 --concurrency 2 --pgn match.pgn";
    let output = succeed(&folder, arguments);
    let lines: Vec<&str> = output.lines().collect();
    let [.., verdict, line] = lines[..] else { panic!("{output}") };
    assert_eq!(verdict, "H1 accepted: 400 Elo rather than 0");
    assert!(line.starts_with("nodes=3000 : depth=1   +"), "{line}");
    assert!(line.contains("   LLR ") && line.contains(" [0, 400]   ") && line.ends_with(" games"), "{line}");
    let played = rounds(&folder).len();
    assert!(played < 400, "{played} games");
    let again = succeed(&folder, arguments);
    assert!(again.ends_with(&format!("{verdict}\n{line}\n")), "{again}");
    assert_eq!(rounds(&folder).len(), played);
}

#[test]
fn mistakes_are_told_in_one_sentence() {
    let folder = folder("mistakes");
    for (arguments, part) in [
        ("match --engine own", "1 players, expected at least two"),
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
    ] {
        let output = run(&folder, arguments);
        let errors = text(&output.stderr);
        assert!(!output.status.success() && errors.contains(part), "{arguments}: {errors}");
        assert_eq!(errors.matches("error:").count(), 1, "{arguments}: {errors}");
        assert!(errors.matches("No such file").count() <= 1, "{arguments}: {errors}");
    }
}
