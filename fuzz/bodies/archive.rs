// SPDX-License-Identifier: GPL-3.0-or-later
//! Any bytes as an archive, and as the payload of a block with right checksums: decoding ends and never
//! panics, and what was decoded is encoded and decoded as the same.

use formats::{
    archive::{MAGIC, Reader, encode_block},
    games::GameRecord,
};

/// Checks one input.
pub(crate) fn check(data: &[u8]) {
    for game in Reader::new(data) {
        if let Err(error) = game {
            assert!(!error.to_string().is_empty());
        }
    }
    let [games, positions, payload @ ..] = data else { return };
    let numbers = [payload.len() as u32, u32::from(games & 7), u32::from(*positions), crc32(payload)];
    let numbers: Vec<u8> = numbers.into_iter().flat_map(u32::to_le_bytes).collect();
    let file = [&MAGIC[..], b"nGbK", &numbers, &crc32(&numbers).to_le_bytes(), payload].concat();
    let games: Vec<GameRecord> = Reader::new(file.as_slice()).filter_map(Result::ok).collect();
    if games.is_empty() {
        return;
    }
    let block = encode_block(&games).expect("decoded games are good");
    let file = [&MAGIC[..], &block].concat();
    let again: Vec<GameRecord> =
        Reader::new(file.as_slice()).map(|game| game.expect("a good game")).collect();
    assert!(again == games);
}

/// The checksum of the format, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc: u32, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()))
    })
}
