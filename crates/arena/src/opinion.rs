// SPDX-License-Identifier: GPL-3.0-or-later
//! What a player thinks of its position.

use std::fmt;

use protocol::uci::{Info, Score};

/// Larger than any centipawn score; a mate in `n` counts as this less `n`.
const MATE: i32 = 100_000;

/// The score and the depth that a player announced with its move, from its own side.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// The score.
    pub score: Score,
    /// How deep the search went, 0 if unsaid.
    pub depth: u32,
}

impl Opinion {
    /// The opinion of an `info` line, if it has a score.
    pub fn from_info(info: &Info) -> Option<Opinion> {
        Some(Opinion { score: info.score?, depth: info.depth.unwrap_or(0) })
    }

    /// The score as one number, in centipawns; mates lie beyond every other score, the nearest farthest.
    pub fn centipawns(&self) -> i32 {
        match self.score {
            Score::Cp(value) => value.clamp(1 - MATE / 2, MATE / 2 - 1),
            Score::Mate(moves) if moves > 0 => MATE - moves.min(MATE / 2),
            Score::Mate(moves) => moves.saturating_neg().min(MATE / 2) - MATE,
        }
    }
}

impl fmt::Display for Opinion {
    /// Pawns and depth, or moves to mate and depth: `+0.35/12`, `-M3/20`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let depth = self.depth;
        match self.score {
            Score::Cp(value) => write!(f, "{:+.2}/{depth}", f64::from(value) / 100.0),
            Score::Mate(moves) if moves > 0 => write!(f, "+M{moves}/{depth}"),
            Score::Mate(moves) => write!(f, "-M{}/{depth}", moves.unsigned_abs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use protocol::uci::Reply;

    use super::*;

    fn read(line: &str) -> Option<Opinion> {
        match Reply::parse(line) {
            Ok(Reply::Info(info)) => Opinion::from_info(&info),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn pawns_and_mates_are_written() {
        let text = |line| read(line).map(|opinion| opinion.to_string());
        assert_eq!(text("info depth 12 score cp -35 nodes 1 pv e2e4").as_deref(), Some("-0.35/12"));
        assert_eq!(text("info score cp 0").as_deref(), Some("+0.00/0"));
        assert_eq!(text("info score mate 3 depth 9").as_deref(), Some("+M3/9"));
        assert_eq!(text("info score mate -2 depth 9").as_deref(), Some("-M2/9"));
        assert_eq!(text("info depth 5 currmove e2e4"), None);
    }

    #[test]
    fn scores_are_ordered() {
        let score = |text: &str| read(&format!("info score {text}")).map(|opinion| opinion.centipawns());
        let scores =
            ["mate 0", "mate -1", "mate -9", "cp -2147483648", "cp 5", "cp 90000", "mate 9", "mate 1"];
        assert!(scores.map(score).is_sorted(), "{:?}", scores.map(score));
        assert_eq!(score("mate -2147483648"), Some(-MATE / 2));
    }
}
