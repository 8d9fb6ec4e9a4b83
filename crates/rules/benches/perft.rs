// SPDX-License-Identifier: GPL-3.0-or-later
//! Leaf counting beside `cozy-chess` in one run: `cargo bench -p rules --bench perft`.
//!
//! Both sides count leaves in bulk, which is each library's fastest way. The runs alternate, and the
//! ratio is taken from the best time of each, so that a busy moment of the machine hurts neither.

use std::{hint::black_box, time::Instant};

use rules::{chess::Board, perft};

const ROUNDS: usize = 5;
const CASES: [(&str, &str, u32); 3] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7),
];

fn cozy_count(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.len() as u64;
        } else {
            for m in moves {
                let mut child = board.clone();
                child.play_unchecked(m);
                leaves += cozy_count(&child, depth - 1);
            }
        }
        false
    });
    leaves
}

/// The leaves counted and the seconds it took.
fn timed(count: impl Fn() -> u64) -> (u64, f64) {
    let start = Instant::now();
    let leaves = black_box(count());
    (leaves, start.elapsed().as_secs_f64())
}

#[allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]
fn main() {
    println!(
        "{:<10} {:>5} {:>14} {:>12} {:>12} {:>7}",
        "position", "depth", "leaves", "nue M/s", "cozy M/s", "ratio"
    );
    for (name, fen, depth) in CASES {
        let ours: Board = fen.parse().expect("legal position");
        let theirs: cozy_chess::Board = fen.parse().expect("legal position");
        let (mut our_best, mut their_best, mut leaves) = (f64::MAX, f64::MAX, 0);
        for _ in 0..ROUNDS {
            let (our_leaves, seconds) = timed(|| perft::count(&ours, depth));
            our_best = our_best.min(seconds);
            let (their_leaves, seconds) = timed(|| cozy_count(&theirs, depth));
            their_best = their_best.min(seconds);
            assert_eq!(our_leaves, their_leaves, "{name}");
            leaves = our_leaves;
        }
        let speed = |seconds: f64| leaves as f64 / seconds / 1e6;
        println!(
            "{name:<10} {depth:>5} {leaves:>14} {:>12.1} {:>12.1} {:>7.2}",
            speed(our_best),
            speed(their_best),
            their_best / our_best
        );
    }
}
