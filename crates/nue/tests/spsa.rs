// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue spsa` as people start, kill and start it again.
//!
//! The program under test is built without tunable parameters, so these tests tune options that every build has.
//! How many lines are searched (`MultiPV`) makes it play otherwise, but the same again when it is asked again.

mod program;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::program::{command, empty_folder, text};

/// An empty folder with a small book and a parameter file in it.
fn folder(name: &str) -> PathBuf {
    let path = empty_folder(name);
    let book = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 1 2",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    ];
    fs::write(path.join("book.epd"), book.join("\n")).expect("a book");
    fs::write(path.join("params.txt"), "MultiPV, int, 12, 1, 30, 6, 0.02 # a comment\n").expect("a file");
    path
}

fn succeed(folder: &Path, arguments: &str) -> String {
    program::succeed(folder, &format!("spsa {arguments}"))
}

fn fail(folder: &Path, arguments: &str) -> String {
    program::fail(folder, &format!("spsa {arguments}"))
}

fn iterations(path: &Path) -> u64 {
    let value: Value =
        serde_json::from_str(&fs::read_to_string(path).unwrap_or_default()).unwrap_or_default();
    value["iterations"].as_u64().unwrap_or(0)
}

const TUNE: &str = "--params params.txt --engine own,option.Hash=1 --tc nodes=300 --book book.epd --max-moves 40 \
                    --iterations 16 --seed 3";

