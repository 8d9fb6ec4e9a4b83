// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue train`, `resume`, `export` and `crosscheck`, as a user types them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::OnceLock,
    thread,
    time::{Duration, Instant},
};

fn nue(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nue")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder with games that the engine played against itself, and a configuration for them.
fn folder(name: &str, positions: u64) -> PathBuf {
    let path = std::env::temp_dir().join(format!("nue-train-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    let config = format!(
        "name = \"toy\"\ndevice = \"cpu\"\n[network]\nfeatures = \"HalfKA-hm8\"\nwidth = 128\nhidden = [16]\n\
         factoriser = true\n[data]\nfiles = [\"games.vf\"]\nhold_out = 0.1\nquiet = true\n[schedule]\n\
         rate = 0.002\n[run]\npositions = {positions}\nbatch = 256\nround = 2048\ncheckpoint_seconds = 0\n"
    );
    fs::write(path.join("net.toml"), config).unwrap();
    fs::write(path.join("games.vf"), games()).unwrap();
    path
}

/// Forty quick games, played once for all tests.
fn games() -> &'static [u8] {
    static GAMES: OnceLock<Vec<u8>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let path = std::env::temp_dir().join(format!("nue-train-{}.vf", std::process::id()));
        let file = path.display().to_string();
        let played =
            nue(&["data", "selfplay", "--games", "40", "--nodes", "100", "--threads", "2", "-o", &file]);
        assert!(played.status.success(), "{}", text(&played.stderr));
        let bytes = fs::read(&path).unwrap();
        for file in [path.clone(), path.with_extension("vf.json"), path.with_extension("vf.manifest.json")] {
            let _ = fs::remove_file(file);
        }
        bytes
    })
}

