// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue data` as people start, kill and start it again.

mod program;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use rules::{
    Random,
    chess::{Board, Game},
};
use serde_json::Value;

use crate::program::{NUE, command, run, succeed, text};

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    program::empty_folder(&format!("data/{name}"))
}

/// Games of random moves; a few hundred different ones in turn, with ratings of their own.
fn pgn(count: usize) -> String {
    let different: Vec<String> = (0..count.min(400) as u64).map(movetext).collect();
    let mut text = String::new();
    for number in 0..count {
        let rating = 1600 + number % 300;
        text.push_str(&format!("[WhiteElo \"{rating}\"]\n[BlackElo \"{rating}\"]\n[Round \"{number}\"]\n"));
        text.push_str(&different[number % different.len()]);
    }
    text
}

fn movetext(seed: u64) -> String {
    let mut random = Random::stream(5, seed);
    let mut game = Game::new(Board::start());
    let mut text = "[Result \"1-0\"]\n\n".to_owned();
    while game.outcome().is_none() && game.keys().len() < 90 {
        let moves = game.board().legal_moves();
        let m = random.pick(&moves);
        text.push_str(&format!("{} ", game.board().to_san(m)));
        game.play(m);
    }
    text + "1-0\n\n"
}

/// The number of tasks that a state file vouches for.
fn tasks(state: &Path) -> u64 {
    let state: Option<Value> = fs::read(state).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    state.and_then(|state| state["tasks"].as_u64()).unwrap_or(0)
}

/// Waits until some more tasks are done, then kills the program as hard as can be, unless it has ended by then.
fn kill_later(mut child: Child, state: &Path, more: u64) {
    let (deadline, before) = (Instant::now() + Duration::from_secs(120), tasks(state));
    loop {
        if child.try_wait().expect("a child").is_some() {
            return;
        }
        if tasks(state) >= before + more {
            child.kill().expect("it was there a moment ago");
            child.wait().expect("it ends");
            return;
        }
        assert!(Instant::now() < deadline, "no task is done");
        thread::sleep(Duration::from_micros(200));
    }
}

