// SPDX-License-Identifier: GPL-3.0-or-later
//! Triplets for Lombardo's second method: a position, the move played, another move drawn at random.

use formats::sample::Sample;
use rules::{
    Random,
    chess::{Board, Move},
};

/// Another legal move than the one played; nothing if there is no other.
pub fn other_move(board: &Board, played: Move, random: &mut Random) -> Option<Move> {
    let moves = board.legal_moves();
    let others: Vec<Move> = moves.iter().copied().filter(|&m| m != played).collect();
    (!others.is_empty()).then(|| others[random.below(others.len())])
}

/// Gives a sample its third; tells whether it could.
pub(crate) fn complete(sample: &mut Sample, random: &mut Random) -> bool {
    sample.other = sample.played.and_then(|played| other_move(&sample.board, played, random));
    sample.other.is_some()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn other_moves_are_legal_other_and_equally_likely() {
        let board = Board::start();
        let played = board.parse_uci("e2e4").unwrap();
        let mut random = Random::new(1);
        let mut hits = BTreeMap::new();
        for _ in 0..19_000 {
            let other = other_move(&board, played, &mut random).expect("there are twenty moves");
            assert!(board.is_legal(other) && other != played);
            *hits.entry(other).or_insert(0_u32) += 1;
        }
        // A thousand each, with a deviation of 31.
        assert_eq!(hits.len(), 19);
        assert!(hits.values().all(|&hit| hit.abs_diff(1000) < 160), "{hits:?}");
    }

    #[test]
    fn an_only_move_has_no_other() {
        let board = Board::from_fen("7k/8/8/8/8/8/1q6/K7 w - - 0 1").unwrap();
        let mut sample = Sample { played: board.parse_uci("a1b2").ok(), ..Sample::new(board) };
        assert!(sample.played.is_some() && !complete(&mut sample, &mut Random::new(1)));
    }
}
