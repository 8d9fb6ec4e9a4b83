// SPDX-License-Identifier: GPL-3.0-or-later
//! Playing below full strength: fewer nodes, and a choice among the best moves that errs now and then.

use super::searcher::RootMove;
use crate::Options;

/// How the engine is held back.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Handicap {
    /// Nodes the search may use.
    pub(crate) nodes: u64,
    /// Centipawns by which a move may be misjudged.
    pub(crate) blindness: i32,
}

/// Lines compared when choosing; more than this and even a beginner would not consider them.
pub(crate) const LINES: usize = 6;

impl Handicap {
    /// The handicap for the chosen strength, if there is one.
    ///
    /// The nominal scale: a factor of two in nodes for every 100 points, misjudgement falling linearly.
    pub(crate) fn of(options: &Options) -> Option<Handicap> {
        if !options.limit_strength {
            return None;
        }
        let elo = options.elo.clamp(*Options::ELO_RANGE.start(), *Options::ELO_RANGE.end());
        let steps = elo - Options::ELO_RANGE.start();
        let nodes = (64.0 * 2f64.powf(f64::from(steps) / 150.0)) as u64;
        let blindness = ((Options::ELO_RANGE.end() - elo) / 8) as i32;
        Some(Handicap { nodes, blindness })
    }

    /// The index of the move to play among lines sorted best first; `seed` makes the error.
    pub(crate) fn choose(self, lines: &[RootMove], seed: u64) -> usize {
        let mut state = seed;
        let mut best = (0, i32::MIN);
        for (index, root) in lines.iter().enumerate() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let error = (state >> 33) as i32 % (self.blindness + 1);
            let judged = root.score.saturating_add(error);
            if judged > best.1 {
                best = (index, judged);
            }
        }
        best.0
    }
}
