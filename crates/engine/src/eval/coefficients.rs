// SPDX-License-Identifier: GPL-3.0-or-later
//! Coefficients of the terms, from the file that `fit_terms` writes: read while the engine is compiled.
//!
//! `units, then middlegame and endgame worth of each entry of each term, then the scales`; `#` begins a comment.

use features::chess::terms::{COUNT, SCALE_CLASSES};

use super::pair::{Pair, pair};

/// Units of a coefficient in one centipawn.
pub(super) const UNITS: i32 = TABLES.units[0];
/// Units of a coefficient in one unit of danger.
pub(super) const DANGER_UNITS: i32 = TABLES.units[1];
/// A scale that leaves an endgame value as it is.
pub(super) const SCALE_ONE: i32 = TABLES.units[2];

/// Middlegame and endgame worth of each entry of each term.
pub(super) static TERMS: [Pair; COUNT] = TABLES.terms;
/// How much of an endgame advantage counts, by class.
pub(super) static SCALES: [u8; SCALE_CLASSES] = TABLES.scales;

struct Tables {
    units: [i32; 3],
    terms: [Pair; COUNT],
    scales: [u8; SCALE_CLASSES],
}

const TABLES: Tables = {
    let mut numbers = Numbers { text: include_bytes!("coefficients.txt") };
    let units = [numbers.next() as i32, numbers.next() as i32, numbers.next() as i32];
    let mut terms = [pair(0, 0); COUNT];
    let mut index = 0;
    while index < COUNT {
        terms[index] = pair(numbers.next(), numbers.next());
        index += 1;
    }
    let mut scales = [0; SCALE_CLASSES];
    index = 0;
    while index < SCALE_CLASSES {
        let scale = numbers.next();
        assert!(0 <= scale && scale <= 255, "a scale that is no byte");
        scales[index] = scale as u8;
        index += 1;
    }
    numbers.skip_blanks();
    assert!(numbers.text.is_empty(), "more coefficients than there are terms");
    Tables { units, terms, scales }
};

/// The numbers of a text, one after the other.
struct Numbers {
    /// What is left.
    text: &'static [u8],
}

impl Numbers {
    const fn skip_blanks(&mut self) {
        let mut in_comment = false;
        while let [first, rest @ ..] = self.text {
            in_comment = *first == b'#' || in_comment && *first != b'\n';
            if !in_comment && !first.is_ascii_whitespace() {
                return;
            }
            self.text = rest;
        }
    }

    const fn next(&mut self) -> i16 {
        self.skip_blanks();
        let negative = matches!(self.text, [b'-', ..]);
        if negative {
            self.text = self.text.split_at(1).1;
        }
        let (mut value, mut digits) = (0, 0);
        while let [digit @ b'0'..=b'9', rest @ ..] = self.text {
            value = 10 * value + (*digit - b'0') as i16;
            digits += 1;
            self.text = rest;
        }
        assert!(digits > 0, "a number was expected");
        if negative { -value } else { value }
    }
}
