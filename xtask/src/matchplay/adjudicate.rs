// SPDX-License-Identifier: GPL-3.0-or-later
//! Ending games early when both engines agree on how they end.

use std::str::FromStr;

use anyhow::{Context, ensure};
use rules::{Color, Outcome};

/// `MOVE,COUNT,SCORE`: a draw when, from move MOVE on, both engines stayed within SCORE for COUNT moves.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct DrawRule {
    from_move: u16,
    count: u32,
    score: i32,
}

/// `COUNT,SCORE`: a win when both engines saw one side ahead by SCORE or more for COUNT moves.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResignRule {
    count: u32,
    score: i32,
}

impl FromStr for DrawRule {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<DrawRule> {
        let [from_move, count, score] = numbers(text, "MOVE,COUNT,SCORE")?;
        Ok(DrawRule { from_move: from_move.try_into()?, count, score: score.try_into()? })
    }
}

impl FromStr for ResignRule {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<ResignRule> {
        let [count, score] = numbers(text, "COUNT,SCORE")?;
        Ok(ResignRule { count, score: score.try_into()? })
    }
}

fn numbers<const N: usize>(text: &str, form: &str) -> anyhow::Result<[u32; N]> {
    let wrong = || format!("'{text}' is not a rule, expected {form}");
    let parts: Vec<&str> = text.split(',').collect();
    ensure!(parts.len() == N, wrong());
    let mut read = [0; N];
    for (number, part) in read.iter_mut().zip(parts) {
        *number = part.parse().with_context(wrong)?;
    }
    Ok(read)
}

/// Watches the scores of one game.
pub(crate) struct Adjudicator {
    draw: Option<DrawRule>,
    resign: Option<ResignRule>,
    level_plies: u32,
    won_plies: [u32; 2],
}

impl Adjudicator {
    /// A watcher at the beginning of a game.
    pub(crate) fn new(draw: Option<DrawRule>, resign: Option<ResignRule>) -> Adjudicator {
        Adjudicator { draw, resign, level_plies: 0, won_plies: [0; 2] }
    }

    /// Notes the mover's score (`None` if the engine gave none) and tells whether the game is decided.
    pub(crate) fn observe(&mut self, mover: Color, full_moves: u16, score: Option<i32>) -> Option<Outcome> {
        if let Some(rule) = self.draw {
            let level = full_moves >= rule.from_move && score.is_some_and(|score| score.abs() <= rule.score);
            self.level_plies = if level { self.level_plies + 1 } else { 0 };
            if self.level_plies >= 2 * rule.count {
                return Some(Outcome::Draw);
            }
        }
        let rule = self.resign?;
        for color in Color::ALL {
            let won = score.is_some_and(|s| if color == mover { s >= rule.score } else { s <= -rule.score });
            let plies = &mut self.won_plies[color.index()];
            *plies = if won { *plies + 1 } else { 0 };
            if *plies >= 2 * rule.count {
                return Some(Outcome::Win(color));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(scores: &[Option<i32>], first_move: u16) -> Option<(usize, Outcome)> {
        let mut adjudicator = Adjudicator::new("40,2,8".parse().ok(), "2,600".parse().ok());
        scores.iter().enumerate().find_map(|(ply, &score)| {
            let mover = Color::ALL[ply % 2];
            adjudicator.observe(mover, first_move + ply as u16 / 2, score).map(|outcome| (ply, outcome))
        })
    }

    #[test]
    fn both_must_agree_on_a_win() {
        let agree = [Some(600), Some(-700), Some(900), Some(-600)];
        assert_eq!(play(&agree, 10), Some((3, Outcome::Win(Color::White))));
        assert_eq!(play(&agree.map(|s| s.map(|s| -s)), 10), Some((3, Outcome::Win(Color::Black))));
        let disagree = [Some(900), Some(-100), Some(900), Some(-100), Some(900), Some(-100)];
        assert_eq!(play(&disagree, 10), None);
    }

    #[test]
    fn a_missing_score_starts_the_count_again() {
        let scores = [Some(600), Some(-700), None, Some(-600), Some(800), Some(-800)];
        assert_eq!(play(&scores, 10), None);
    }

    #[test]
    fn draws_wait_for_their_move() {
        let level = [Some(0); 4];
        assert_eq!(play(&level, 10), None);
        assert_eq!(play(&level, 40), Some((3, Outcome::Draw)));
    }

    #[test]
    fn refuses_other_forms() {
        assert!("40,8".parse::<DrawRule>().is_err());
        assert!("4,many".parse::<ResignRule>().is_err());
    }
}
