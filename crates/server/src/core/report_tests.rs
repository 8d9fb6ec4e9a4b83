// SPDX-License-Identifier: GPL-3.0-or-later
//! Reports of made-up evaluations.

use rules::Color;

use super::report::*;
use crate::message::{Judgement, MoveText, Score};

fn position(turn: Color, value: i32, best: &str) -> Judged {
    let text = |uci: &str| MoveText { uci: uci.into(), san: uci.into() };
    let score = Score::Cp { value };
    Judged { turn, node: None, played: Some(text("a2a3")), score, best: Some(text(best)) }
}

#[test]
fn the_curve_of_winning_chances() {
    let win = |value| win_percent(Score::Cp { value }, Color::White);
    assert_eq!(win(0), 50.0);
    assert!((win(100) - 59.1).abs() < 0.1 && (win(-100) - 40.9).abs() < 0.1);
    let mate = |value, turn| win_percent(Score::Mate { value }, turn);
    assert_eq!((mate(3, Color::Black), mate(-3, Color::White)), (100.0, 0.0));
    assert_eq!((mate(0, Color::White), mate(0, Color::Black)), (0.0, 100.0), "who is mated has lost");
}

#[test]
fn mistakes_are_judged_by_what_they_lose_for_the_mover() {
    let positions = [
        position(Color::White, 20, "e2e4"),
        position(Color::Black, 20, "e7e5"),  // fine
        position(Color::White, 100, "g1f3"), // Black loses 7 %
        position(Color::Black, -50, "d7d5"), // White loses 14 %
        position(Color::White, 300, "a2a3"), // Black loses 30 %
        position(Color::Black, 400, "h7h6"), // White gains: no loss
    ];
    let report = report(&positions);
    let judgements: Vec<Option<Judgement>> =
        report.positions.iter().map(|position| position.judgement).collect();
    let expected =
        [None, None, Some(Judgement::Inaccuracy), Some(Judgement::Mistake), Some(Judgement::Blunder), None];
    assert_eq!(judgements, expected);
    assert_eq!(report.positions[3].better.as_ref().unwrap().uci, "g1f3");
    assert_eq!(report.positions[1].better, None);
    let (white, black) = (report.white.unwrap(), report.black.unwrap());
    assert_eq!((white.inaccuracies, white.mistakes, white.blunders), (0, 1, 0));
    assert_eq!((black.inaccuracies, black.mistakes, black.blunders), (1, 0, 1));
    assert!(white.accuracy > black.accuracy && white.accuracy < 100.0);
    assert_eq!(report.positions[5].accuracy.unwrap().round(), 100.0);
}

#[test]
fn a_side_that_did_not_move_has_no_report() {
    let report = report(&[position(Color::White, 0, "e2e4"), position(Color::Black, 0, "e7e5")]);
    assert!(report.white.is_some() && report.black.is_none());
}
