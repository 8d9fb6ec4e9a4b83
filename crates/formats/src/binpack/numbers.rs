// SPDX-License-Identifier: GPL-3.0-or-later
//! Signed numbers with their sign at the low end, so that small ones have few bits.

use rules::Color;

use super::UNSCORED;
use crate::games::NO_SCORE;

/// 0, -1, 1, -2, 2 … become 0, 1, 2, 3, 4 …
pub(super) fn folded(number: i16) -> u16 {
    let bits = number as u16;
    let flipped = if number < 0 { bits ^ 0x7FFF } else { bits };
    flipped.rotate_left(1)
}

/// The inverse of [`folded`].
pub(super) fn unfolded(bits: u16) -> i16 {
    let number = bits.rotate_right(1);
    (if number & 0x8000 != 0 { number ^ 0x7FFF } else { number }) as i16
}

/// A score of White's view as the side to move sees it, and the other way round.
pub(super) fn turned(score: i16, turn: Color) -> i16 {
    match turn {
        Color::White => score,
        Color::Black => score.saturating_neg(),
    }
}

/// A score as a file has it; "none" has no side.
pub(super) fn to_file(score: i16, turn: Color) -> i16 {
    if score == NO_SCORE { UNSCORED } else { turned(score, turn) }
}

/// A score of a file in White's view.
pub(super) fn from_file(score: i16, turn: Color) -> i16 {
    if score == UNSCORED { NO_SCORE } else { turned(score, turn) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_stay_small() {
        assert_eq!([0, -1, 1, -2, 2, 100].map(folded), [0, 1, 2, 3, 4, 200]);
        for bits in 0..=u16::MAX {
            assert_eq!(folded(unfolded(bits)), bits);
        }
    }
}
