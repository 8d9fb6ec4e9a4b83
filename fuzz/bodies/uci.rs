// SPDX-License-Identifier: GPL-3.0-or-later
//! Any text as lines of UCI: both grammars, and the moves of positions resolved on a board.

use protocol::uci::{Command, PositionCommand, Reply, StartPosition};
use rules::chess::Board;

/// Checks one input.
pub(crate) fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut board = Board::start();
    for line in text.lines() {
        match Command::parse(line) {
            Ok(command) => {
                assert_eq!(Command::parse(&command.to_string()), Ok(command.clone()), "line '{line}'");
                match command {
                    Command::Position(position) => set_up(&mut board, &position),
                    Command::Go(go) => go.search_moves.iter().for_each(|m| resolve(&board, m)),
                    _ => {}
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        match Reply::parse(line) {
            Ok(reply) => assert_eq!(Reply::parse(&reply.to_string()), Ok(reply), "line '{line}'"),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

fn set_up(board: &mut Board, position: &PositionCommand) {
    *board = match &position.start {
        StartPosition::Initial => Board::start(),
        StartPosition::Fen(fen) => match Board::from_fen(fen) {
            Ok(board) => board,
            Err(_) => return,
        },
    };
    for text in &position.moves {
        resolve(board, text);
        if let Ok(m) = board.parse_uci(text) {
            board.play(m);
        }
    }
}

fn resolve(board: &Board, text: &str) {
    match board.parse_uci(text) {
        Ok(m) => {
            assert!(board.is_legal(m), "'{text}' became {m:?} in {board}");
            for chess960 in [false, true] {
                assert_eq!(board.parse_uci(&m.to_uci(chess960)), Ok(m), "'{text}' in {board}");
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
