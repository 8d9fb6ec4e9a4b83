// SPDX-License-Identifier: GPL-3.0-or-later
//! Any bytes as a binpack, and as a chunk of one: reading ends and never panics, and what was read is written
//! and read as the same.

use formats::{
    binpack::{Reader, Writer},
    games::GameRecord,
};

/// Checks one input.
pub(crate) fn check(data: &[u8]) {
    read(data);
    let chunk = [b"BINP", &(data.len() as u32).to_le_bytes()[..], data].concat();
    let games = read(&chunk);

    let mut writer = Writer::new(Vec::new());
    let written = games.into_iter().filter(|game| writer.push(game).is_ok()).collect::<Vec<_>>();
    let bytes = writer.finish().expect("a vector");
    let again: Vec<GameRecord> =
        Reader::new(bytes.as_slice()).map(|game| game.expect("a good chain")).collect();
    assert!(again == written);
}

fn read(data: &[u8]) -> Vec<GameRecord> {
    let mut games = Vec::new();
    for game in Reader::new(data) {
        match game {
            Ok(game) => games.push(game),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    games
}