/// Runs a command whole and another time with kills, and compares what comes of it. `OUT` in the arguments stands for
/// the stem of the output.
fn survives_kills(folder: &Path, arguments: &str, outputs: &[&str], more: u64, kills: usize) {
    let save = "--save-every 0";
    succeed(folder, &format!("{} {save} --threads 2", arguments.replace("OUT", "whole")));
    let killed = format!("{} {save} --threads 1", arguments.replace("OUT", "killed"));
    let state = folder.join(format!("killed{}.state", outputs[0]));
    let mut count = 0;
    for _ in 0..kills {
        let child = command(folder, &killed).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        kill_later(child.expect("the program starts"), &state, more);
        count += usize::from(state.exists());
    }
    assert!(count >= 2, "{arguments}: interrupted only {count} times");
    let interrupted = state.exists();
    let output = run(folder, &killed);
    assert!(output.status.success(), "{}", text(&output.stderr));
    if interrupted {
        assert!(text(&output.stderr).contains("going on after games "), "{}", text(&output.stderr));
    }
    for output in outputs {
        let [whole, killed] = ["whole", "killed"].map(|stem| folder.join(format!("{stem}{output}")));
        assert!(
            fs::read(&whole).expect("a file") == fs::read(&killed).expect("a file"),
            "{arguments}: {output} differs"
        );
        let counts = |path: &Path| {
            let manifest = fs::read(format!("{}.manifest.json", path.display())).expect("a manifest");
            serde_json::from_slice::<Value>(&manifest).expect("JSON")["counts"].clone()
        };
        assert_eq!(counts(&whole), counts(&killed), "{arguments}");
    }
    let left: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("text"))
        .filter(|name| name.ends_with(".part") || name.ends_with(".state") || name.ends_with(".tmp"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    // Once more, and nothing is left to do.
    let again = run(folder, &killed);
    assert!(
        again.status.success() && text(&again.stderr).contains("finished earlier"),
        "{}",
        text(&again.stderr)
    );
}

#[test]
fn a_killed_import_loses_and_repeats_nothing() {
    let folder = folder("import");
    fs::write(folder.join("games.pgn"), pgn(24_000)).expect("a file");
    let arguments = "data import games.pgn -o OUT.nsam --rules blume --unique positions --triplets";
    survives_kills(&folder, arguments, &[".nsam"], 1, 4);
    let arguments = "data import games.pgn -o OUT.npy --rules lombardo";
    survives_kills(&folder, arguments, &[".inputs.npy", ".outputs.npy"], 2, 2);
}

#[test]
fn killed_selfplay_loses_and_repeats_nothing() {
    let folder = folder("selfplay");
    let arguments = "data selfplay --games 60 --nodes 100 --hash 1 --max-moves 40 --chess960 0.5 -o OUT.vf";
    survives_kills(&folder, arguments, &[".vf"], 5, 4);
}

#[test]
fn killed_labelling_loses_and_repeats_nothing() {
    let folder = folder("label");
    fs::write(folder.join("games.pgn"), pgn(60)).expect("a file");
    succeed(&folder, "data import games.pgn -o games.vf");
    survives_kills(&folder, "data label games.vf -o OUT.vf --nodes 60 --hash 1", &[".vf"], 5, 3);
    // A process of the real program as a foreign engine.
    let arguments = format!("data label games.vf -o OUT.vf --engine cmd={NUE},option.Hash=1 --depth 1");
    let deeper = self::folder("label_process");
    fs::copy(folder.join("games.vf"), deeper.join("games.vf")).expect("a copy");
    survives_kills(&deeper, &arguments, &[".vf"], 4, 3);
}

#[test]
fn killed_work_on_files_loses_and_repeats_nothing() {
    let folder = folder("files");
    fs::write(folder.join("games.pgn"), pgn(24_000)).expect("a file");
    succeed(&folder, "data import games.pgn -o games.vf");
    succeed(&folder, "data label games.vf -o scored.vf --static");
    survives_kills(&folder, "data filter scored.vf -o OUT.nsam --min-ply 4", &[".nsam"], 1, 3);
    survives_kills(&folder, "data convert scored.vf -o OUT.bullet", &[".bullet"], 1, 3);
    let arguments = "data split scored.vf --part OUT-train.vf=9 --part OUT-valid.vf=1";
    survives_kills(&folder, arguments, &["-train.vf", "-valid.vf"], 1, 3);
}

#[test]
fn a_killed_shuffle_loses_and_repeats_nothing() {
    let folder = folder("shuffle");
    fs::write(folder.join("games.pgn"), pgn(1500)).expect("a file");
    succeed(&folder, "data import games.pgn -o all.nsam");
    // Once while records are spread over the buckets, and again while these are sorted.
    survives_kills(&folder, "data shuffle all.nsam -o OUT.nsam --memory 1", &[".nsam"], 14, 4);
}

#[test]
fn every_command_ends_with_one_line() {
    let folder = folder("lines");
    fs::write(folder.join("games.pgn"), pgn(50)).expect("a file");
    let last = |arguments: &str| succeed(&folder, arguments).lines().last().unwrap_or_default().to_owned();
    let line = last("data import games.pgn -o games.vf --ratings 1610..1639");
    assert!(line.starts_with("games 30 positions "), "{line}");
    assert!(line.contains(" skipped 20 games (rating 20) bytes "), "{line}");
    for arguments in [
        "data label games.vf -o labelled.vf --static",
        "data filter labelled.vf -o quiet.nsam --min-ply 0 --max-score 20000",
        "data shuffle quiet.nsam -o shuffled.nsam",
        "data convert labelled.vf -o games.nga",
        "data split labelled.vf --part a.vf=1 --part b.vf=1",
        "data stats labelled.vf --features Piece --plot stats.svg",
        "data selfplay --games 2 --nodes 50 --hash 1 --max-moves 20 -o self.vf",
    ] {
        let line = last(arguments);
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!((words[0], words[2], words[4]), ("games", "positions", "skipped"), "{arguments}: {line}");
    }
    assert!(fs::read_to_string(folder.join("stats.svg")).expect("a plot").contains("</svg>"));
    let json: Value =
        serde_json::from_str(&succeed(&folder, "data convert games.nga -o again.vf --json")).expect("JSON");
    assert_eq!(json["counts"]["games"], 30);
    assert_eq!(fs::read(folder.join("again.vf")).unwrap(), fs::read(folder.join("labelled.vf")).unwrap());
    let manifest = fs::read_to_string(folder.join("again.vf.manifest.json")).expect("a manifest");
    assert!(manifest.contains("games.nga") && manifest.contains("\"version\""), "{manifest}");
}

#[test]
fn positions_are_shown_with_their_fields() {
    let folder = folder("show");
    let game = "[WhiteElo \"1801\"]\n[BlackElo \"1702\"]\n[TimeControl \"180+2\"]\n[Result \"1-0\"]\n\n\
                1. e4 {[%clk 0:02:59]} e5 {[%clk 0:02:58]} 2. Nf3 {[%clk 0:02:40]} 1-0\n";
    fs::write(folder.join("game.pgn"), game).expect("a file");
    succeed(&folder, "data import game.pgn -o game.nsam --triplets");
    let shown = succeed(&folder, "data show game.nsam --skip 2 --count 1");
    for part in [
        "position 3",
        "Result:   1-0",
        "Move:     Nf3",
        "Other:    ",
        "White:    1801",
        "Clock:    179 s",
        "Ply:      2",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    let lines = succeed(&folder, "data show game.nsam --json");
    let first: Value = serde_json::from_str(lines.lines().next().expect("a line")).expect("JSON");
    assert_eq!((first["move"].as_str(), first["black_rating"].as_u64()), (Some("e2e4"), Some(1702)));
}

#[test]
fn damage_is_told_with_file_and_line() {
    let folder = folder("damage");
    let text = format!("{}[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n\n{}", pgn(2), pgn(3));
    fs::write(folder.join("games.pgn"), &text).expect("a file");
    let output = run(&folder, "data import games.pgn -o games.vf");
    assert!(output.status.success());
    let bad = text.lines().position(|line| line.contains("Ke3")).expect("the bad game") - 1;
    let error = self::text(&output.stderr);
    assert!(error.contains(&format!("skipped: games.pgn, line {bad}: ")), "{error}");
    assert!(self::text(&output.stdout).contains("games 5 positions "));
    assert!(self::text(&output.stdout).contains("skipped 1 games (damaged 1)"));
    let output = run(&folder, "data import games.pgn -o strict.vf --strict");
    assert_eq!(output.status.code(), Some(1));
    assert!(self::text(&output.stderr).contains("without --strict it would be skipped"));
}
