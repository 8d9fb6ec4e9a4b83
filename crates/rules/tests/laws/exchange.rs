// SPDX-License-Identifier: GPL-3.0-or-later
//! Static exchange evaluation against a slow recursive swap on a mailbox.
//!
//! The rules of the exchange: the sides take turns to capture on one square, each with its least valuable
//! piece (of equals the one nearest a1), and may stop at any time. A piece that would uncover an enemy
//! slider on its own king stays out; the king captures only what nothing defends.

use rules::{
    Color, Random,
    chess::{Board, Move, MoveKind, Piece, Role, SEE_VALUES, Square},
};

use crate::positions::each;

type Mailbox = [Option<Piece>; 64];

const STRAIGHT: [(i8, i8); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const JUMPS: [(i8, i8); 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

fn value(piece: Option<Piece>) -> i32 {
    piece.map_or(0, |piece| SEE_VALUES[piece.role().index()])
}

fn step(square: Square, (files, ranks): (i8, i8)) -> Option<Square> {
    let (file, rank) = (square.file() as i8 + files, square.rank() as i8 + ranks);
    let inside = (0..8).contains(&file) && (0..8).contains(&rank);
    inside.then(|| Square::at(file as u8, rank as u8))
}

/// Whether the piece on `from` attacks `target`, found by walking.
fn attacks(mailbox: &Mailbox, from: Square, target: Square) -> bool {
    let Some(piece) = mailbox[from.index()] else { return false };
    let leaps = |steps: &[(i8, i8)]| steps.iter().any(|&by| step(from, by) == Some(target));
    let slides = |steps: &[(i8, i8)]| {
        steps.iter().any(|&by| {
            let mut here = step(from, by);
            while let Some(square) = here
                && square != target
                && mailbox[square.index()].is_none()
            {
                here = step(square, by);
            }
            here == Some(target)
        })
    };
    match (piece.role(), piece.color()) {
        (Role::Pawn, Color::White) => leaps(&[(-1, 1), (1, 1)]),
        (Role::Pawn, Color::Black) => leaps(&[(-1, -1), (1, -1)]),
        (Role::Knight, _) => leaps(&JUMPS),
        (Role::King, _) => leaps(&STRAIGHT) || leaps(&DIAGONAL),
        (Role::Bishop, _) => slides(&DIAGONAL),
        (Role::Rook, _) => slides(&STRAIGHT),
        (Role::Queen, _) => slides(&STRAIGHT) || slides(&DIAGONAL),
    }
}

fn attackers(mailbox: &Mailbox, side: Color, target: Square) -> Vec<Square> {
    let own = |square: &Square| mailbox[square.index()].is_some_and(|piece| piece.color() == side);
    Square::all().filter(own).filter(|&from| attacks(mailbox, from, target)).collect()
}

/// Whether a capture by the piece on `from` would give the enemy an attack on the own king that he does
/// not have now.
fn uncovers_king(mailbox: &Mailbox, side: Color, from: Square, target: Square) -> bool {
    let king = Square::all().find(|king| mailbox[king.index()] == Some(Piece::new(side, Role::King)));
    let Some(king) = king.filter(|&king| king != from) else { return false };
    let mut after = *mailbox;
    after[target.index()] = after[from.index()].take();
    let before = attackers(mailbox, !side, king);
    attackers(&after, !side, king).iter().any(|attacker| !before.contains(attacker))
}

/// What `side` gains by capturing on `target` if it may also leave it.
fn swap(mailbox: &Mailbox, side: Color, target: Square) -> i32 {
    let role_of = |from: &Square| mailbox[from.index()].map(|piece| piece.role());
    let defended = !attackers(mailbox, !side, target).is_empty();
    let capturer = attackers(mailbox, side, target)
        .into_iter()
        .filter(|&from| !uncovers_king(mailbox, side, from, target))
        .filter(|from| role_of(from) != Some(Role::King) || !defended)
        .min_by_key(role_of);
    let Some(from) = capturer else { return 0 };
    let mut after = *mailbox;
    after[target.index()] = after[from.index()].take();
    (value(mailbox[target.index()]) - swap(&after, !side, target)).max(0)
}

/// What a move gains on its destination, the enemy having the right to answer or not.
fn gain(board: &Board, m: Move) -> i32 {
    if m.is_castle() {
        return 0;
    }
    let side = board.turn();
    let mut mailbox: Mailbox = std::array::from_fn(|index| board.piece_on(Square::new(index as u8)));
    let mut gain = value(mailbox[m.to().index()]);
    mailbox[m.to().index()] = mailbox[m.from().index()].take();
    if let Some(role) = m.promoted() {
        gain += SEE_VALUES[role.index()] - SEE_VALUES[Role::Pawn.index()];
        mailbox[m.to().index()] = Some(Piece::new(side, role));
    }
    if m.is(MoveKind::EnPassant) {
        gain += value(mailbox[m.to().forward(!side).index()].take());
    }
    gain - swap(&mailbox, !side, m.to())
}

#[test]
fn exchanges_are_worth_what_the_slow_swap_says() {
    let mut random = Random::new(7);
    each(|board| {
        if !random.one_in(4) {
            return;
        }
        for &m in &board.legal_moves() {
            let gain = gain(board, m);
            assert!(board.see_at_least(m, gain), "{m:?} gains {gain} in {board}");
            assert!(!board.see_at_least(m, gain + 1), "{m:?} gains only {gain} in {board}");
            let other = gain + random.below(2001) as i32 - 1000;
            assert_eq!(board.see_at_least(m, other), gain >= other, "{m:?} gains {gain} in {board}");
        }
    });
}

#[test]
fn the_swap_itself_is_right() {
    for (fen, uci, expected) in [
        // A pawn takes a pawn that a pawn defends.
        ("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
        // A rook takes a defended pawn.
        ("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
        // The queen behind the rook makes the defender think twice.
        ("3rk3/8/8/3p4/8/3R4/3Q4/4K3 w - - 0 1", "d3d5", 100),
        // The defending knight is pinned to its king.
        ("4k3/8/4n3/8/3p4/8/4R3/3RK3 w - - 0 1", "d1d4", 100),
    ] {
        let board = Board::from_fen(fen).expect("legal");
        assert_eq!(gain(&board, board.parse_uci(uci).expect("legal")), expected, "{uci} in {fen}");
    }
    let castles = Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("legal");
    assert_eq!(gain(&castles, castles.parse_uci("e1g1").expect("legal")), 0);
}
