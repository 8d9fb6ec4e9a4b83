// SPDX-License-Identifier: GPL-3.0-or-later
//! Another library, shakmaty, sees the same moves, texts and draws.

use rules::chess::Board;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, PositionError, fen::Fen, san::SanPlus};

use crate::positions::{each, each_in_games};

/// The position as shakmaty sees it, less strict than usual about what play can reach.
fn oracle(board: &Board) -> Chess {
    let fen: Fen = board.to_string().parse().unwrap_or_else(|error| panic!("{board}: {error}"));
    fen.into_position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .unwrap_or_else(|error| panic!("{board}: {error}"))
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

#[test]
fn moves_lead_to_the_same_positions() {
    each(|board| {
        let oracle = oracle(board);
        let mut ours: Vec<(String, String)> =
            board.legal_moves().iter().map(|&m| (m.to_uci(true), board.after(m).to_string())).collect();
        let mut theirs: Vec<(String, String)> = oracle
            .legal_moves()
            .into_iter()
            .map(|m| {
                let mut child = oracle.clone();
                child.play_unchecked(m);
                (m.to_uci(CastlingMode::Chess960).to_string(), fen(&child))
            })
            .collect();
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "{board}");
    });
}

#[test]
fn moves_have_the_same_names() {
    each(|board| {
        let oracle = oracle(board);
        let mut ours: Vec<(String, String)> =
            board.legal_moves().iter().map(|&m| (m.to_uci(true), board.to_san(m))).collect();
        let mut theirs: Vec<(String, String)> = oracle
            .legal_moves()
            .into_iter()
            .map(|m| {
                let san = SanPlus::from_move(oracle.clone(), m);
                (m.to_uci(CastlingMode::Chess960).to_string(), san.to_string())
            })
            .collect();
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "{board}");
    });
}

#[test]
fn the_same_positions_are_drawn_for_want_of_material() {
    each(|board| {
        let theirs = oracle(board).is_insufficient_material();
        assert_eq!(board.has_insufficient_material(), theirs, "{board}");
    });
}

#[test]
fn the_same_games_are_over() {
    each_in_games(|board| {
        let oracle = oracle(board);
        let no_move = board.count_legal_moves() == 0;
        assert_eq!(no_move && board.in_check(), oracle.is_checkmate(), "{board}");
        assert_eq!(no_move && !board.in_check(), oracle.is_stalemate(), "{board}");
    });
}
