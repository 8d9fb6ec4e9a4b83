// SPDX-License-Identifier: GPL-3.0-or-later
//! An evaluation taken apart, for people.

use std::fmt;

use features::chess::terms::{self, FULL_PHASE, Group, Sink, Term};
use rules::{Color, chess::Board};

use super::{
    coefficients::{SCALE_ONE, TERMS, UNITS},
    handcrafted::{Blend, blend, danger_value, for_side_to_move},
    pair::Pair,
};

/// An evaluation by groups of terms; its `Display` is a table in pawns.
pub struct Trace {
    /// Middlegame and endgame of each group and side, in units of the coefficients.
    groups: [[[i32; 2]; 2]; Group::ALL.len()],
    blend: Blend,
    turn: Color,
    total: i32,
}

/// Takes the evaluation of a position apart.
pub fn trace(board: &Board) -> Trace {
    let mut sums = Sums::default();
    terms::count(board, &mut sums);
    let danger = Group::ALL.len() - 1;
    let mut groups = [[[0; 2]; 2]; Group::ALL.len()];
    for (group, sides) in groups.iter_mut().enumerate() {
        for (side, value) in sides.iter_mut().enumerate() {
            let pair = sums.0[group][side];
            *value = if group == danger { danger_value(pair) } else { [pair.middlegame(), pair.endgame()] };
        }
    }
    let white = |phase: usize| groups.iter().map(|[white, black]| white[phase] - black[phase]).sum();
    let blend = blend(board, [white(0), white(1)]);
    let total = for_side_to_move(board, blend.value);
    Trace { groups, blend, turn: board.turn(), total }
}

impl Trace {
    /// The evaluation in centipawns from the view of the side to move.
    pub fn total(&self) -> i32 {
        self.total
    }
}

#[derive(Default)]
struct Sums([[Pair; 2]; Group::ALL.len()]);

impl Sink for Sums {
    fn add(&mut self, side: Color, term: Term, entry: usize, n: i32) {
        self.0[term.group() as usize][side.index()] += TERMS[term.offset() + entry].times(n);
    }
}

fn pawns(units: i32) -> f32 {
    units as f32 / (100 * UNITS) as f32
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<11}{:^16}{:^16}{:^16}", "", "white", "black", "difference")?;
        writeln!(f, "{:<11}{}", "", "      mg      eg".repeat(3))?;
        for (group, [white, black]) in Group::ALL.iter().zip(&self.groups) {
            write!(f, "{:<11}", format!("{group:?}").to_lowercase())?;
            for [middlegame, endgame] in [*white, *black, [white[0] - black[0], white[1] - black[1]]] {
                write!(f, "{:>8.2}{:>8.2}", pawns(middlegame), pawns(endgame))?;
            }
            writeln!(f)?;
        }
        let Blend { phase, scale, value } = &self.blend;
        writeln!(f, "middlegame {phase} of {FULL_PHASE}, endgame scaled by {scale}/{SCALE_ONE}")?;
        write!(f, "white {:+.2}, {} to move {:+.2}", pawns(*value), self.turn, self.total as f32 / 100.0)
    }
}
