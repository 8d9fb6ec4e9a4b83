// SPDX-License-Identifier: GPL-3.0-or-later
//! One block: its head, its payload, its games.

use super::{
    BLOCK_GAMES, MARKER, MAX_PAYLOAD, MAX_POSITIONS,
    coder::{Decoder, Encoder},
    crc::crc32,
    model::Model,
};
use crate::{
    error::{Place, Problem, ReadError},
    games::GameRecord,
};

/// Marker, five numbers.
pub(super) const HEAD: usize = 24;

/// Some games, still coded; the checksum was right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Where the block begins in its file.
    pub offset: u64,
    /// How many games it holds.
    pub games: usize,
    /// How many moves they have.
    pub positions: usize,
    pub(super) payload: Vec<u8>,
}

impl Block {
    /// Decodes the games.
    ///
    /// # Errors
    /// When the payload is not what a writer makes; such an error is not fatal.
    pub fn decode(&self) -> Result<Vec<GameRecord>, ReadError> {
        self.decode_inside().map_err(|problem| ReadError::skipped(Place::Byte(self.offset), problem))
    }

    fn decode_inside(&self) -> Result<Vec<GameRecord>, Problem> {
        let mut model = Model::new();
        let mut decoder = Decoder::new(&self.payload);
        let mut games = Vec::with_capacity(self.games);
        let mut left = self.positions;
        for _ in 0..self.games {
            let game = model.code(&mut decoder, None, left)?;
            left -= game.moves.len();
            games.push(game);
        }
        if left != 0 {
            return Err(Problem::value(
                "positions in a block",
                self.positions - left,
                "as many as its head says",
            ));
        }
        Ok(games)
    }
}

/// The numbers at the head of a block.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) length: u32,
    pub(super) games: u32,
    pub(super) positions: u32,
    /// The checksum of the payload.
    pub(super) checksum: u32,
}

impl Head {
    /// Reads a head behind its marker; nothing if its own checksum is wrong or its numbers cannot be true.
    pub(super) fn read(bytes: &[u8; HEAD - MARKER.len()]) -> Option<Head> {
        let number = |index: usize| u32::from_le_bytes(std::array::from_fn(|at| bytes[index * 4 + at]));
        let head = Head { length: number(0), games: number(1), positions: number(2), checksum: number(3) };
        let possible =
            head.length <= MAX_PAYLOAD && head.games <= BLOCK_GAMES as u32 && head.positions <= MAX_POSITIONS;
        (possible && number(4) == crc32(&bytes[..16])).then_some(head)
    }

    /// The head as it is written, marker included.
    fn to_bytes(&self) -> [u8; HEAD] {
        let mut bytes = [0; HEAD];
        bytes[..4].copy_from_slice(&MARKER);
        let numbers = [self.length, self.games, self.positions, self.checksum];
        for (place, number) in bytes[4..20].chunks_exact_mut(4).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        let checksum = crc32(&bytes[4..20]);
        bytes[20..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }
}

/// The bytes of a block.
///
/// # Errors
/// When there are more than [`BLOCK_GAMES`] games, a game is too long or has an illegal move.
pub fn encode_block(games: &[GameRecord]) -> Result<Vec<u8>, Problem> {
    let positions: usize = games.iter().map(|game| game.moves.len()).sum();
    for (what, found, unit, limit) in [
        ("a block", games.len(), "games", BLOCK_GAMES as u64),
        ("a block", positions, "half-moves", MAX_POSITIONS.into()),
    ] {
        if found as u64 > limit {
            return Err(Problem::TooLong { what, found: found as u64, unit, limit });
        }
    }
    let mut model = Model::new();
    let mut encoder = Encoder::new();
    for game in games {
        model.code(&mut encoder, Some(game), usize::MAX)?;
    }
    let payload = encoder.finish();
    let head = Head {
        length: payload.len() as u32,
        games: games.len() as u32,
        positions: positions as u32,
        checksum: crc32(&payload),
    };
    Ok([&head.to_bytes()[..], &payload].concat())
}
