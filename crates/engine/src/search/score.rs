// SPDX-License-Identifier: GPL-3.0-or-later
//! Scores inside the search: centipawns, mates and table wins on one scale.

use crate::report::Score;

/// Deepest half-move from the root.
pub(crate) const MAX_PLY: usize = 240;
/// Above every score.
pub(crate) const INFINITY: i32 = 32_001;
/// Mate at the root; a mate in n half-moves is `MATE - n`.
pub(crate) const MATE: i32 = 32_000;
/// No evaluation (the side to move is in check).
pub(crate) const NO_EVAL: i32 = 32_002;
/// A won endgame table position at the root; the conversion takes its plies off.
pub(crate) const TABLE_WIN: i32 = 31_000;
/// Scores from here on are proven by mate.
pub(crate) const MATE_BOUND: i32 = MATE - MAX_PLY as i32;
/// Scores from here on are proven by mate or table.
pub(crate) const PROVEN_BOUND: i32 = TABLE_WIN - MAX_PLY as i32;

pub(crate) const fn mate_in(ply: usize) -> i32 {
    MATE - ply as i32
}

pub(crate) const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// Whether a score is a proven win or loss.
pub(crate) const fn is_proven(score: i32) -> bool {
    score.abs() >= PROVEN_BOUND
}

/// Whether a score is a proven win.
pub(crate) const fn is_win(score: i32) -> bool {
    score >= PROVEN_BOUND
}

/// Whether a score is a proven loss.
pub(crate) const fn is_loss(score: i32) -> bool {
    score <= -PROVEN_BOUND
}

/// Keeps an evaluation off the proven scores.
pub(crate) const fn clamp_eval(eval: i32) -> i32 {
    if eval >= PROVEN_BOUND {
        PROVEN_BOUND - 1
    } else if eval <= -PROVEN_BOUND {
        -PROVEN_BOUND + 1
    } else {
        eval
    }
}

/// The score as a table entry keeps it: mates are counted from the entry's position, not the root.
pub(crate) const fn to_table(score: i32, ply: usize) -> i32 {
    if is_win(score) {
        score + ply as i32
    } else if is_loss(score) {
        score - ply as i32
    } else {
        score
    }
}

/// The score of a table entry seen from `ply`, lowered when the fifty-move rule comes before the mate.
pub(crate) const fn from_table(score: i32, ply: usize, halfmoves: u8) -> i32 {
    let room = 100 - halfmoves as i32;
    if is_win(score) {
        let goal = if score >= MATE_BOUND { MATE } else { TABLE_WIN };
        if goal - score > room {
            return PROVEN_BOUND - 1;
        }
        score - ply as i32
    } else if is_loss(score) {
        let goal = if score <= -MATE_BOUND { MATE } else { TABLE_WIN };
        if goal + score > room {
            return 1 - PROVEN_BOUND;
        }
        score + ply as i32
    } else {
        score
    }
}

/// The score as it is reported.
pub(crate) fn to_report(score: i32) -> Score {
    if score >= MATE_BOUND {
        Score::Mate((MATE - score + 1) / 2)
    } else if score <= -MATE_BOUND {
        Score::Mate(-(MATE + score) / 2)
    } else if is_win(score) {
        Score::Cp(20_000 - (TABLE_WIN - score))
    } else if is_loss(score) {
        Score::Cp(-20_000 + (TABLE_WIN + score))
    } else {
        Score::Cp(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(to_report(mate_in(1)), Score::Mate(1));
        assert_eq!(to_report(mate_in(3)), Score::Mate(2));
        assert_eq!(to_report(mated_in(2)), Score::Mate(-1));
        assert_eq!(to_report(mated_in(0)), Score::Mate(0));
        assert_eq!(to_report(35), Score::Cp(35));
    }

    #[test]
    fn table_scores_keep_their_distance() {
        for score in [mate_in(7), mated_in(12), TABLE_WIN - 9, 9 - TABLE_WIN, 0, -250] {
            assert_eq!(from_table(to_table(score, 5), 5, 0), score);
        }
        assert_eq!(from_table(to_table(mate_in(40), 0), 0, 90), PROVEN_BOUND - 1);
    }
}
