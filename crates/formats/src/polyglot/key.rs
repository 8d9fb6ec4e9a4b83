// SPDX-License-Identifier: GPL-3.0-or-later
//! The key under which a Polyglot book finds a position.

use rules::{
    Color,
    chess::{Board, Wing},
};

use super::random::RANDOM64;

const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const TURN: usize = 780;

/// The key of a position.
///
/// The format counts an en passant square beside which a pawn stands ready to capture, even if a pin
/// forbids the capture; a [`Board`] no longer knows of that square, so such a position is not found.
pub fn key(board: &Board) -> u64 {
    let mut key = 0;
    for square in board.occupied() {
        if let Some(piece) = board.piece_on(square) {
            let kind = 2 * piece.role().index() + usize::from(piece.color() == Color::White);
            key ^= RANDOM64[64 * kind + square.index()];
        }
    }
    for color in Color::ALL {
        for wing in Wing::ALL {
            if board.castling().rook(color, wing).is_some() {
                key ^= RANDOM64[CASTLING + 2 * color.index() + wing.index()];
            }
        }
    }
    if let Some(square) = board.en_passant() {
        key ^= RANDOM64[EN_PASSANT + usize::from(square.file())];
    }
    if board.turn() == Color::White {
        key ^= RANDOM64[TURN];
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nine positions given with the description of the format.
    #[test]
    fn published_keys() {
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b_9618_1691_fc9c),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c_9b50_fd11_4196),
            ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756_b944_61c5_0fb0),
            ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662f_afb9_65db_29d4),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a4_8b5a_8e47_ff78),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a_607c_a3f2_42c1),
            ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fd_d303_c946_bdd9),
            ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c81_23ea_7b06_7637),
            ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f_9b82_9b27_9560),
        ] {
            assert_eq!(key(&Board::from_fen(fen).unwrap()), expected, "{fen}");
        }
    }
}
