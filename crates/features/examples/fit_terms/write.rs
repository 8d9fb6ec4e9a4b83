// SPDX-License-Identifier: GPL-3.0-or-later
//! The coefficients as the text that the engine is built with, names in comments.

use std::fmt::Write;

use features::chess::terms::{Group, Term};

use crate::model::Weights;

/// Units of a coefficient in one centipawn.
const UNITS: f32 = 2.0;
/// Units of a coefficient in one unit of danger.
const DANGER_UNITS: f32 = 4.0;
/// A scale of 1.
const SCALE_ONE: f32 = 64.0;

pub(crate) fn table(weights: &Weights, origin: &str) -> String {
    let mut text = format!(
        "# Coefficients of the terms, written by `fit_terms`; do not edit.\n\
         # {origin}\n\n\
         # Units of a coefficient in one centipawn, in one unit of danger; a scale that leaves an endgame value as it is\n\
         {UNITS} {DANGER_UNITS} {SCALE_ONE}\n\n"
    );
    for &term in Term::ALL {
        let _ = writeln!(text, "# {}: {}", term.name(), term.about());
        let unit = if term.group() == Group::Danger { DANGER_UNITS } else { UNITS };
        let own = &weights.terms[term.offset()..term.offset() + term.entries()];
        for row in own.chunks(8) {
            let numbers = row.iter().map(|pair| pair.map(|value| (value * unit).round() as i32));
            let row: Vec<String> = numbers.map(|[middle, end]| format!("{middle} {end}")).collect();
            let _ = writeln!(text, "{}", row.join("  "));
        }
    }
    text.push_str("\n# How much of an endgame advantage counts, by class\n");
    for row in weights.scales.chunks(9) {
        let row: Vec<String> = row.iter().map(|scale| format!("{}", (scale * SCALE_ONE).round())).collect();
        let _ = writeln!(text, "{}", row.join(" "));
    }
    text
}