#[test]
fn a_killed_run_goes_on_as_if_never_stopped() {
    let folder = folder("spsa-killed");
    let whole = succeed(&folder, &format!("{TUNE} --state whole.state --plot whole.svg"));
    let arguments = format!("{TUNE} --state killed.state --plot killed.png");
    for wanted in [3, 8] {
        let mut child = command(&folder, &format!("spsa {arguments}"))
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let deadline = Instant::now() + Duration::from_secs(120);
        while iterations(&folder.join("killed.state")) < wanted {
            assert!(Instant::now() < deadline, "no iterations are finished");
            thread::sleep(Duration::from_millis(2));
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
    }
    let resumed = succeed(&folder, &arguments);
    assert!(resumed.starts_with("going on after "), "{resumed}");
    let [one, other] =
        ["whole.state", "killed.state"].map(|name| fs::read(folder.join(name)).expect("a state"));
    assert_eq!(text(&one), text(&other));

    assert!(whole.starts_with("iteration 16/16 | 32 games, W "), "{whole}");
    let value: Value = serde_json::from_slice(&one).expect("JSON");
    assert_ne!(value["values"]["MultiPV"].as_f64(), Some(12.0), "nothing was ever won or lost");
    assert_eq!(value["history"].as_array().map(Vec::len), Some(17));
    assert!(fs::read_to_string(folder.join("whole.svg")).expect("a plot").contains("MultiPV"));
    assert!(fs::read(folder.join("killed.png")).expect("a plot").starts_with(b"\x89PNG"));

    // Once more, and nothing is left to play; other settings are another run.
    let again = succeed(&folder, &arguments);
    assert!(again.starts_with("going on after 16 finished iterations\niteration 16/16"), "{again}");
    let error = fail(&folder, &arguments.replace("nodes=300", "nodes=400"));
    let part =
        "state file killed.state belongs to another run: its tc is \"nodes=300\", expected \"nodes=400\"";
    assert!(error.contains(part), "{error}");
    fs::write(folder.join("params.txt"), "MultiPV, 11, 1, 30, 6, 0.02\n").expect("a file");
    let error = fail(&folder, &arguments);
    assert!(
        error.contains("its parameter MultiPV is \"12, 1, 30, 6, 0.02\", expected \"11, 1, 30, 6, 0.02\""),
        "{error}"
    );
    succeed(&folder, &format!("{arguments} --fresh --iterations 1").replace("--iterations 16 ", ""));
}

#[test]
fn parameters_move_towards_the_winner() {
    let folder = folder("spsa-winner");
    fs::write(folder.join("elo.txt"), "UCI_Elo, 1900, 1000, 2800, 600, 0.02\n").expect("a file");
    let arguments = "--params elo.txt --engine own,option.Hash=1,option.UCI_LimitStrength=true --tc nodes=5000 \
                     --book book.epd --iterations 8 --concurrency 2 --resign 3,500,one-sided";
    let output = succeed(&folder, arguments);
    let value: Value =
        serde_json::from_slice(&fs::read(folder.join("spsa.state")).expect("a state")).expect("JSON");
    let tuned = value["values"]["UCI_Elo"].as_f64().expect("a number");
    assert!(tuned > 1910.0, "hundreds of Elo more should win, but it went to {tuned}\n{output}");
}

#[test]
fn iterations_can_be_played_side_by_side() {
    let folder = folder("spsa-side-by-side");
    let arguments = format!("{TUNE} --concurrency 3 --games-per-iteration 4 --state side.state");
    let output = succeed(&folder, &arguments.replace("--iterations 16", "--iterations 7"));
    assert!(output.starts_with("iteration 7/7 | 28 games, W "), "{output}");
    assert_eq!(iterations(&folder.join("side.state")), 7);
}

#[test]
#[cfg(not(feature = "tune"))]
fn an_engine_without_parameters_is_told_how_to_be_built() {
    let folder = folder("spsa-untuned");
    for arguments in ["--iterations 2", "--print-params", "--engine own,name=mine"] {
        let error = fail(&folder, arguments);
        assert!(
            error.contains(" offers no search parameters: it was built without the feature 'tune'"),
            "{error}"
        );
        assert!(error.contains("cargo build --release --features tune"), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    assert!(!folder.join("spsa.state").exists());
}

#[test]
#[cfg(feature = "tune")]
fn printed_parameters_can_be_tuned() {
    let folder = folder("spsa-printed");
    let printed = succeed(&folder, "--print-params --tc nodes=100");
    assert!(printed.starts_with("# name, value, min, max, step, rate\n"), "{printed}");
    assert!(printed.contains("\nrazoring_base, ") && !printed.contains("timing_"), "{printed}");
    fs::write(folder.join("params.txt"), &printed).expect("a file");
    let arguments = "--tc nodes=100 --book book.epd --max-moves 20 --iterations 3 --engine own,option.Hash=1";
    succeed(&folder, &format!("{arguments} --params params.txt --state file.state"));
    succeed(&folder, &format!("{arguments} --state engine.state"));
    let [one, other] =
        ["file.state", "engine.state"].map(|name| fs::read(folder.join(name)).expect("a state"));
    assert_eq!(text(&one), text(&other));
}

#[test]
fn mistakes_are_told_in_one_sentence() {
    let folder = folder("spsa-mistakes");
    fs::write(folder.join("bad.txt"), "# name, value\nMultiPV, 12, 1, 30\n").expect("a file");
    fs::write(folder.join("other.txt"), "MultiPV, 12, 1, 30, 6, 0.02\nStyle, 1, 0, 9, 1, 0.1\n")
        .expect("a file");
    fs::write(folder.join("wide.txt"), "MultiPV, 12, 0, 30, 6, 0.02\n").expect("a file");
    fs::write(folder.join("stray.txt"), "MultiPV, 40, 1, 30, 6, 0.02\n").expect("a file");
    for (arguments, part) in [
        ("--params none.txt", "parameter file none.txt: "),
        ("--params bad.txt", "parameter file bad.txt: line 2: 'MultiPV, 12, 1, 30' has 4 parts, expected "),
        ("--params other.txt", "engine nue has no option 'Style' that takes a whole number"),
        ("--params wide.txt", "parameter 'MultiPV' goes from 0 to 30, but engine nue takes 1 to 256"),
        ("--params stray.txt", "parameter 'MultiPV' is 40, expected a value from 1 to 30"),
        ("--params params.txt --iterations 0", "no iterations"),
        ("--params params.txt --games-per-iteration 3", "3 games per iteration, expected an even number"),
        ("--params params.txt --plot spsa.pdf", "spsa.pdf, expected a name that ends in .svg or .png"),
        ("--params params.txt --engine cmd=./none", "engine none cannot be started: "),
        ("--params params.txt --state book.epd", "state file book.epd is not the state of a tuning run"),
        ("--params params.txt --concurrency 0", "concurrency of 0"),
    ] {
        let error = fail(&folder, arguments);
        assert!(error.contains(part), "{arguments}: {error}");
        assert_eq!(error.matches("error:").count(), 1, "{arguments}: {error}");
    }
}
