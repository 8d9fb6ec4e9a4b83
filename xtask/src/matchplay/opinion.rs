// SPDX-License-Identifier: GPL-3.0-or-later
//! What an engine thinks of its position, read from an `info` line.

use std::fmt;

/// Larger than any centipawn score; a mate in `n` counts as this less `n`.
const MATE: i32 = 100_000;

/// Score and depth of the last `info` line before a move, from the mover's side.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Opinion {
    /// Centipawns; mates lie beyond every other score.
    pub(crate) score: i32,
    /// The depth that gave it, 0 when unsaid.
    pub(crate) depth: u32,
}

impl Opinion {
    /// Reads an `info` line; `None` if it carries no score.
    pub(crate) fn from_info(line: &str) -> Option<Opinion> {
        let mut words = line.split_ascii_whitespace();
        let (mut score, mut depth) = (None, 0);
        while let Some(word) = words.next() {
            match word {
                "depth" => depth = words.next()?.parse().unwrap_or(0),
                "cp" => score = Some(words.next()?.parse::<i32>().ok()?.clamp(1 - MATE / 2, MATE / 2 - 1)),
                "mate" => score = Some(mate_score(words.next()?.parse().ok()?)),
                "pv" | "string" => break,
                _ => {}
            }
        }
        Some(Opinion { score: score?, depth })
    }
}

fn mate_score(moves: i32) -> i32 {
    let distance = moves.abs().min(MATE / 2);
    if moves > 0 { MATE - distance } else { distance - MATE }
}

impl fmt::Display for Opinion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let distance = MATE - self.score.abs();
        let sign = if self.score < 0 { '-' } else { '+' };
        if distance <= MATE / 2 {
            write!(f, "{sign}M{distance}/{}", self.depth)
        } else {
            write!(f, "{sign}{:.2}/{}", f64::from(self.score.abs()) / 100.0, self.depth)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_centipawns_and_mates() {
        let read = |line| Opinion::from_info(line).map(|opinion| opinion.to_string());
        assert_eq!(read("info depth 12 seldepth 20 score cp -35 nodes 1 pv e2e4").unwrap(), "-0.35/12");
        assert_eq!(read("info score mate 3 depth 9").unwrap(), "+M3/9");
        assert_eq!(read("info score mate -2 depth 9").unwrap(), "-M2/9");
        assert_eq!(read("info depth 5 currmove e2e4"), None);
        assert_eq!(read("info string score cp 12"), None);
    }

    #[test]
    fn getting_mated_now_is_the_worst_score() {
        assert!(mate_score(0) < mate_score(-1));
        assert!(mate_score(-1) < -MATE / 2);
    }
}
