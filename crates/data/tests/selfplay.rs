// SPDX-License-Identifier: GPL-3.0-or-later
//! Self-play: games that are legal, scored, decided, and the same on any number of threads.

mod common;

use std::{collections::BTreeSet, fs, path::PathBuf};

use common::{folder, nobody, read_games, threads};
use contest::adjudicate::Rules;
use data::{Manifest, Selfplay, selfplay::Openings};
use engine::Evaluation;
use formats::games::NO_SCORE;
use rules::{
    Outcome,
    chess::{Board, Move},
};

fn selfplay(output: PathBuf, games: u64) -> Selfplay {
    Selfplay {
        output,
        games,
        soft_nodes: 150,
        hard_nodes: None,
        openings: Openings::default(),
        book: None,
        first_score: 300,
        random_moves: 0.0,
        rules: Rules {
            draw: Some("20,3,10".parse().expect("a rule")),
            resign: Some("2,600".parse().expect("a rule")),
            max_moves: Some(60),
        },
        net: Evaluation::HandCrafted,
        hash_mb: 1,
        seed: 1,
        force: false,
    }
}

fn played(selfplay: &Selfplay, workers: usize) -> Manifest {
    selfplay.run(threads(workers), &mut nobody).expect("games")
}

#[test]
fn games_are_scored_sane_and_repeatable() {
    let folder = folder("selfplay");
    let first = selfplay(folder.join("a.vf"), 24);
    let manifest = played(&first, 1);
    let games = read_games(&first.output);
    assert_eq!((games.len(), manifest.counts.games), (24, 24));
    for game in &games {
        assert!(game.moves[0].1.abs() <= 300, "the opening is undecided");
        assert!((8..=9).contains(&data::ply(&game.start)), "eight or nine random moves");
        assert!(game.moves.iter().all(|&(_, score)| score.abs() < data::score::PROVEN));
    }
    let starts: BTreeSet<u64> = games.iter().map(|game| game.start.key()).collect();
    assert!(starts.len() >= 23, "openings differ");
    let tallies = &manifest.counts.tallies;
    let results = ["white wins", "black wins", "draws"].map(|name| tallies.get(name).copied().unwrap_or(0));
    assert_eq!(results.iter().sum::<u64>(), 24);
    let wins = games.iter().filter(|game| matches!(game.outcome, Outcome::Win(_))).count() as u64;
    assert_eq!((results[0] + results[1], results[2]), (wins, 24 - wins));
    assert!(tallies["nodes"] > 150 * manifest.counts.positions / 2);

    let second = selfplay(folder.join("b.vf"), 24);
    assert_eq!(played(&second, 3).counts, manifest.counts);
    assert_eq!(fs::read(&second.output).unwrap(), fs::read(&first.output).unwrap());
    let third = Selfplay { seed: 2, ..selfplay(folder.join("c.vf"), 24) };
    played(&third, 2);
    assert_ne!(fs::read(&third.output).unwrap(), fs::read(&first.output).unwrap());
}

#[test]
fn winners_are_those_who_were_ahead() {
    let folder = folder("selfplay_wins");
    let run = selfplay(folder.join("a.vf"), 30);
    let manifest = played(&run, 2);
    let adjudicated =
        manifest.counts.tallies.get("ended by one side is hopelessly behind").copied().unwrap_or(0);
    assert!(adjudicated > 0, "{:?}", manifest.counts.tallies);
    let mut checked = 0;
    for game in read_games(&run.output) {
        let last = game.moves[game.moves.len() - 1].1;
        if let (Outcome::Win(winner), true) = (game.outcome, last.abs() >= 600) {
            assert_eq!(winner == rules::Color::White, last > 0);
            checked += 1;
        }
    }
    assert!(checked >= adjudicated);
}

#[test]
fn chess960_games_begin_elsewhere() {
    let folder = folder("selfplay_960");
    let openings =
        Openings { chess960: 1.0, double: true, min_plies: 0, max_plies: 0, ..Openings::default() };
    let run = Selfplay { openings, ..selfplay(folder.join("a.vf"), 6) };
    played(&run, 2);
    let games = read_games(&run.output);
    assert_eq!(games.len(), 6);
    assert!(games.iter().filter(|game| game.start != Board::start()).count() >= 5);
}

#[test]
fn a_random_quiet_move_does_not_hide_a_capture() {
    let folder = folder("selfplay_random");
    let steady = selfplay(folder.join("a.vf"), 20);
    let shaky = Selfplay { random_moves: 0.2, ..selfplay(folder.join("b.vf"), 20) };
    let unscored = |run: &Selfplay| {
        played(run, 2);
        let moves: Vec<(Move, i16)> =
            read_games(&run.output).into_iter().flat_map(|game| game.moves).collect();
        assert!(moves.iter().all(|&(m, score)| score != NO_SCORE || m.is_quiet()));
        moves.iter().filter(|&&(_, score)| score == NO_SCORE).count() as f64 / moves.len() as f64
    };
    assert_eq!(unscored(&steady), 0.0);
    // A fifth of all moves is random, in about a fifth of these a capture was best, and most random moves are quiet.
    let share = unscored(&shaky);
    assert!((0.01..0.08).contains(&share), "{share}");
}
