// SPDX-License-Identifier: GPL-3.0-or-later
//! Games, files and folders for tests.

#![allow(dead_code, reason = "not every test file needs everything")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use data::{Counts, Effort};
use formats::{
    games::GameRecord,
    pgn::{Game as PgnGame, Ply, Tags, result_text},
    viriformat,
};
use rules::{
    Color, Outcome, Random,
    chess::{Board, Game},
};

/// An empty folder.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path); // it is there only if the test ran before
    fs::create_dir_all(&path).expect("a folder");
    path
}

/// A game of random moves with scores that mean nothing.
pub(crate) fn game(seed: u64) -> GameRecord {
    let mut random = Random::stream(99, seed);
    let mut game = Game::new(Board::start());
    let mut record = GameRecord::new(Board::start(), Outcome::Draw);
    let most = 20 + (random.bits() % 100) as usize;
    while record.moves.len() < most && game.outcome().is_none() {
        let moves = game.board().legal_moves();
        let m = moves[(random.bits() % moves.len() as u64) as usize];
        record.moves.push((m, (random.bits() % 2001) as i16 - 1000));
        game.play(m);
    }
    record.outcome = match random.bits() % 3 {
        0 => Outcome::Win(Color::White),
        1 => Outcome::Win(Color::Black),
        _ => Outcome::Draw,
    };
    record
}

/// Games of random moves.
pub(crate) fn games(count: u64) -> Vec<GameRecord> {
    (0..count).map(game).collect()
}

/// The games as PGN; ratings rise from 1500 by one with every game.
pub(crate) fn pgn(games: &[GameRecord]) -> String {
    let text = |(number, record): (usize, &GameRecord)| {
        let mut tags = Tags::new();
        tags.set("WhiteElo", (1500 + number).to_string());
        tags.set("BlackElo", (1500 + number).to_string());
        tags.set("Result", result_text(Some(record.outcome)));
        let moves = record.moves.iter().map(|&(m, _)| Ply { m, comment: String::new() }).collect();
        let (start, comment, outcome) = (record.start, String::new(), Some(record.outcome));
        PgnGame { tags, start, comment, moves, outcome }.to_string()
    };
    games.iter().enumerate().map(text).collect()
}

/// Writes a file and returns its path.
pub(crate) fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).expect("a file");
    path
}

/// Writes games as viriformat.
pub(crate) fn write_games(folder: &Path, name: &str, games: &[GameRecord]) -> PathBuf {
    let mut bytes = Vec::new();
    games.iter().for_each(|game| viriformat::write(&mut bytes, game).expect("room"));
    write(folder, name, bytes)
}

/// All games of a viriformat file.
pub(crate) fn read_games(path: &Path) -> Vec<GameRecord> {
    let bytes = fs::read(path).expect("a file");
    viriformat::Reader::new(bytes.as_slice()).map(|game| game.expect("a good game")).collect()
}

/// So many threads.
pub(crate) fn threads(threads: usize) -> Effort {
    Effort { threads, ..Effort::default() }
}

/// Watches nothing.
pub(crate) fn nobody(_: &Counts) {}
