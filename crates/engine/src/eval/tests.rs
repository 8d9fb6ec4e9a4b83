// SPDX-License-Identifier: GPL-3.0-or-later
//! The evaluation as a whole.

use rules::chess::Board;

use super::{MAX_EVALUATION, evaluate, trace};

const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const NINE_QUEENS: &str = "QQQQQQ2/QQQ5/8/8/6k1/8/3K4/RNB2BNR b - - 0 1";
const ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";

fn value(fen: &str) -> i32 {
    evaluate(&fen.parse().expect(fen))
}

#[test]
fn start_is_nearly_even() {
    let start = evaluate(&Board::start());
    assert!((0..60).contains(&start), "the first move is worth a little, not {start}");
}

#[test]
fn colors_are_alike() {
    let exchanged = [
        (MIDDLEGAME, "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1"),
        (ENDGAME, "8/4p1p1/8/1r3P1K/kp5R/3P4/2P5/8 b - - 0 1"),
    ];
    for (white, black) in exchanged {
        assert_eq!(value(white), value(black), "{white}");
    }
}

/// Training exchanges left and right too, and keeps what is said by hand.
#[test]
fn wings_are_alike_without_castling() {
    let castled = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/P1N1PN2/1P3PPP/R1BQKB1R w - - 0 9";
    let attack = "2kr3r/pppq1ppp/2n5/4p2b/2B1P1n1/2PP1N1P/PP3PP1/R1BQR1K1 b - - 0 12";
    let passers = "8/5pk1/R5p1/P6p/7P/4PKP1/r7/8 w - - 0 40";
    for fen in [castled, attack, passers, ENDGAME, &MIDDLEGAME.replace("KQkq", "-")] {
        let (pieces, rest) = fen.split_once(' ').expect(fen);
        let ranks: Vec<String> = pieces.split('/').map(|rank| rank.chars().rev().collect()).collect();
        assert_eq!(value(fen), value(&format!("{} {rest}", ranks.join("/"))), "{fen}");
    }
}

#[test]
fn a_queen_more_is_winning() {
    assert!(value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 600);
    assert!(value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1") < -600);
}

#[test]
fn a_lone_minor_cannot_win() {
    let minor = value("4k3/8/8/3p4/8/8/8/2B1K3 w - - 0 1");
    assert!(minor.abs() < 150, "{minor}");
}

#[test]
fn far_pawns_are_worth_more() {
    let second = value("8/6k1/8/8/8/8/P7/6K1 w - - 0 1");
    let fifth = value("8/6k1/8/P7/8/8/8/6K1 w - - 0 1");
    let seventh = value("8/P5k1/8/8/8/8/8/6K1 w - - 0 1");
    assert!(second < fifth && fifth < seventh, "{second} {fifth} {seventh}");
}

#[test]
fn extremes_stay_in_bounds() {
    let crushing = value(NINE_QUEENS);
    assert!((-MAX_EVALUATION..-2_000).contains(&crushing), "{crushing}");
}

/// The trace adds up groups in wide numbers, and so would also show a sum that overflows.
#[test]
fn trace_agrees_with_evaluation() {
    for fen in [MIDDLEGAME, ENDGAME, NINE_QUEENS, "4k3/8/8/3p4/8/8/8/2B1K3 b - - 0 1"] {
        let board: Board = fen.parse().expect(fen);
        assert_eq!(trace(&board).total(), evaluate(&board), "{fen}");
    }
}
