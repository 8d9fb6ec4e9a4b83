// SPDX-License-Identifier: GPL-3.0-or-later
//! The terms of the hand-crafted evaluation: material, squares, mobility, pawns, kings, threats.
//!
//! `board -> count -> (side, term, entry, n) -> Sink`
//!
//! A term is counted for each side as that side sees the board, so that exchanging the colours
//! exchanges the counts. What the counts are worth is not known here: the engine multiplies them by
//! coefficients as they come, the fitting program stores them to find those coefficients.

mod context;
mod king;
mod passed;
mod pawns;
mod pieces;
mod squares;
mod table;
mod taper;
#[cfg(test)]
mod tests;
mod threats;
mod zones;

pub use table::{COUNT, Group, Term};
pub use taper::{DANGER_DIVISOR, FULL_PHASE, SCALE_CLASSES, phase, scale_class};

use context::Context;
use rules::{
    Color,
    chess::{Board, Role},
};

/// Receives the counted terms.
pub trait Sink {
    /// `side` has entry `entry` of a term `n` times.
    fn add(&mut self, side: Color, term: Term, entry: usize, n: i32);
}

/// Counts every term of a position for both sides.
#[inline(always)]
pub fn count(board: &Board, sink: &mut impl Sink) {
    let mut context = Context::new(board);
    squares::pieces(&context, sink);
    each(|us| squares::material(&context, us, sink));
    each(|us| pawns::count(&context, us, sink));
    // From here on each step needs the attacks that the steps before it have recorded.
    each(|us| pieces::mobility(&mut context, us, Role::Knight, sink));
    each(|us| pieces::mobility(&mut context, us, Role::Bishop, sink));
    each(|us| pieces::mobility(&mut context, us, Role::Rook, sink));
    each(|us| pieces::mobility(&mut context, us, Role::Queen, sink));
    each(|us| pieces::count(&context, us, sink));
    each(|us| king::count(&context, us, sink));
    each(|us| threats::count(&context, us, sink));
    each(|us| passed::count(&context, us, sink));
    sink.add(board.turn(), Term::Tempo, 0, 1);
}

/// Calls once for each side, written out so that the compiler makes code of its own for each.
#[inline(always)]
fn each(mut f: impl FnMut(Color)) {
    f(Color::White);
    f(Color::Black);
}
