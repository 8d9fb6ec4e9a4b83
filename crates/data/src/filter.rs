// SPDX-License-Identifier: GPL-3.0-or-later
//! Which positions are worth training on: pure decisions, each with its reason.

use std::ops::RangeInclusive;

use formats::sample::{Sample, ply};
use rules::{Color, Outcome, Random};
use serde_json::{Value, json};

/// What positions must be like; by default anything will do.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// Nobody is in check, and the best move neither captures nor promotes.
    pub quiet: bool,
    /// The largest score of either side; positions without a score are left out.
    pub max_score: Option<u16>,
    /// Half-moves since the beginning of the game.
    pub plies: RangeInclusive<u32>,
    /// Pieces on the board.
    pub pieces: RangeInclusive<u32>,
    /// A side with a score of at least this did not lose.
    pub consistent: Option<u16>,
    /// The share of positions that is kept, at random.
    pub share: f64,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter {
            quiet: false,
            max_score: None,
            plies: 0..=u32::MAX,
            pieces: 0..=u32::MAX,
            consistent: None,
            share: 1.0,
        }
    }
}

impl Filter {
    /// What trainers usually leave out: loud positions, decided ones, openings and bare boards.
    pub fn usual() -> Filter {
        Filter {
            quiet: true,
            max_score: Some(10_000),
            plies: 16..=u32::MAX,
            pieces: 4..=32,
            ..Filter::default()
        }
    }

    /// Why a position is left out.
    pub fn refuses(&self, sample: &Sample, seed: u64) -> Option<&'static str> {
        let board = &sample.board;
        if self.quiet && !sample.is_quiet() {
            return Some(if board.in_check() { "in check" } else { "best move captures or promotes" });
        }
        if let Some(most) = self.max_score
            && sample.score.is_none_or(|score| score.unsigned_abs() > most)
        {
            return Some("score");
        }
        if !self.plies.contains(&ply(board)) {
            return Some("ply");
        }
        if !self.pieces.contains(&board.occupied().len()) {
            return Some("pieces");
        }
        if let Some(decisive) = self.consistent
            && contradicts(sample, decisive)
        {
            return Some("result contradicts score");
        }
        if self.share < 1.0 && Random::stream(seed, board.key()).unit() >= self.share {
            return Some("chance");
        }
        None
    }

    /// The rules as a manifest has them.
    pub fn to_json(&self) -> Value {
        json!({
            "quiet": self.quiet,
            "max_score": self.max_score,
            "plies": [self.plies.start(), self.plies.end()],
            "pieces": [self.pieces.start(), self.pieces.end()],
            "consistent": self.consistent,
            "share": self.share,
        })
    }
}

/// Whether the side that the score calls won lost the game.
fn contradicts(sample: &Sample, decisive: u16) -> bool {
    let (Some(score), Some(Outcome::Win(winner))) = (sample.score, sample.outcome) else { return false };
    let ahead = if score > 0 { Color::White } else { Color::Black };
    score.unsigned_abs() >= decisive && winner != ahead
}

#[cfg(test)]
mod tests {
    use rules::chess::Board;

    use super::*;

    fn sample(fen: &str, best: &str, score: i16) -> Sample {
        let board = Board::from_fen(fen).expect("a legal position");
        let played = board.parse_uci(best).ok();
        assert!(played.is_some(), "{best}");
        Sample { score: Some(score), outcome: Some(Outcome::Win(Color::White)), played, ..Sample::new(board) }
    }

    fn reason(filter: &Filter, sample: &Sample) -> Option<&'static str> {
        filter.refuses(sample, 1)
    }

    #[test]
    fn loud_positions_are_left_out() {
        let quiet = Filter { quiet: true, ..Filter::default() };
        let calm = sample("r3k3/1P6/8/8/8/8/8/R3K3 w - - 0 20", "a1a2", 10);
        assert_eq!(reason(&quiet, &calm), None);
        let takes = sample("r3k3/1P6/8/8/8/8/8/R3K3 w - - 0 20", "a1a8", 10);
        assert_eq!(reason(&quiet, &takes), Some("best move captures or promotes"));
        let promotes = sample("4k3/1P6/8/8/8/8/8/R3K3 w - - 0 20", "b7b8q", 10);
        assert_eq!(reason(&quiet, &promotes), Some("best move captures or promotes"));
        let check = sample("4k3/8/8/8/8/8/8/R3K2r w - - 0 20", "e1e2", 10);
        assert_eq!(reason(&quiet, &check), Some("in check"));
        assert_eq!(reason(&Filter::default(), &check), None);
    }

    #[test]
    fn ranges_include_their_ends() {
        let at = |score| sample("4k3/8/8/8/8/8/8/R3K3 b - - 0 20", "e8e7", score);
        let filter = Filter { max_score: Some(100), plies: 39..=39, pieces: 3..=3, ..Filter::default() };
        assert_eq!(ply(&at(0).board), 39);
        assert_eq!([at(100), at(-100)].map(|sample| reason(&filter, &sample)), [None, None]);
        assert_eq!([at(101), at(i16::MIN)].map(|sample| reason(&filter, &sample)), [Some("score"); 2]);
        assert_eq!(reason(&filter, &Sample { score: None, ..at(0) }), Some("score"));
        assert_eq!(reason(&Filter { plies: 40..=99, ..filter.clone() }, &at(0)), Some("ply"));
        assert_eq!(reason(&Filter { pieces: 4..=32, ..filter }, &at(0)), Some("pieces"));
    }

    #[test]
    fn a_won_position_must_not_be_lost() {
        let filter = Filter { consistent: Some(300), ..Filter::default() };
        let at = |score, outcome| {
            let board = sample("4k3/8/8/8/8/8/8/R3K3 b - - 0 20", "e8e7", score);
            reason(&filter, &Sample { outcome, ..board })
        };
        let contradiction = Some("result contradicts score");
        assert_eq!(at(-300, Some(Outcome::Win(Color::White))), contradiction);
        assert_eq!(at(300, Some(Outcome::Win(Color::Black))), contradiction);
        for (score, outcome) in [
            (-299, Some(Outcome::Win(Color::White))),
            (300, Some(Outcome::Win(Color::White))),
            (300, Some(Outcome::Draw)),
            (300, None),
        ] {
            assert_eq!(at(score, outcome), None, "{score} {outcome:?}");
        }
    }

    #[test]
    fn chance_keeps_its_share_and_its_mind() {
        let filter = Filter { share: 0.3, ..Filter::default() };
        let mut board = Board::start();
        let mut random = Random::new(1);
        let (mut kept, mut count) = (0, 0);
        for _ in 0..5000 {
            let moves = board.legal_moves();
            if moves.is_empty() || board.has_insufficient_material() {
                board = Board::start();
                continue;
            }
            board.play(moves[(random.bits() % moves.len() as u64) as usize]);
            let sample = Sample::new(board);
            count += 1;
            kept += usize::from(filter.refuses(&sample, 1).is_none());
            assert_eq!(filter.refuses(&sample, 1), filter.refuses(&sample, 1));
        }
        let share = kept as f64 / count as f64;
        assert!((share - 0.3).abs() < 0.05, "{share}");
    }
}
