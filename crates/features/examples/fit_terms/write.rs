// SPDX-License-Identifier: GPL-3.0-or-later
//! The coefficients as a Rust table, names in comments.

use std::fmt::Write;

use features::chess::terms::{COUNT, Group, SCALE_CLASSES, Term};

use crate::model::Weights;

/// Units of the table in one centipawn.
const UNITS: f32 = 2.0;
/// A scale of 1.
const SCALE_ONE: f32 = 64.0;

pub(crate) fn table(weights: &Weights, origin: &str) -> String {
    let mut text = format!(
        "// SPDX-License-Identifier: GPL-3.0-or-later\n\
         //! Coefficients of the terms, written by `fit_terms`; do not edit.\n\
         //!\n\
         //! {origin}\n\n\
         use super::pair::{{Pair, pair}};\n\n\
         #[rustfmt::skip]\n\
         pub(super) static TERMS: [Pair; {COUNT}] = [\n"
    );
    for &term in Term::ALL {
        let _ = writeln!(text, "    // {}: {}", term.name(), term.about());
        // Danger is squared, and so has a unit of its own.
        let unit = if term.group() == Group::Danger { 1.0 } else { UNITS };
        let own = &weights.terms[term.offset()..term.offset() + term.entries()];
        for row in own.chunks(8) {
            let row: Vec<String> = row
                .iter()
                .map(|pair| format!("pair({}, {})", (pair[0] * unit).round(), (pair[1] * unit).round()))
                .collect();
            let _ = writeln!(text, "    {},", row.join(", "));
        }
    }
    text.push_str("];\n\n#[rustfmt::skip]\n");
    let _ = writeln!(text, "pub(super) static SCALES: [u8; {SCALE_CLASSES}] = [");
    for row in weights.scales.chunks(9) {
        let row: Vec<String> = row.iter().map(|scale| format!("{}", (scale * SCALE_ONE).round())).collect();
        let _ = writeln!(text, "    {},", row.join(", "));
    }
    text.push_str("];\n");
    text
}
