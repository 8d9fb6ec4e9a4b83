// SPDX-License-Identifier: GPL-3.0-or-later
//! Playing below full strength: fewer nodes, and for beginners a choice among moves that errs now and then.
//!
//! The scale was measured in games of neighbouring levels: two levels 200 points apart score about three to
//! one. It is only as absolute as such a scale can be; around 1800 it was compared with the levels of the same
//! name of Stockfish 15.1.

use rules::Random;

use super::searcher::RootMove;
use crate::Options;

/// How the engine is held back.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Handicap {
    /// Nodes the search may use.
    pub(crate) nodes: u64,
    /// Centipawns by which a move may be misjudged.
    pub(crate) blindness: i32,
}

/// Nodes at the highest level.
const MOST_NODES: f64 = 32768.0;
/// By what factor the nodes grow from one level to the next, 200 points higher.
const NODES_FACTOR: f64 = 1.68;
/// Down to this level fewer nodes make the difference, below it worse judgement: nobody looks at fewer
/// positions than one move ahead.
const CLEAR_SIGHTED: f64 = 1400.0;
/// Misjudgement one level below that, in centipawns.
const FIRST_BLINDNESS: f64 = 80.0;
/// How much is added from there to each lower level.
const MORE_BLINDNESS: f64 = 135.0;
/// Misjudgement that brings one more move into the choice.
const BLINDNESS_PER_LINE: i32 = 30;

impl Handicap {
    /// The handicap for the chosen strength, if there is one.
    pub(crate) fn of(options: &Options) -> Option<Handicap> {
        options.limit_strength.then(|| Handicap::at(options.elo))
    }

    fn at(elo: u32) -> Handicap {
        let highest = *Options::ELO_RANGE.end();
        let elo = f64::from(elo.clamp(*Options::ELO_RANGE.start(), highest));
        let below_highest = (f64::from(highest) - elo.max(CLEAR_SIGHTED)) / 200.0;
        let below_clear_sight = (CLEAR_SIGHTED - elo).max(0.0) / 200.0;
        let blindness = FIRST_BLINDNESS * below_clear_sight.min(1.0)
            + MORE_BLINDNESS * (below_clear_sight - 1.0).max(0.0);
        Handicap {
            nodes: (MOST_NODES / NODES_FACTOR.powf(below_highest)) as u64,
            blindness: blindness as i32,
        }
    }

    /// How many moves are compared: the better the judgement, the fewer are in doubt.
    pub(crate) fn lines(self) -> usize {
        1 + (self.blindness / BLINDNESS_PER_LINE) as usize
    }

    /// The index of the move to play among lines sorted best first; `seed` makes the error.
    pub(crate) fn choose(self, lines: &[RootMove], seed: u64) -> usize {
        let mut random = Random::new(seed);
        let mut best = (0, i32::MIN);
        for (index, root) in lines.iter().enumerate() {
            let judged = root.score.saturating_add(random.below(self.blindness as usize + 1) as i32);
            if judged > best.1 {
                best = (index, judged);
            }
        }
        best.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_level_is_never_held_back_more() {
        let levels: Vec<Handicap> = Options::ELO_RANGE.step_by(50).map(Handicap::at).collect();
        for pair in levels.windows(2) {
            assert!(pair[0].nodes <= pair[1].nodes && pair[0].blindness >= pair[1].blindness, "{pair:?}");
            assert_ne!(pair[0], pair[1]);
        }
        assert_eq!(levels.last().map(|level| (level.nodes, level.lines())), Some((32768, 1)));
    }
}
