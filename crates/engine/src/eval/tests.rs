// SPDX-License-Identifier: GPL-3.0-or-later
//! The evaluation as a whole.

use rules::chess::Board;

use super::{MAX_EVALUATION, evaluate, trace};

fn value(fen: &str) -> i32 {
    evaluate(&fen.parse().expect(fen))
}

#[test]
fn start_is_nearly_even() {
    let start = evaluate(&Board::start());
    assert!((0..60).contains(&start), "the first move is worth something, not {start}");
}

#[test]
fn colours_are_alike() {
    let pairs = [
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1",
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "8/4p1p1/8/1r3P1K/kp5R/3P4/2P5/8 b - - 0 1"),
    ];
    for (white, black) in pairs {
        assert_eq!(value(white), value(black), "{white}");
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
    assert!(minor.abs() < 100, "{minor}");
}

#[test]
fn far_pawns_are_worth_more() {
    let ranks: Vec<i32> = (2..=7)
        .map(|rank| {
            let mut rows: Vec<String> = vec!["8".into(); 8];
            rows[8 - rank] = "P7".into();
            rows[1] = if rank == 7 { "P5k1".into() } else { "6k1".into() };
            rows[7] = "6K1".into();
            if rank == 2 {
                rows[6] = "P7".into();
            }
            value(&format!("{} w - - 0 1", rows.join("/")))
        })
        .collect();
    assert!(ranks[5] > ranks[3] && ranks[3] > ranks[0], "{ranks:?}");
}

#[test]
fn extremes_stay_in_bounds() {
    for fen in ["QQQQQQQQ/Q7/8/2k5/8/8/8/RNB1KBNR w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"] {
        if let Ok(board) = fen.parse::<Board>() {
            assert!((0..=MAX_EVALUATION).contains(&evaluate(&board)), "{fen}: {}", evaluate(&board));
        }
    }
}

#[test]
fn trace_agrees_with_evaluation() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
    ] {
        let board: Board = fen.parse().expect(fen);
        let text = trace(&board).to_string();
        let last = text.rsplit(' ').next().expect("a total");
        assert_eq!(
            (last.parse::<f32>().expect("a number") * 100.0).round() as i32,
            evaluate(&board),
            "{text}"
        );
    }
}
