// SPDX-License-Identifier: GPL-3.0-or-later
//! Different questions to one board get answers that fit together.

use rules::{
    Color, Random,
    chess::{Bitboard, Board, Role, Square, attacks},
};

use crate::positions::each;

#[test]
fn sets_and_squares_tell_the_same() {
    each(|board| {
        for square in Square::all() {
            let piece = board.piece_on(square);
            assert_eq!(board.occupied().contains(square), piece.is_some(), "{square} in {board}");
            for color in Color::ALL {
                for role in Role::ALL {
                    let here = piece.is_some_and(|piece| (piece.color(), piece.role()) == (color, role));
                    assert_eq!(board.pieces(color, role).contains(square), here, "{square} in {board}");
                }
            }
        }
        for color in Color::ALL {
            assert_eq!(board.pieces(color, Role::King), board.king(color).into(), "{board}");
        }
    });
}

fn assert_attacks_agree(board: &Board, occupied: Bitboard) {
    for color in Color::ALL {
        let attacked = board.attacked_by(color, occupied);
        for square in Square::all() {
            let attackers = board.attackers_to(square, occupied) & board.color(color);
            assert_eq!(attacked.contains(square), !attackers.is_empty(), "{square} by {color} in {board}");
            let there = |from: &Square| {
                let piece = board.piece_on(*from).expect("a piece of this colour");
                attacks::of(piece.role(), color, *from, occupied).contains(square)
            };
            let expected: Bitboard = board.color(color).into_iter().filter(there).collect();
            assert_eq!(attackers, expected, "{square} by {color} in {board}");
        }
    }
}

#[test]
fn a_square_is_attacked_if_it_has_an_attacker() {
    let mut random = Random::new(3);
    each(|board| {
        if random.one_in(8) {
            assert_attacks_agree(board, board.occupied());
            assert_attacks_agree(board, board.occupied() & Bitboard(random.bits()));
        }
    });
}
