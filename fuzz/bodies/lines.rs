// SPDX-License-Identifier: GPL-3.0-or-later
//! Any bytes as a text of positions or puzzles: reading ends and never panics, and positions that were read
//! are written and read as the same.

use formats::{
    lines, plain, puzzles,
    sample::{Context, Sample},
};

/// Checks one input.
pub(crate) fn check(data: &[u8]) {
    for sample in lines::Reader::new(data).filter_map(Result::ok) {
        let mut text = Vec::new();
        lines::write(&mut text, &sample).expect("a vector");
        let again = lines::Reader::new(text.as_slice()).next().expect("a line").expect("a good line");
        assert_eq!(again, Sample { played: None, other: None, context: Context::default(), ..sample });
        check_plain(&sample);
    }
    for sample in plain::Reader::new(data).filter_map(Result::ok) {
        check_plain(&sample);
    }
    for puzzle in puzzles::Reader::new(data).filter_map(Result::ok) {
        let (board, solution) = puzzle.task();
        assert!(solution.first().is_none_or(|&m| board.is_legal(m)));
    }
}

fn check_plain(sample: &Sample) {
    // The format turns scores round, and the lowest has no opposite.
    let sample = Sample { score: sample.score.filter(|&score| score != i16::MIN), ..*sample };
    let mut text = Vec::new();
    plain::write(&mut text, &sample).expect("a vector");
    let again = plain::Reader::new(text.as_slice()).next().expect("an entry").expect("a good entry");
    assert_eq!(again, sample);
}
