// SPDX-License-Identifier: GPL-3.0-or-later
//! Scores as records keep them: centipawns in White's view, mates beyond all others.

use rules::Color;

/// A mate on the board; one in `n` half-moves counts `n` less.
pub const MATE: i16 = 32_000;

/// Scores from here on are proven by mate or endgame tables: no evaluation reaches them.
pub const PROVEN: i16 = 15_000;

/// What a side to move is told about its position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// Centipawns.
    Centipawns(i32),
    /// Mate in so many moves; none or fewer: the side to move is mated.
    Mate(i32),
}

impl Opinion {
    /// The score of a record.
    pub fn for_white(self, turn: Color) -> i16 {
        let mate = i32::from(MATE);
        let score = match self {
            Opinion::Centipawns(score) => score.clamp(1 - mate / 2, mate / 2 - 1),
            Opinion::Mate(moves) if moves > 0 => mate - (2 * moves.min(1000) - 1),
            Opinion::Mate(moves) => 2 * moves.saturating_neg().min(1000) - mate,
        };
        let score = score as i16;
        if turn == Color::White { score } else { -score }
    }
}

impl From<engine::Score> for Opinion {
    fn from(score: engine::Score) -> Opinion {
        match score {
            // Table wins are reported around 20,000.
            engine::Score::Cp(score) => Opinion::Centipawns(score),
            engine::Score::Mate(moves) => Opinion::Mate(moves),
        }
    }
}

impl From<protocol::uci::Score> for Opinion {
    fn from(score: protocol::uci::Score) -> Opinion {
        match score {
            protocol::uci::Score::Cp(score) => Opinion::Centipawns(score),
            protocol::uci::Score::Mate(moves) => Opinion::Mate(moves),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_whites_and_mates_lie_outside() {
        assert_eq!(Opinion::Centipawns(35).for_white(Color::White), 35);
        assert_eq!(Opinion::Centipawns(35).for_white(Color::Black), -35);
        assert_eq!(Opinion::Mate(1).for_white(Color::White), MATE - 1);
        assert_eq!(Opinion::Mate(3).for_white(Color::Black), 5 - MATE);
        assert_eq!(Opinion::Mate(0).for_white(Color::White), -MATE);
        assert_eq!(Opinion::Mate(-2).for_white(Color::White), 4 - MATE);
        let extremes = [i32::MIN, i32::MAX].map(|score| Opinion::Centipawns(score).for_white(Color::White));
        assert_eq!(extremes, [-15_999, 15_999]);
        let farthest = Opinion::Mate(i32::MAX).for_white(Color::White);
        assert!(farthest > 15_999);
        assert!(Opinion::Mate(i32::MIN).for_white(Color::White) < -15_999);
    }
}