/// Starts the program and kills it at a moment of its life.
fn kill_when(arguments: &[&str], moment: impl Fn() -> bool) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_nue")).args(arguments).spawn().unwrap();
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(120) && !moment() {
        assert_eq!(child.try_wait().unwrap(), None, "{arguments:?} ended before it was killed");
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

#[test]
fn a_first_training_ends_with_a_network_and_a_picture() {
    let base = folder("first", 20_000);
    let (config, run) = (path(&base, "net.toml"), path(&base, "run"));
    let trained = nue(&["train", &config, "--out", &run]);
    let said = text(&trained.stdout);
    assert!(trained.status.success(), "{said}{}", text(&trained.stderr));
    assert!(said.contains("round 10") && said.contains("finished after 79 steps"), "{said}");
    assert!(fs::read_to_string(base.join("run/loss.svg")).unwrap().contains("held-out loss"));
    assert_eq!(fs::read_to_string(base.join("run/log.csv")).unwrap().lines().count(), 11);
    assert!(fs::read_to_string(base.join("run/ledger.md")).unwrap().starts_with("| toy | games.vf ("));
    assert!(said.contains("positions read") && said.contains(" loud"), "{said}");

    let checked = nue(&["crosscheck", &run, "--positions", "200"]);
    assert!(checked.status.success(), "{}{}", text(&checked.stdout), text(&checked.stderr));
    assert!(text(&checked.stdout).contains("verdict          good"), "{}", text(&checked.stdout));

    let net = path(&base, "toy.net");
    assert!(nue(&["export", &run, &net]).status.success());
    let asked = nue(&["eval", "--net", &net, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]);
    assert!(asked.status.success(), "{}", text(&asked.stderr));

    let again = nue(&["train", &config, "--out", &run]);
    assert!(!again.status.success() && text(&again.stderr).contains("holds a run already"));
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn a_killed_run_goes_on_and_ends_with_the_same_network() {
    let base = folder("killed", 40_000);
    let config = path(&base, "net.toml");
    let (whole, broken) = (path(&base, "whole"), path(&base, "broken"));
    assert!(nue(&["train", &config, "--out", &whole]).status.success());

    // Killed as soon as the folder is a run, while it reads; then as soon as it has learned something.
    let checkpoint = || {
        fs::read_dir(base.join("broken/checkpoints")).is_ok_and(|files| {
            files.flatten().any(|file| file.path().extension().is_some_and(|ending| ending == "ckpt"))
        })
    };
    kill_when(&["train", &config, "--out", &broken], || base.join("broken/config.toml").exists());
    kill_when(&["resume", &broken], checkpoint);
    assert!(!base.join("broken/nets/toy.net").exists(), "it was killed before it had finished");

    let resumed = nue(&["resume", &broken]);
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
    let net = |run: &str| fs::read(base.join(run).join("nets/toy.net")).unwrap();
    assert!(net("whole") == net("broken"));
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn without_a_gpu_a_sentence_says_so_and_the_cpu_trains() {
    let base = folder("no-gpu", 2_000);
    let run = |device: &str| {
        let text = fs::read_to_string(base.join("net.toml")).unwrap();
        let config = base.join(format!("{device}.toml"));
        fs::write(&config, text.replace("\"cpu\"", &format!("\"{device}\""))).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_nue"));
        command.args(["train", &config.display().to_string(), "--out", &path(&base, device)]);
        // Where there is a GPU it is hidden.
        command.env("CUDA_VISIBLE_DEVICES", "").output().unwrap()
    };
    let trained = run("auto");
    let said = text(&trained.stdout);
    assert!(trained.status.success(), "{said}{}", text(&trained.stderr));
    assert!(said.contains("no CUDA device can be used: ") && said.contains("; the CPU trains\n"), "{said}");
    let refused = run("cuda");
    let said = text(&refused.stderr);
    assert!(!refused.status.success() && said.contains("no CUDA device can be used: "), "{said}");
    assert!(!base.join("cuda").exists(), "nothing was begun");
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn a_configuration_to_begin_with_can_be_had_and_mistakes_are_named() {
    let base = folder("init", 1000);
    let fresh = path(&base, "fresh.toml");
    assert!(nue(&["train", "--init", &fresh]).status.success());
    assert!(fs::read_to_string(&fresh).unwrap().contains("# What the network sees"));
    assert!(text(&nue(&["train", "--init", &fresh]).stderr).contains("exists already"));

    let config = fs::read_to_string(base.join("net.toml")).unwrap();
    fs::write(base.join("net.toml"), config.replace("width = 128", "width = 100")).unwrap();
    let refused = nue(&["train", &path(&base, "net.toml"), "--out", &path(&base, "run")]);
    let said = text(&refused.stderr);
    assert!(said.contains("line 5: network.width: width 100, expected one of"), "{said}");
    fs::write(base.join("net.toml"), config.replace("width = 128", "widht = 128")).unwrap();
    let refused = nue(&["train", &path(&base, "net.toml"), "--out", &path(&base, "run")]);
    let said = text(&refused.stderr);
    assert!(said.contains("line 5") && said.contains("unknown field `widht`, expected one of"), "{said}");
    assert!(!base.join("run").exists());
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn leaves_and_games_are_asked_of_the_engine() {
    let base = folder("elo", 6000);
    let config = fs::read_to_string(base.join("net.toml")).unwrap();
    let config = config.replace("quiet = true", "leaf = true") + "[elo]\nevery = 2\ngames = 4\nnodes = 20\n";
    fs::write(base.join("net.toml"), config).unwrap();
    let run = path(&base, "run");
    let trained = nue(&["train", &path(&base, "net.toml"), "--out", &run]);
    let said = text(&trained.stdout);
    assert!(trained.status.success(), "{said}{}", text(&trained.stderr));
    assert_eq!(said.matches("  Elo ").count(), 2, "{said}");
    assert!(fs::read_to_string(base.join("run/loss.svg")).unwrap().contains("Elo above the reference"));
    // Positions brought to the end of their captures are kept, and most of them are quiet now.
    let kept =
        trainer::read_records(&base.join("run/records.bullet"), &mut trainer::Reading::default()).unwrap();
    assert!(kept.len() > 1000);
    let log = fs::read_to_string(base.join("run/log.csv")).unwrap();
    let rated = |line: &&str| !line.ends_with(",,");
    assert_eq!(log.lines().skip(1).filter(rated).count(), 2, "{log}");
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn a_bench_prints_the_speed_last_and_writes_nothing() {
    let base = folder("bench", 1000);
    let bench = nue(&["train", &path(&base, "net.toml"), "--bench", "1"]);
    let said = text(&bench.stdout);
    assert!(bench.status.success(), "{}", text(&bench.stderr));
    let last = said.lines().last().unwrap();
    let speed: u64 = last.strip_suffix(" positions per second").unwrap().parse().unwrap();
    assert!(speed > 100, "{said}");
    assert_eq!(fs::read_dir(&base).unwrap().count(), 2);
    fs::remove_dir_all(base).unwrap();
}
