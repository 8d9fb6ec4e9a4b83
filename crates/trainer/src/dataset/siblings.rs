// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions beside others: what could have been played instead, for teachers to judge.

use formats::sample::Sample;
use rules::{
    Random,
    chess::{Board, Move, MoveList, Stage},
};

/// Calls with positions beside one, with its score and result: after moves that were not played, drawn at random. Those
/// in check are not worth a place, for nobody asks a network about them, nor those in which a capture wins material, for
/// a search will make it.
pub(super) fn siblings(sample: &Sample, count: usize, mut then: impl FnMut(Sample)) {
    if count == 0 {
        return;
    }
    let Sample { board, score, outcome, played, .. } = *sample;
    let mut moves: Vec<Move> = board.legal_moves().iter().copied().filter(|&m| Some(m) != played).collect();
    let mut random = Random::new(board.key());
    for _ in 0..count.min(moves.len()) {
        let sibling = board.after(moves.swap_remove(random.below(moves.len())));
        if !sibling.in_check() && !has_winning_capture(&sibling) {
            then(Sample { score, outcome, ..Sample::new(sibling) });
        }
    }
}

/// Whether a capture or promotion wins material by static exchange.
fn has_winning_capture(board: &Board) -> bool {
    let mut moves = MoveList::new();
    board.generate(Stage::Noisy, &mut moves);
    moves.iter().any(|&m| board.see_at_least(m, 1))
}
