// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions and moves to try the laws on.

use rules::{
    Random,
    chess::{Board, Move, MoveKind},
};

/// Starts with something special near: castling both ways, promotions, en passant, Chess960, few pieces.
const STARTS: [&str; 9] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/5k2/8/2pP4/2PpP1p1/5pPp/5P1P/4K3 w - c6 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1rkr2bb/pppppppp/2n5/8/8/2N5/PPPPPPPP/1RKR2BB w DBdb - 0 1",
    "qrkrnbbn/pppppppp/8/8/8/8/PPPPPPPP/QRKRNBBN w DBdb - 0 1",
    "8/8/4k3/8/2K5/8/3P4/8 w - - 0 1",
];

/// The starts.
pub(crate) fn starts() -> impl Iterator<Item = Board> {
    STARTS.iter().map(|fen| Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")))
}

/// A random legal move; castling, en passant and promotions are preferred at times.
pub(crate) fn random_move(random: &mut Random, board: &Board) -> Option<Move> {
    let moves = board.legal_moves();
    let is_special = |m: &&Move| {
        m.is_castle() || m.is_promotion() || m.is(MoveKind::EnPassant) || m.is(MoveKind::DoublePush)
    };
    let special: Vec<Move> = moves.iter().filter(is_special).copied().collect();
    match (moves.is_empty(), special.is_empty()) {
        (true, _) => None,
        (false, false) if random.one_in(4) => Some(random.pick(&special)),
        _ => Some(random.pick(&moves)),
    }
}

/// Positions of random games from all starts.
pub(crate) fn sample(random: &mut Random, from_each: usize) -> Vec<Board> {
    let mut boards = Vec::new();
    for mut board in starts() {
        for _ in 0..from_each {
            boards.push(board);
            for _ in 0..7 {
                let Some(m) = random_move(random, &board) else { break };
                board.play(m);
            }
        }
    }
    boards
}
