// SPDX-License-Identifier: GPL-3.0-or-later
//! Random games with fixed seeds, from starts where something special is near.

use rules::{
    Random,
    chess::{Board, Move, MoveKind},
};

/// Standard chess, Chess960 and double Chess960, castling at once, promotions and en passant at hand.
const STARTS: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
    "rkrnqbbn/pppppppp/8/8/8/8/PPPPPPPP/BBRNKRQN w FCca - 0 1",
    "1rk1r3/8/8/8/8/8/8/1RK1R3 w EBeb - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/p1p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/4K3 w - - 0 1",
];

/// One step of a game.
pub(crate) enum Step {
    Move(Move),
    /// The turn is passed.
    Null,
}

/// A random legal move; castling, en passant, promotions and king moves are preferred at times.
fn random_move(random: &mut Random, board: &Board) -> Option<Move> {
    let moves = board.legal_moves();
    let king = board.king(board.turn());
    let is_special = |m: &Move| {
        m.is_castle()
            || m.is_promotion()
            || m.is(MoveKind::EnPassant)
            || m.is(MoveKind::DoublePush)
            || m.from() == king
    };
    let special: Vec<Move> = moves.iter().copied().filter(is_special).collect();
    if !special.is_empty() && random.one_in(4) {
        return Some(random.pick(&special));
    }
    (!moves.is_empty()).then(|| random.pick(&moves))
}

/// Plays games and calls for each step with the position before it.
pub(crate) fn each_step(mut visit: impl FnMut(&Board, &Step)) {
    let mut random = Random::new(1);
    for start in STARTS.iter().cycle().take(3 * STARTS.len()) {
        let mut board = Board::from_fen(start).unwrap_or_else(|error| panic!("{start}: {error}"));
        for _ in 0..100 {
            if !board.in_check() && random.one_in(16) {
                visit(&board, &Step::Null);
                board.play_null();
            }
            let Some(m) = random_move(&mut random, &board) else { break };
            visit(&board, &Step::Move(m));
            board.play(m);
        }
    }
}

#[test]
fn the_games_have_everything() {
    let mut found = [false; 16];
    let (mut passed, mut overlapping) = (false, false);
    each_step(|board, step| match *step {
        Step::Null => passed = true,
        Step::Move(m) => {
            found[usize::from(m.kind_bits())] = true;
            // In Chess960 a castling king may go where the rook stood, or stay.
            overlapping |= m.is_castle() && {
                let after = board.after(m);
                let king = after.king(board.turn());
                king == m.to() || king == m.from()
            };
        }
    });
    let kinds = (0..16).filter(|kind| ![3, 6, 7].contains(kind));
    assert_eq!(kinds.filter(|&kind| !found[kind]).collect::<Vec<_>>(), [] as [usize; 0], "kinds of moves");
    assert!(passed && overlapping);
}
