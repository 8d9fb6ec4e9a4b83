// SPDX-License-Identifier: GPL-3.0-or-later
//! What is written can be read again, and nothing that is read does harm.

use rules::{
    Random,
    chess::{Board, Setup},
};

use crate::positions::{each, each_in_games};

#[test]
fn fens_round_trip() {
    each(|board| {
        for text in [board.to_string(), board.to_shredder_fen()] {
            let again = Board::from_fen(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!(again == *board, "{text}");
        }
        let setup = Setup::from(board);
        assert_eq!(Setup::from_fen(&setup.to_string()), Ok(setup));
        assert!(Board::from_setup(&setup) == Ok(*board), "{board}");
    });
}

#[test]
fn moves_round_trip_in_both_notations() {
    each(|board| {
        for &m in &board.legal_moves() {
            assert_eq!(board.parse_san(&board.to_san(m)), Ok(m), "{board}");
            assert_eq!(board.parse_uci(&m.to_uci(true)), Ok(m), "{board}");
            assert_eq!(board.parse_uci(&m.to_uci(false)), Ok(m), "{board}");
        }
    });
}

/// A text with a few letters exchanged, lost or added.
fn garble(random: &mut Random, text: &str) -> String {
    const LETTERS: &[char] = &[
        'k', 'K', 'p', 'Q', 'r', '1', '8', '9', '0', '/', ' ', '-', 'w', 'b', 'e', 'h', 'A', '=', 'x', 'ß',
        '+',
    ];
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(3) {
        let place = random.below(letters.len() + 1);
        let letter = random.pick(LETTERS);
        match random.below(3) {
            0 => letters.insert(place, letter),
            _ if place == letters.len() => {}
            1 => letters[place] = letter,
            _ => drop(letters.remove(place)),
        }
    }
    letters.into_iter().collect()
}

#[test]
fn garbled_fens_are_refused_or_read_faithfully() {
    let mut random = Random::new(5);
    each_in_games(|board| {
        let text = garble(&mut random, &board.to_string());
        let Ok(setup) = Setup::from_fen(&text) else { return };
        assert_eq!(Setup::from_fen(&setup.to_string()), Ok(setup), "{text}");
        let Ok(board) = Board::from_setup(&setup) else { return };
        assert_eq!(Board::from_fen(&board.to_string()), Ok(board), "{text}");
        assert_eq!(board.count_legal_moves(), board.legal_moves().len() as u64, "{text}");
    });
}

#[test]
fn garbled_moves_are_refused_or_legal() {
    let mut random = Random::new(6);
    each_in_games(|board| {
        for &m in &board.legal_moves() {
            let moves = [
                board.parse_uci(&garble(&mut random, &m.to_uci(false))).ok(),
                board.parse_san(&garble(&mut random, &board.to_san(m))).ok(),
            ];
            assert!(moves.into_iter().flatten().all(|m| board.is_legal(m)), "{board}");
        }
    });
}
