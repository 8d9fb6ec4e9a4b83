// SPDX-License-Identifier: GPL-3.0-or-later
//! The hand-crafted evaluation: counted terms times learnt coefficients.
//!
//! `terms -> sums for middlegame and endgame -> kings' danger -> scale -> blend by phase`
//!
//! Integers only, so that every machine evaluates alike.

use features::chess::terms::{self, DANGER_DIVISOR, FULL_PHASE, Group, Sink, Term};
use rules::{Color, chess::Board};

use super::{
    coefficients::{DANGER_UNITS, SCALE_ONE, SCALES, TERMS, UNITS},
    pair::Pair,
};

/// No evaluation is larger, so that none can be taken for a mate.
pub const MAX_EVALUATION: i32 = 10_000;

/// The evaluation in centipawns from the view of the side to move, at most [`MAX_EVALUATION`].
pub fn evaluate(board: &Board) -> i32 {
    let mut sum = Sum::default();
    terms::count(board, &mut sum);
    for_side_to_move(board, blend(board, sum.total()).value)
}

/// White's value in units of the coefficients as centipawns of the side to move.
#[inline(always)]
pub(super) fn for_side_to_move(board: &Board, white: i32) -> i32 {
    let value = if board.turn() == Color::White { white } else { -white };
    (value / UNITS).clamp(-MAX_EVALUATION, MAX_EVALUATION)
}

/// Adds up coefficients as the terms are counted.
#[derive(Default)]
struct Sum {
    score: Pair,
    danger: [Pair; 2],
}

impl Sum {
    /// White's middlegame and endgame values, dangers included.
    #[inline(always)]
    fn total(&self) -> [i32; 2] {
        let [white, black] = self.danger.map(danger_value);
        [self.score.middlegame() + white[0] - black[0], self.score.endgame() + white[1] - black[1]]
    }
}

impl Sink for Sum {
    #[inline(always)]
    fn add(&mut self, side: Color, term: Term, entry: usize, n: i32) {
        let value = TERMS[term.offset() + entry].times(n);
        if term.group() == Group::Danger {
            self.danger[side.index()] += value;
        } else if side == Color::White {
            self.score += value;
        } else {
            self.score -= value;
        }
    }
}

/// What the danger that a side makes is worth to it.
#[inline(always)]
pub(super) fn danger_value(danger: Pair) -> [i32; 2] {
    const DIVISOR: i32 = DANGER_DIVISOR * DANGER_UNITS * DANGER_UNITS / UNITS;
    let value = |danger: i32| danger.max(0) * danger.max(0) / DIVISOR;
    [value(danger.middlegame()), value(danger.endgame())]
}

/// Middlegame and endgame made one.
pub(super) struct Blend {
    /// Middlegame, 0 to [`FULL_PHASE`].
    pub(super) phase: i32,
    /// The endgame's share that counts, of [`SCALE_ONE`].
    pub(super) scale: i32,
    /// White's value.
    pub(super) value: i32,
}

/// Blends White's values by phase, the endgame's scaled to what its kind leaves of an advantage.
#[inline(always)]
pub(super) fn blend(board: &Board, [middlegame, endgame]: [i32; 2]) -> Blend {
    let phase = terms::phase(board);
    let strong = if endgame >= 0 { Color::White } else { Color::Black };
    let scale = i32::from(SCALES[terms::scale_class(board, strong)]);
    let endgame = endgame * scale / SCALE_ONE;
    Blend { phase, scale, value: (middlegame * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE }
}
