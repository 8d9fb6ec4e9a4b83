// SPDX-License-Identifier: GPL-3.0-or-later
//! Any text as a FEN: reading never panics, and what was read is written so that it reads the same.

use rules::chess::{Board, Setup};

/// Checks one input.
pub(crate) fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Setup::from_fen(text) {
        Ok(setup) => assert_eq!(Setup::from_fen(&setup.to_string()), Ok(setup)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    match Board::from_fen(text) {
        Ok(board) => {
            assert_eq!(Board::from_fen(&board.to_string()), Ok(board));
            assert_eq!(Board::from_fen(&board.to_shredder_fen()), Ok(board));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
