// SPDX-License-Identifier: GPL-3.0-or-later
//! Generated moves are exactly the legal ones, in every stage.

use rules::{
    Random,
    chess::{Board, Move, MoveList, Stage},
};

use crate::positions::each;

fn sorted(moves: &[Move]) -> Vec<Move> {
    let mut moves = moves.to_vec();
    moves.sort();
    moves
}

fn stage(board: &Board, stage: Stage) -> MoveList {
    let mut moves = MoveList::new();
    board.generate(stage, &mut moves);
    moves
}

#[test]
fn every_generated_move_is_legal_and_generated_once() {
    each(|board| {
        let moves = sorted(&board.legal_moves());
        assert!(moves.windows(2).all(|pair| pair[0] != pair[1]), "{board}");
        for m in moves {
            assert!(board.is_legal(m), "{m:?} in {board}");
        }
    });
}

#[test]
fn every_legal_pattern_is_generated() {
    let mut random = Random::new(4);
    each(|board| {
        if random.one_in(20) {
            let legal: Vec<Move> =
                (0..=u16::MAX).map(Move::from_bits).filter(|&m| board.is_legal(m)).collect();
            assert_eq!(legal, sorted(&board.legal_moves()), "{board}");
        }
    });
}

#[test]
fn noisy_and_quiet_moves_are_all_moves() {
    each(|board| {
        let (noisy, quiet) = (stage(board, Stage::Noisy), stage(board, Stage::Quiet));
        assert!(noisy.iter().all(|m| m.is_capture() || m.is_promotion()), "{board}");
        assert!(quiet.iter().all(|m| m.is_quiet()), "{board}");
        assert_eq!(sorted(&[&*noisy, &*quiet].concat()), sorted(&board.legal_moves()), "{board}");
    });
}

#[test]
fn counting_is_listing() {
    each(|board| assert_eq!(board.count_legal_moves(), board.legal_moves().len() as u64, "{board}"));
}

#[test]
fn a_move_gives_check_if_the_next_position_is_one() {
    each(|board| {
        for &m in &board.legal_moves() {
            assert_eq!(board.gives_check(m), board.after(m).in_check(), "{m:?} in {board}");
        }
    });
}
