// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue rate` as people call it.

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output},
};

use serde_json::Value;

/// A folder of its own for each test, emptied first.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("rate").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn rate(folder: &PathBuf, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nue")).arg("rate").args(arguments).current_dir(folder).output().unwrap()
}

fn error(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Versions 1 to 12 of a player, each better than the one before, and a constant one.
fn games() -> String {
    let game = |white: &str, black: &str, result: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{result}\n\n")
    };
    let mut text = String::new();
    for version in 1..12 {
        let (old, new) = (format!("net-{version}"), format!("net-{}", version + 1));
        for result in ["1-0", "1-0", "1-0", "1-0", "1/2-1/2", "0-1"] {
            text.push_str(&game(&new, &old, result));
        }
        for result in ["0-1", "0-1", "0-1", "1/2-1/2", "1/2-1/2", "1-0"] {
            text.push_str(&game(&old, &new, result));
        }
    }
    for _ in 0..10 {
        text.push_str(&game("rock", "net-6", "1-0"));
        text.push_str(&game("net-6", "rock", "1-0"));
    }
    text
}

#[test]
fn a_ladder_is_rated_and_plotted() {
    let folder = folder("ladder");
    fs::write(folder.join("games.pgn"), games()).unwrap();
    let output = rate(&folder, &["games.pgn", "--anchor", "rock=1000", "--simulations", "100", "--json"]);
    assert!(output.status.success(), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["games"], &report["unfinished"]), (&Value::from(152), &Value::from(0)));
    let players = report["players"].as_array().unwrap();
    assert_eq!(players[0]["name"], "net-12");
    let of = |name: &str| players.iter().find(|player| player["name"] == name).unwrap();
    assert_eq!(of("rock")["rating"], 1000.0);
    assert!(of("net-7")["rating"].as_f64() > of("net-6")["rating"].as_f64());
    assert!(of("net-1")["error"].as_f64() > of("net-5")["error"].as_f64(), "errors add up along a ladder");

    let picture = |name: &str, more: &[&str]| {
        let arguments = [&["games.pgn", "--simulations", "20", "--plot", name], more].concat();
        let output = rate(&folder, &arguments);
        assert!(output.status.success(), "{output:?}");
        assert!(String::from_utf8(output.stdout).unwrap().contains("White's advantage"));
        fs::read(folder.join(name)).unwrap()
    };
    let ranking = String::from_utf8(picture("ranking.svg", &[])).unwrap();
    assert!(ranking.find("net-12").unwrap() < ranking.find("net-9").unwrap());
    let progress =
        String::from_utf8(picture("progress.svg", &["--versions", "net-", "--title", "T"])).unwrap();
    assert!(
        progress.contains("rock") && progress.find(">\n9\n").unwrap() < progress.find(">\n10\n").unwrap()
    );
    assert!(picture("ranking.png", &[]).starts_with(b"\x89PNG"));
}

#[test]
fn the_same_games_give_the_same_bytes() {
    let folder = folder("twice");
    fs::write(folder.join("games.pgn"), games()).unwrap();
    let run = || rate(&folder, &["games.pgn", "--simulations", "50"]).stdout;
    assert_eq!(run(), run());
}

#[test]
fn mistakes_are_named() {
    let folder = folder("mistakes");
    fs::write(folder.join("games.pgn"), games()).unwrap();
    fs::write(folder.join("none.pgn"), "[White \"a\"]\n[Black \"b\"]\n\n*\n").unwrap();
    let said = |arguments: &[&str]| error(&rate(&folder, arguments));
    assert!(said(&["missing.pgn"]).contains("missing.pgn"));
    assert!(said(&["none.pgn"]).contains("no finished game"));
    assert!(said(&["games.pgn", "--anchor", "nobody=0"]).contains("'nobody' plays in none"));
    assert!(said(&["games.pgn", "--plot", "plot.pdf"]).contains("expected a name that ends in .svg or .png"));
    let versions = said(&["games.pgn", "--plot", "plot.svg", "--versions", "engine"]);
    assert!(versions.contains("begins with 'engine'"), "{versions}");
}
