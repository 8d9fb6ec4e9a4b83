// SPDX-License-Identifier: GPL-3.0-or-later
//! Imports: what is taken, what is left out, and that threads change nothing.

mod common;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use common::{folder, game, games, nobody, pgn, read_games, threads, write, write_games};
use data::{
    DataError, Import, Manifest, Source,
    import::{Rules, Unique},
};
use formats::sample::{self, Sample};

fn import(output: PathBuf, rules: Rules, unique: Unique) -> Import {
    Import { output, rules, unique, memory: 1, seed: 1, force: false }
}

fn run(import: &Import, inputs: &[PathBuf], workers: usize) -> Manifest {
    let source = Source::open(inputs).expect("readable files");
    import.run(&source, threads(workers), &mut nobody).expect("an import")
}

fn samples(path: &Path) -> Vec<Sample> {
    let bytes = fs::read(path).expect("a file");
    sample::reader(bytes.as_slice()).expect("a header").map(|sample| sample.expect("a good record")).collect()
}

#[test]
fn blumes_rules_take_ten_positions_of_games_between_good_players() {
    let folder = folder("blume");
    let games = games(400);
    let input = write(&folder, "games.pgn", pgn(&games));
    let output = folder.join("blume.nsam");
    let manifest = run(&import(output.clone(), Rules::blume(), Unique::No), &[input], 2);
    // Ratings go from 1500 to 1899, and 1700 is not above 1700.
    assert_eq!((manifest.counts.games, manifest.counts.skipped_games["rating"]), (199, 201));
    let samples = samples(&output);
    assert_eq!((samples.len(), manifest.counts.positions), (1990, 1990));
    assert!(samples.iter().all(|sample| sample.context.white_rating.is_some_and(|rating| rating > 1700)));
    assert!(samples.iter().all(|sample| sample.played.is_some() && sample.outcome.is_some()));
}

#[test]
fn lombardos_rules_take_one_position_behind_the_opening() {
    let folder = folder("lombardo");
    let input = write(&folder, "games.pgn", pgn(&games(300)));
    let output = folder.join("lombardo.nsam");
    let manifest = run(&import(output.clone(), Rules::lombardo(), Unique::No), &[input], 2);
    let samples = samples(&output);
    let short = manifest.counts.skipped_games.get("no position").copied().unwrap_or(0);
    assert_eq!(samples.len() as u64 + short, 300);
    assert!(samples.iter().all(|sample| data::ply(&sample.board) >= 20));
}

#[test]
fn threads_change_nothing_and_seeds_do() {
    let folder = folder("threads");
    let input = write(&folder, "games.pgn", pgn(&games(3000)));
    let bytes = |name: &str, seed: u64, workers: usize| {
        let output = folder.join(name);
        let rules = Rules { triplets: true, ..Rules::blume() };
        run(
            &Import { seed, ..import(output.clone(), rules, Unique::Positions) },
            std::slice::from_ref(&input),
            workers,
        );
        fs::read(output).expect("a file")
    };
    let first = bytes("a.nsam", 1, 1);
    assert!(first.len() > 100_000);
    assert_eq!(bytes("b.nsam", 1, 4), first);
    assert_ne!(bytes("c.nsam", 2, 4), first);
}

#[test]
fn whole_games_come_back() {
    let folder = folder("whole");
    let games = games(50);
    let input = write(&folder, "games.pgn", pgn(&games));
    let output = folder.join("games.vf");
    run(&import(output.clone(), Rules::default(), Unique::No), &[input], 2);
    let read = read_games(&output);
    assert_eq!(read.len(), games.len());
    for (read, game) in read.iter().zip(&games) {
        let moves =
            |game: &formats::games::GameRecord| game.moves.iter().map(|&(m, _)| m).collect::<Vec<_>>();
        assert_eq!((moves(read), read.outcome), (moves(game), game.outcome));
    }
}

#[test]
fn duplicates_pass_once() {
    let folder = folder("duplicates");
    let games = games(40);
    let twice: Vec<_> = games.iter().chain(&games).cloned().collect();
    let inputs = [write_games(&folder, "games.vf", &twice)];
    let unique = run(&import(folder.join("games2.vf"), Rules::default(), Unique::Games), &inputs, 2);
    assert_eq!((unique.counts.games, unique.counts.skipped_games["duplicate"]), (40, 40));
    assert_eq!(read_games(&folder.join("games2.vf")), games);

    let output = folder.join("positions.nsam");
    let unique = run(&import(output.clone(), Rules::default(), Unique::Positions), &inputs, 2);
    let keys: Vec<u64> = samples(&output).iter().map(|sample| sample.board.key()).collect();
    let all: BTreeSet<u64> =
        games.iter().flat_map(|game| game.boards()).map(|(board, ..)| board.key()).collect();
    assert_eq!(keys.len(), all.len(), "every position once");
    assert_eq!(keys.iter().copied().collect::<BTreeSet<u64>>(), all);
    let positions: u64 = twice.iter().map(|game| game.moves.len() as u64).sum();
    assert_eq!(unique.counts.skipped_positions["duplicate"], positions - all.len() as u64);
}

