// SPDX-License-Identifier: GPL-3.0-or-later
//! Any bytes as PGN in bulk: reading ends and never panics, chunks of any size lose nothing, and every move
//! that was read is legal.

use formats::pgn::bulk::{BulkReader, Chunks};

/// Checks one input.
pub(crate) fn check(data: &[u8]) {
    let mut whole = Vec::new();
    for game in BulkReader::new(data, 1) {
        match game {
            Ok(game) => {
                let mut board = game.start;
                for ply in &game.moves {
                    assert!(board.is_legal(ply.m));
                    board.play(ply.m);
                }
                whole.push(game);
            }
            Err(error) => assert!(!error.is_fatal() && !error.to_string().is_empty()),
        }
    }
    let mut text = Vec::new();
    let mut in_chunks = Vec::new();
    for chunk in Chunks::new(data, 50) {
        let chunk = chunk.expect("no game here is too long");
        in_chunks.extend(chunk.games().filter_map(Result::ok));
        text.extend(chunk.text);
    }
    assert!(text == data);
    assert!(in_chunks == whole);
}
