// SPDX-License-Identifier: GPL-3.0-or-later
//! The coefficients as a Rust table, names in comments.

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
        "// SPDX-License-Identifier: GPL-3.0-or-later\n\
         //! Coefficients of the terms, written by `fit_terms`; do not edit.\n\
         //!\n\
         //! {origin}\n\n\
         use features::chess::terms::{{COUNT, SCALE_CLASSES}};\n\n\
         use super::pair::{{Pair, pair}};\n\n\
         /// Units of a coefficient in one centipawn.\n\
         pub(super) const UNITS: i32 = {UNITS};\n\
         /// Units of a coefficient in one unit of danger.\n\
         pub(super) const DANGER_UNITS: i32 = {DANGER_UNITS};\n\
         /// A scale that leaves an endgame value as it is.\n\
         pub(super) const SCALE_ONE: i32 = {SCALE_ONE};\n\n\
         /// Middlegame and endgame worth of each entry of each term.\n\
         #[rustfmt::skip]\n\
         pub(super) static TERMS: [Pair; COUNT] = [\n"
    );
    for &term in Term::ALL {
        let _ = writeln!(text, "    // {}: {}", term.name(), term.about());
        let unit = if term.group() == Group::Danger { DANGER_UNITS } else { UNITS };
        let own = &weights.terms[term.offset()..term.offset() + term.entries()];
        for row in own.chunks(8) {
            let row: Vec<String> = row
                .iter()
                .map(|pair| {
                    let [middlegame, endgame] = pair.map(|value| (value * unit).round() as i32);
                    format!("pair({middlegame}, {endgame})")
                })
                .collect();
            let _ = writeln!(text, "    {},", row.join(", "));
        }
    }
    text.push_str("];\n\n/// How much of an endgame advantage counts, by class.\n#[rustfmt::skip]\n");
    let _ = writeln!(text, "pub(super) static SCALES: [u8; SCALE_CLASSES] = [");
    for row in weights.scales.chunks(9) {
        let row: Vec<String> = row.iter().map(|scale| format!("{}", (scale * SCALE_ONE).round())).collect();
        let _ = writeln!(text, "    {},", row.join(", "));
    }
    text.push_str("];\n");
    text
}
