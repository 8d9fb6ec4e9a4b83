// SPDX-License-Identifier: GPL-3.0-or-later
//! Which thread's move is played: deep and confident threads have more votes.

use super::{
    Candidate,
    score::{INFINITY, is_proven},
};

/// The index of the candidate to follow.
pub(crate) fn winner(candidates: &[Candidate]) -> usize {
    let finished = |candidate: &Candidate| candidate.root_moves[0].score > -INFINITY;
    let least = candidates
        .iter()
        .filter(|candidate| finished(candidate))
        .map(|candidate| candidate.root_moves[0].score)
        .min()
        .unwrap_or(0);
    let weight = |candidate: &Candidate| {
        if !finished(candidate) {
            return 0;
        }
        i64::from(candidate.root_moves[0].score - least + 14) * i64::from(candidate.depth)
    };
    let votes = |candidate: &Candidate| -> i64 {
        let m = candidate.root_moves[0].m;
        candidates.iter().filter(|other| other.root_moves[0].m == m).map(weight).sum()
    };
    let mut best = 0;
    for index in 1..candidates.len() {
        let (challenger, champion) = (&candidates[index], &candidates[best]);
        if !finished(challenger) {
            continue;
        }
        let (score, held) = (challenger.root_moves[0].score, champion.root_moves[0].score);
        let better = if is_proven(score) || is_proven(held) {
            score > held
        } else {
            votes(challenger) > votes(champion)
                || votes(challenger) == votes(champion) && weight(challenger) > weight(champion)
        };
        if better {
            best = index;
        }
    }
    best
}
