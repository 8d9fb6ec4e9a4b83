// SPDX-License-Identifier: GPL-3.0-or-later
//! Any text as moves in SAN: a line with a FEN (empty for the start position), then words.

use rules::chess::Board;

/// Checks one input.
pub(crate) fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (fen, words) = text.split_once('\n').unwrap_or(("", text));
    let mut board = match fen {
        "" => Board::start(),
        _ => match Board::from_fen(fen) {
            Ok(board) => board,
            Err(_) => return,
        },
    };
    for word in words.split_ascii_whitespace() {
        match board.parse_san(word) {
            Ok(m) => {
                assert!(board.is_legal(m), "'{word}' became {m:?} in {board}");
                assert_eq!(board.parse_san(&board.to_san(m)), Ok(m), "'{word}' in {board}");
                board.play(m);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}
