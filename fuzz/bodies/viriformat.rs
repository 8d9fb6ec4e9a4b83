// SPDX-License-Identifier: GPL-3.0-or-later
//! Any bytes as viriformat: reading ends and never panics, chunks hold the same games, and what was read is
//! written and read as the same.

use formats::{
    games::GameRecord,
    viriformat::{Chunks, Reader, write},
};

/// Checks one input.
pub(crate) fn check(data: &[u8]) {
    let mut games: Vec<GameRecord> = Vec::new();
    for game in Reader::new(data) {
        match game {
            Ok(game) => games.push(game),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    let chunks = Chunks::new(data, 100).filter_map(Result::ok);
    let in_chunks: Vec<GameRecord> =
        chunks.flat_map(|chunk| chunk.records().filter_map(Result::ok).collect::<Vec<_>>()).collect();
    assert!(in_chunks == games);

    let mut bytes = Vec::new();
    games.iter().for_each(|game| write(&mut bytes, game).expect("a vector"));
    let again: Vec<GameRecord> =
        Reader::new(bytes.as_slice()).map(|game| game.expect("a good game")).collect();
    assert!(again == games);
}
