// SPDX-License-Identifier: GPL-3.0-or-later
//! The same position with the colours exchanged.

use rules::{
    Color,
    chess::{Board, CastlingRights, Piece, Setup, Square, Wing},
};

/// What White had, Black has, ranks counted from the other side; an evaluation must not care.
pub(super) fn flipped(board: &Board) -> Board {
    let flip = |square: Square| square.relative(Color::Black);
    let setup = Setup::from(board);
    let mut castling = CastlingRights::NONE;
    for color in Color::ALL {
        for wing in Wing::ALL {
            if let Some(rook) = setup.castling.rook(color, wing) {
                castling.set(!color, wing, flip(rook));
            }
        }
    }
    let squares = std::array::from_fn(|index| {
        let piece = setup.squares[flip(Square::new(index as u8)).index()]?;
        Some(Piece::new(!piece.color(), piece.role()))
    });
    let en_passant = setup.en_passant.map(flip);
    let flipped = Setup { squares, turn: !setup.turn, castling, en_passant, ..setup };
    Board::from_setup(&flipped).expect("the rules are the same for both colours")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flipping_twice_gives_the_position_back() {
        for (fen, expected) in [
            (
                "rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP2PPP/RNBQKBNR b Kq d3 0 3",
                "rnbqkbnr/ppp2ppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w Qk d6 0 3",
            ),
            ("4k3/8/8/8/8/8/8/1R2K3 w - - 12 40", "1r2k3/8/8/8/8/8/8/4K3 b - - 12 40"),
        ] {
            let board = Board::from_fen(fen).expect("legal");
            assert_eq!(flipped(&board).to_string(), expected);
            assert_eq!(flipped(&flipped(&board)), board);
        }
    }
}