#[test]
fn parts_share_no_game_and_leave_none_out() {
    let folder = folder("parts");
    let games = games(500);
    let inputs = [write_games(&folder, "games.vf", &games)];
    let part = |name: &str, part| {
        let output = folder.join(name);
        run(&import(output.clone(), Rules { part, ..Rules::default() }, Unique::No), &inputs, 2);
        read_games(&output)
    };
    let (train, valid) = (part("train.vf", 0.0..0.8), part("valid.vf", 0.8..1.0));
    assert_eq!(train.len() + valid.len(), games.len());
    assert!((60..140).contains(&valid.len()), "{}", valid.len());
    assert!(valid.iter().all(|game| !train.contains(game)));
}

/// Good games around bad ones, and the lines on which the bad ones begin.
fn damaged() -> (String, Vec<usize>) {
    let good = |number| pgn(&[game(number)]);
    let bad = [
        "[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n\n",
        "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n",
        "[Variant \"Atomic\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n",
        "[Event \"\u{0}caf\"]\n[Result \"1-0\"]\n\n1. e4 {no end\n\n",
    ];
    let (mut text, mut lines) = (good(0), Vec::new());
    for (number, bad) in bad.into_iter().enumerate() {
        lines.push(text.lines().count() + 1);
        text.push_str(bad);
        // An event always begins a game, even behind a comment that does not end.
        text.push_str("[Event \"good\"]\n");
        text.push_str(&good(1 + number as u64));
    }
    (text, lines)
}

#[test]
fn damage_is_skipped_and_named() {
    let folder = folder("damage");
    let (text, lines) = damaged();
    let input = write(&folder, "damaged.pgn", text);
    let output = folder.join("good.vf");
    let manifest =
        run(&import(output.clone(), Rules::default(), Unique::No), std::slice::from_ref(&input), 1);
    let counts = &manifest.counts;
    assert_eq!((counts.games, counts.skipped_games[data::DAMAGED]), (5, 4), "{counts:?}");
    for (example, line) in counts.examples.iter().zip(lines) {
        let place = format!("{}, line {line}: ", input.display());
        assert!(example.starts_with(&place), "{example}, expected {place}");
    }
    assert_eq!(read_games(&output).len(), 5);

    let strict = import(folder.join("strict.vf"), Rules::default(), Unique::No);
    let source = Source::open(&[input]).expect("a readable file");
    let error = strict.run(&source, data::Effort { strict: true, ..threads(2) }, &mut nobody);
    assert!(matches!(error, Err(DataError::Strict(_))));
}

#[test]
fn wrong_and_missing_results_are_counted() {
    let folder = folder("results");
    let text = "[Result \"1-0\"]\n\n1. e4 e5 0-1\n\n[Result \"*\"]\n\n1. e4 e5 *\n\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
    let input = write(&folder, "results.pgn", text);
    let manifest = run(&import(folder.join("out.vf"), Rules::default(), Unique::No), &[input], 1);
    let counts = &manifest.counts;
    assert_eq!(counts.games, 1);
    assert_eq!((counts.skipped_games["two results"], counts.skipped_games["no result"]), (1, 1));
}

#[test]
fn a_cut_archive_keeps_what_it_has() {
    let folder = folder("cut");
    let games = games(20);
    let path = write_games(&folder, "games.vf", &games);
    let bytes = fs::read(&path).expect("a file");
    let input = write(&folder, "cut.vf", &bytes[..bytes.len() - 7]);
    let manifest = run(&import(folder.join("out.vf"), Rules::default(), Unique::No), &[input], 2);
    assert_eq!((manifest.counts.games, manifest.counts.skipped_games[data::DAMAGED]), (19, 1));
    assert!(manifest.counts.examples[0].contains("cut.vf, byte "), "{:?}", manifest.counts.examples);
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let folder = folder("refused");
    let games = [write_games(&folder, "games.vf", &games(2))];
    let source = Source::open(&games).expect("a readable file");
    let refusal = |name: &str, rules: Rules, unique| {
        let import = import(folder.join(name), rules, unique);
        import.run(&source, threads(1), &mut nobody).expect_err(name).to_string()
    };
    assert!(refusal("a.vf", Rules::blume(), Unique::No).contains("expected a file of positions"));
    assert!(refusal("a.vf", Rules::default(), Unique::Positions).contains("expected unique games"));
    assert!(refusal("a.nga", Rules::default(), Unique::Games).contains("expected .vf"));
    let triplets = Rules { triplets: true, ..Rules::default() };
    assert!(refusal("a.bullet", triplets, Unique::No).contains("expected .nsam"));
    assert!(refusal("a.exe", Rules::default(), Unique::No).contains("unknown kind of file"));
    assert!(refusal("a.vf.zst", Rules::default(), Unique::No).contains("unknown kind of file"));
    let epd = write(&folder, "x.epd", "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n");
    let positions = Source::open(&[epd]).expect("a readable file");
    let import = import(folder.join("b.nsam"), Rules::default(), Unique::No);
    let error = import.run(&positions, threads(1), &mut nobody).expect_err("positions");
    assert!(error.to_string().contains("such a file holds positions, expected one with games"), "{error}");
}
