// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions from random games, with made-up scores and results.

use rules::{Random, chess::Board};
use trainer::Record;

/// Records of positions from random games; the score is about what the material says, what is said by hand is nonsense.
pub(crate) fn records(count: usize, seed: u64) -> Vec<Record> {
    let mut random = Random::new(seed);
    let mut records = Vec::new();
    let mut board = Board::start();
    while records.len() < count {
        let moves = board.legal_moves();
        if moves.is_empty() || board.halfmoves() > 60 {
            board = Board::start();
            continue;
        }
        board = board.after(moves[(random.bits() % moves.len() as u64) as usize]);
        if random.bits().is_multiple_of(3) {
            let score = (400.0 * material(&board) + 300.0 * (random.unit() - 0.5)) as i16;
            let record = Record::new(&board, score, (random.bits() % 3) as u8);
            records.push(record.with_by_hand((record.occupied() % 601) as i16 - 300));
        }
    }
    records
}

/// White's material less Black's, in queens and a bit.
fn material(board: &Board) -> f64 {
    use rules::{Color, chess::Role};
    let worth =
        [(Role::Pawn, 0.1), (Role::Knight, 0.3), (Role::Bishop, 0.3), (Role::Rook, 0.5), (Role::Queen, 0.9)];
    worth
        .into_iter()
        .map(|(role, worth)| {
            let count = |color| f64::from(board.pieces(color, role).len());
            worth * (count(Color::White) - count(Color::Black))
        })
        .sum()
}
