// SPDX-License-Identifier: GPL-3.0-or-later
//! A game as one number: the same start and moves give the same key, whatever is said about them.
//!
//! Positions of one game are alike. Whoever tests a network on positions of games it was trained on measures
//! its memory, so data are divided by game, and two copies of a game must end up on the same side.

use std::ops::Range;

use rules::{
    Random,
    chess::{Board, Move},
};

/// The key of a game.
pub fn game_key(start: &Board, moves: impl IntoIterator<Item = Move>) -> u64 {
    moves.into_iter().fold(start.key(), |key, m| Random::stream(key, u64::from(m.to_bits())).bits())
}

/// Where a game lies between 0 and 1: every seed spreads games evenly, and otherwise.
pub fn share_of(key: u64, seed: u64) -> f64 {
    Random::stream(seed, key).unit()
}

/// Whether a game belongs to a part of all games.
pub fn is_in(part: &Range<f64>, key: u64, seed: u64) -> bool {
    part.contains(&share_of(key, seed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(line: &str) -> u64 {
        let mut board = Board::start();
        let moves = line.split_whitespace().map(|text| {
            let m = board.parse_uci(text).expect("a legal move");
            board.play(m);
            m
        });
        game_key(&Board::start(), moves.collect::<Vec<_>>())
    }

    #[test]
    fn every_move_and_its_place_count() {
        let keys = ["", "e2e4", "d2d4", "e2e4 e7e5", "d2d4 d7d5 g1f3 g8f6", "g1f3 g8f6 d2d4 d7d5"].map(game);
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key), "game {index}");
        }
        assert_eq!(game("e2e4 e7e5"), game("e2e4 e7e5"));
    }

    #[test]
    fn shares_are_even_and_the_seed_mixes_them() {
        let count = |seed| (0..100_000_u64).filter(|&key| is_in(&(0.25..0.5), key, seed)).count();
        for seed in 0..4 {
            let found = count(seed) as f64;
            assert!((found - 25_000.0).abs() < 5.0 * (100_000.0 * 0.25 * 0.75_f64).sqrt(), "{found}");
        }
        assert_ne!(share_of(1, 1), share_of(1, 2));
    }
}
