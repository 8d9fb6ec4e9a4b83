// SPDX-License-Identifier: GPL-3.0-or-later
//! What a board keeps up to date by increments equals what is computed from nothing.

use std::collections::HashMap;

use rules::chess::{Bitboard, Board, Move, MoveKind, Observer, Piece, Role, Square};

use crate::positions::{each, each_in_games};

/// A board assembled from the text of another, sharing nothing with it.
fn from_scratch(board: &Board) -> Board {
    Board::from_fen(&board.to_string()).unwrap_or_else(|error| panic!("{board}: {error}"))
}

fn assert_same(incremental: &Board, how: &str) {
    let scratch = from_scratch(incremental);
    assert_eq!(incremental.keys(), scratch.keys(), "keys of {incremental} {how}");
    assert_eq!(incremental.checkers(), scratch.checkers(), "checkers of {incremental} {how}");
    assert_eq!(incremental.pinned(), scratch.pinned(), "pins of {incremental} {how}");
    assert!(*incremental == scratch, "{incremental} {how}");
}

#[test]
fn a_played_board_equals_the_one_built_from_nothing() {
    each(|board| {
        for &m in &board.legal_moves() {
            assert_same(&board.after(m), &format!("after {m:?} in {board}"));
        }
    });
}

#[test]
fn the_likely_key_is_right_for_ordinary_moves() {
    let (mut right, mut all) = (0, 0);
    each(|board| {
        for &m in &board.legal_moves() {
            let child = board.after(m);
            let ordinary = !m.is_castle() && !m.is_promotion() && !m.is(MoveKind::EnPassant);
            if ordinary && child.castling() == board.castling() && child.en_passant().is_none() {
                assert_eq!(board.likely_key_after(m), child.key(), "{m:?} in {board}");
            }
            right += usize::from(board.likely_key_after(m) == child.key());
            all += 1;
        }
    });
    assert!(10 * right > 8 * all, "{right} of {all}");
}

#[test]
fn a_passed_turn_equals_the_board_built_from_nothing() {
    each(|board| {
        if !board.in_check() {
            let mut passed = *board;
            passed.play_null();
            assert_same(&passed, &format!("after passing in {board}"));
            assert_eq!(passed.turn(), !board.turn());
        }
    });
}

/// Replays announcements on squares of its own.
struct Mailbox {
    squares: [Option<Piece>; 64],
    arrived: bool,
}

impl Observer for Mailbox {
    fn put(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.squares[square.index()].replace(piece), None, "{square} was not empty");
        self.arrived = true;
    }

    fn take(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.squares[square.index()].take(), Some(piece), "wrong piece left {square}");
        assert!(!self.arrived, "a piece left {square} after another had arrived");
    }
}

#[test]
fn an_observer_can_follow_the_pieces() {
    let squares = |board: &Board| std::array::from_fn(|index| board.piece_on(Square::new(index as u8)));
    each(|board| {
        for &m in &board.legal_moves() {
            let mut mailbox = Mailbox { squares: squares(board), arrived: false };
            let mut child = *board;
            child.play_observed(m, &mut mailbox);
            assert_eq!(mailbox.squares, squares(&child), "{m:?} in {board}");
            assert!(child == board.after(m), "{m:?} in {board}");
        }
    });
}

#[test]
fn playing_on_a_copy_leaves_the_parent_untouched() {
    each_in_games(|board| {
        let before = *board;
        let mut child = *board;
        if let Some(&m) = board.legal_moves().first() {
            child.play(m);
            assert!(*board == before && child != before, "{m:?} in {board}");
        }
    });
}

#[test]
fn checkers_and_pins_are_what_they_are_called() {
    each(|board| {
        let (us, king) = (board.turn(), board.king(board.turn()));
        let attackers = |occupied| board.attackers_to(king, occupied) & board.color(!us);
        let checkers = attackers(board.occupied());
        assert_eq!(board.checkers(), checkers, "{board}");
        assert_eq!(board.in_check(), !checkers.is_empty(), "{board}");

        let uncovers = |&square: &Square| attackers(board.occupied().without(square)) != checkers;
        let others = board.color(us) - board.role(Role::King);
        assert_eq!(board.pinned(), others.into_iter().filter(uncovers).collect::<Bitboard>(), "{board}");
    });
}

#[test]
fn equal_keys_mean_equal_positions() {
    let mut seen: HashMap<u64, String> = HashMap::new();
    each_in_games(|board| {
        // The counters are not part of the position. Rook files are: they fix who castles how.
        let fen = board.to_shredder_fen();
        let position = fen.rsplitn(3, ' ').last().expect("six fields").to_owned();
        let first = seen.entry(board.key()).or_insert_with(|| position.clone());
        assert_eq!(*first, position);
    });
}

#[test]
fn no_move_is_the_null_move() {
    each_in_games(|board| assert!(!board.is_legal(Move::NONE), "{board}"));
}
