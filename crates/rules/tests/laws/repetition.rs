// SPDX-License-Identifier: GPL-3.0-or-later
//! Repetitions, found by key, against looking at every earlier position and every move.

use rules::{
    Random,
    chess::{Board, Game, has_upcoming_repetition, is_repetition},
};

/// Positions in which a few pieces shuffle about and repeat often.
const SHUFFLES: [&str; 5] = [
    "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
    "k7/8/8/1p1p4/1P1P4/8/8/K6N w - - 0 1",
    "8/8/1k6/p7/P7/1K6/8/B6b w - - 0 1",
    "k7/p7/P7/8/8/8/8/K7 w - - 0 1",
    "q5k1/8/8/8/8/8/8/1K5Q w - - 0 1",
];

/// Plays random moves, mostly back where the pieces came from.
fn each_game(mut visit: impl FnMut(&Game, usize)) {
    let mut random = Random::new(8);
    for fen in SHUFFLES {
        for _ in 0..60 {
            let mut game = Game::new(Board::from_fen(fen).expect("legal"));
            let root = random.below(20);
            for ply in 0..60_usize {
                visit(&game, ply.saturating_sub(root));
                let moves = game.board().legal_moves();
                if moves.is_empty() {
                    break;
                }
                let returns: Vec<_> = moves
                    .iter()
                    .copied()
                    .filter(|&m| game.keys().contains(&game.board().after(m).key()))
                    .collect();
                let again = !returns.is_empty() && random.one_in(2);
                game.play(random.pick(if again { &returns } else { &moves }));
            }
        }
    }
}

/// Whether a position that follows `keys` is drawn: it repeats one less than `ply` half-moves away, or stood twice
/// before.
fn repeats(keys: &[u64], key: u64, ply: usize) -> bool {
    let earlier: Vec<usize> = (0..keys.len()).filter(|&index| keys[index] == key).collect();
    earlier.len() >= 2 || earlier.iter().any(|&index| keys.len() - index < ply)
}

#[test]
fn a_repetition_is_an_earlier_position() {
    let mut found = 0;
    each_game(|game, ply| {
        let (&key, past) = game.keys().split_last().expect("at least one position");
        let expected = repeats(past, key, ply);
        let reversible = usize::from(game.board().halfmoves());
        assert_eq!(is_repetition(game.keys(), reversible, ply), expected, "ply {ply} of {:?}", game.keys());
        found += usize::from(expected);
    });
    assert!(found > 1000, "only {found} repetitions tried");
}

#[test]
fn an_upcoming_repetition_is_one_move_away() {
    let mut found = 0;
    each_game(|game, ply| {
        let board = game.board();
        let keys = game.keys();
        let expected = board.legal_moves().iter().any(|&m| repeats(keys, board.after(m).key(), ply + 1));
        let reversible = usize::from(board.halfmoves());
        assert_eq!(has_upcoming_repetition(board, keys, reversible, ply), expected, "ply {ply} of {board}");
        found += usize::from(expected);
    });
    assert!(found > 1000, "only {found} upcoming repetitions tried");
}
