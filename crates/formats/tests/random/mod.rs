// SPDX-License-Identifier: GPL-3.0-or-later
//! Games played at random, for tests that want many.

use formats::games::{GameRecord, NO_SCORE};
use rules::{
    Color, Outcome, Random,
    chess::{Board, Square},
};

/// Black may capture en passant.
const EN_PASSANT: &str = "rnbqkbnr/ppp1pppp/8/8/3pP3/5N2/PPPP1PPP/RNBQKB1R b KQkq e3 0 3";

/// How games begin.
#[derive(Copy, Clone)]
pub(crate) enum Start {
    Standard,
    /// Chess960 and standard by turns, castling rights included.
    Mixed,
}

/// So many games of up to 200 half-moves.
pub(crate) fn games(seed: u64, count: usize, start: Start) -> Vec<GameRecord> {
    (0..count).map(|number| game(&mut Random::stream(seed, number as u64), number, start)).collect()
}

fn game(random: &mut Random, number: usize, start: Start) -> GameRecord {
    let mut board = match start {
        _ if number % 24 == 8 => Board::from_fen(EN_PASSANT).expect("a legal position"),
        Start::Mixed if number % 2 == 1 => Board::chess960_start((random.bits() % 960) as usize),
        _ => Board::start(),
    };
    // Some games begin in the middle.
    for _ in 0..[0, 8, 9, 60][number % 4] {
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        board.play(moves[random.bits() as usize % moves.len()]);
    }
    let outcomes = [Outcome::Win(Color::White), Outcome::Draw, Outcome::Win(Color::Black)];
    let mut game = GameRecord::new(board, outcomes[number % 3]);
    let mut score = 0i16;
    for _ in 0..random.bits() % 200 {
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        let m = moves[random.bits() as usize % moves.len()];
        score = match random.bits() % 50 {
            0 => 0,
            1 => 31_990,
            2 => -31_990,
            _ => (score + (random.bits() % 61) as i16 - 30).clamp(-31_999, 31_999),
        };
        game.moves.push((m, if number % 5 == 4 { NO_SCORE } else { score }));
        board.play(m);
    }
    game
}

/// Compares long lists; a failure names the first difference only.
pub(crate) fn assert_same<T: PartialEq + std::fmt::Debug>(found: &[T], expected: &[T]) {
    if let Some(at) = found.iter().zip(expected).position(|(found, expected)| found != expected) {
        panic!("number {at} is {:?}, expected {:?}", found[at], expected[at]);
    }
    assert_eq!(found.len(), expected.len());
}

/// Whether the record meets what tests need to be worth something.
pub(crate) fn assert_varied(games: &[GameRecord]) {
    let moves = || games.iter().flat_map(|game| game.moves.iter().map(|(m, _)| *m));
    assert!(moves().any(|m| m.is_castle()), "no castling");
    assert!(moves().any(|m| m.is_promotion() && m.is_capture()), "no promotion by a capture");
    assert!(moves().any(|m| m.is(rules::chess::MoveKind::EnPassant)), "no en passant");
    let passants = games.iter().filter(|game| game.start.en_passant().map(Square::file).is_some());
    assert!(passants.count() > 0, "no start with an en passant square");
}
