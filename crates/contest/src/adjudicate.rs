// SPDX-License-Identifier: GPL-3.0-or-later
//! Ending games that are decided: `(reported scores, tablebase value) -> ruling`.
//!
//! The rules look at what the players reported and at nothing else; there is no state to get out of step
//! with the game.

use std::{error::Error, fmt, str::FromStr};

use rules::{Color, Outcome};

/// What a player said about a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Who moved.
    pub mover: Color,
    /// The number of the move, counted as on a score sheet.
    pub move_number: u32,
    /// The mover's score in centipawns, a mate beyond every other score; `None` if there was none.
    pub score: Option<i32>,
}

/// `MOVE,COUNT,SCORE`: a draw when, from move MOVE on, both players stayed within SCORE for COUNT moves.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// The first move that counts.
    pub from_move: u32,
    /// Moves in a row by each player.
    pub count: u32,
    /// The largest score, in centipawns for either side, that counts as level.
    pub score: u32,
}

/// `COUNT,SCORE[,one-sided]`: a win when one side was behind by SCORE or more for COUNT moves.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// Moves in a row, by each player or by the loser.
    pub count: u32,
    /// The smallest deficit, in centipawns.
    pub score: u32,
    /// Whether both players must agree; otherwise the loser's own opinion is enough.
    pub two_sided: bool,
}

/// When the referee ends a game.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// When a level game is a draw.
    pub draw: Option<DrawRule>,
    /// When a hopeless game is lost.
    pub resign: Option<ResignRule>,
    /// Moves by each side after which the game is a draw.
    pub max_moves: Option<u32>,
}

/// The end of a game by a referee.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// Who wins.
    pub outcome: Outcome,
    /// Why.
    pub reason: Reason,
}

/// Why a referee ended a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The tablebases know the outcome.
    Tablebase,
    /// One side is hopelessly behind.
    Hopeless,
    /// The game has been level for long.
    Level,
    /// The game is too long.
    TooLong,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Tablebase => "tablebases know the outcome",
            Reason::Hopeless => "one side is hopelessly behind",
            Reason::Level => "the game has been level for long",
            Reason::TooLong => "the game is too long",
        })
    }
}

impl Rules {
    /// Judges a game after its last report.
    ///
    /// `tablebase` is the outcome of the position on the board, where a table knows it. A table is right and
    /// so comes first; the players' opinions come before the mere length.
    pub fn judge(&self, reports: &[Report], tablebase: Option<Outcome>) -> Option<Ruling> {
        let ruling = |reason| move |outcome| Ruling { outcome, reason };
        let resigned = || self.resign.and_then(|rule| rule.judge(reports));
        let level = || self.draw.filter(|rule| rule.is_level(reports)).map(|_| Outcome::Draw);
        let too_long = || {
            let most = usize::try_from(self.max_moves?).ok()?.saturating_mul(2);
            (reports.len() >= most).then_some(Outcome::Draw)
        };
        tablebase
            .map(ruling(Reason::Tablebase))
            .or_else(|| resigned().map(ruling(Reason::Hopeless)))
            .or_else(|| level().map(ruling(Reason::Level)))
            .or_else(|| too_long().map(ruling(Reason::TooLong)))
    }
}

impl DrawRule {
    fn is_level(&self, reports: &[Report]) -> bool {
        let level = |report: &Report| {
            report.move_number >= self.from_move
                && report.score.is_some_and(|score| score.unsigned_abs() <= self.score)
        };
        last_all(reports.iter(), 2 * u64::from(self.count), level)
    }
}

impl ResignRule {
    fn judge(&self, reports: &[Report]) -> Option<Outcome> {
        let mover = reports.last()?.mover;
        // A side's deficit by the report: the mover's score, or the opposite for the other side.
        let lost = |color: Color| {
            move |report: &Report| {
                let deficit = |score: i32| {
                    let score = i64::from(score);
                    if report.mover == color { -score } else { score }
                };
                report.score.is_some_and(|score| deficit(score) >= i64::from(self.score))
            }
        };
        let loser = if self.two_sided {
            let count = 2 * u64::from(self.count);
            Color::ALL.into_iter().find(|&color| last_all(reports.iter(), count, lost(color)))
        } else {
            let own = reports.iter().filter(|report| report.mover == mover);
            last_all(own, u64::from(self.count), lost(mover)).then_some(mover)
        };
        loser.map(|loser| Outcome::Win(!loser))
    }
}

/// Whether there are so many reports at the end and all are as asked.
fn last_all<'a>(
    reports: impl DoubleEndedIterator<Item = &'a Report>,
    count: u64,
    asked: impl Fn(&Report) -> bool,
) -> bool {
    let mut found = 0;
    for report in reports.rev() {
        if found == count {
            break;
        }
        if !asked(report) {
            return false;
        }
        found += 1;
    }
    count > 0 && found == count
}

/// A text that is no rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseRuleError {
    /// The text.
    pub text: String,
    /// The form of such a rule.
    pub form: &'static str,
}

impl fmt::Display for ParseRuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is not a rule, expected {}", self.text, self.form)
    }
}

impl Error for ParseRuleError {}

impl FromStr for DrawRule {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<DrawRule, ParseRuleError> {
        match numbers(text).as_deref() {
            Some(&[from_move, count, score]) if count > 0 => Ok(DrawRule { from_move, count, score }),
            _ => Err(ParseRuleError { text: text.to_owned(), form: "MOVE,COUNT,SCORE" }),
        }
    }
}

impl FromStr for ResignRule {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<ResignRule, ParseRuleError> {
        let (values, two_sided) = match text.strip_suffix(",one-sided") {
            Some(values) => (values, false),
            None => (text, true),
        };
        match numbers(values).as_deref() {
            Some(&[count, score]) if count > 0 => Ok(ResignRule { count, score, two_sided }),
            _ => Err(ParseRuleError { text: text.to_owned(), form: "COUNT,SCORE[,one-sided]" }),
        }
    }
}

fn numbers(text: &str) -> Option<Vec<u32>> {
    text.split(',').map(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ply and ruling at which a game with these scores, each from its mover's side, ends.
    fn play(rules: &Rules, first_move: u32, scores: &[Option<i32>]) -> Option<(usize, Ruling)> {
        let mut reports = Vec::new();
        scores.iter().zip(0..).find_map(|(&score, ply)| {
            let mover = Color::ALL[ply as usize % 2];
            reports.push(Report { mover, move_number: first_move + ply / 2, score });
            rules.judge(&reports, None).map(|ruling| (ply as usize, ruling))
        })
    }

    fn draws(rule: &str) -> Rules {
        Rules { draw: Some(rule.parse().unwrap()), ..Rules::default() }
    }

    fn resigns(rule: &str) -> Rules {
        Rules { resign: Some(rule.parse().unwrap()), ..Rules::default() }
    }

    fn win(color: Color) -> Ruling {
        Ruling { outcome: Outcome::Win(color), reason: Reason::Hopeless }
    }

    #[test]
    fn both_must_agree_on_a_win() {
        let rules = resigns("2,600");
        let agree = [600, -700, 900, -600];
        assert_eq!(play(&rules, 10, &agree.map(Some)), Some((3, win(Color::White))));
        assert_eq!(play(&rules, 10, &agree.map(|score| Some(-score))), Some((3, win(Color::Black))));
        assert_eq!(play(&rules, 10, &[900, -100, 900, -100, 900, -100].map(Some)), None);
        assert_eq!(play(&rules, 10, &[600, 600, 600, 600].map(Some)), None, "each claims the win");
    }

    #[test]
    fn one_side_may_resign_alone() {
        let rules = resigns("2,600,one-sided");
        assert_eq!(play(&rules, 10, &[100, -600, 100, -700].map(Some)), Some((3, win(Color::White))));
        assert_eq!(play(&rules, 10, &[-600, 0, -600].map(Some)), Some((2, win(Color::Black))));
        assert_eq!(play(&rules, 10, &[900, 0, 900, 0, 900].map(Some)), None, "nobody wins by opinion");
        assert_eq!(play(&rules, 10, &[-600, 0, -599, 0, -600].map(Some)), None);
    }

    #[test]
    fn a_missing_score_starts_the_count_again() {
        let scores = [Some(600), Some(-700), None, Some(-600), Some(800), Some(-800)];
        assert_eq!(play(&resigns("2,600"), 10, &scores), None);
    }

    #[test]
    fn draws_wait_for_their_move() {
        let rules = draws("40,2,8");
        let draw = Ruling { outcome: Outcome::Draw, reason: Reason::Level };
        let level = [0, 8, -8, 0].map(Some);
        assert_eq!(play(&rules, 10, &level), None);
        assert_eq!(play(&rules, 39, &level), None);
        assert_eq!(play(&rules, 40, &level), Some((3, draw)));
        assert_eq!(play(&rules, 40, &[0, 9, 0, 0].map(Some)), None);
    }

    #[test]
    fn extreme_scores_are_safe() {
        let mates = [i32::MAX, i32::MIN, i32::MAX, i32::MIN].map(Some);
        assert_eq!(play(&resigns("2,600"), 1, &mates), Some((3, win(Color::White))));
        assert_eq!(play(&draws("1,1,8"), 1, &mates), None);
    }

    #[test]
    fn long_games_end() {
        let rules = Rules { max_moves: Some(2), ..Rules::default() };
        let draw = Ruling { outcome: Outcome::Draw, reason: Reason::TooLong };
        assert_eq!(play(&rules, 1, &[None; 6]), Some((3, draw)));
    }

    #[test]
    fn tables_have_the_first_word() {
        let rules = Rules { max_moves: Some(0), ..resigns("1,600") };
        let lost = Report { mover: Color::White, move_number: 1, score: Some(-900) };
        let table = Some(Outcome::Win(Color::White));
        let ruling = |outcome, reason| Some(Ruling { outcome, reason });
        assert_eq!(rules.judge(&[lost], table), ruling(Outcome::Win(Color::White), Reason::Tablebase));
        let drawn = Rules::default().judge(&[], Some(Outcome::Draw));
        assert_eq!(drawn, ruling(Outcome::Draw, Reason::Tablebase));
        assert_eq!(rules.judge(&[lost], None), ruling(Outcome::Draw, Reason::TooLong), "one report of two");
    }

    #[test]
    fn without_rules_games_go_on() {
        assert_eq!(play(&Rules::default(), 1, &[Some(0); 600]), None);
    }

    #[test]
    fn reads_rules() {
        assert_eq!("40,8,8".parse(), Ok(DrawRule { from_move: 40, count: 8, score: 8 }));
        assert_eq!("4,600".parse(), Ok(ResignRule { count: 4, score: 600, two_sided: true }));
        assert_eq!("4,600,one-sided".parse(), Ok(ResignRule { count: 4, score: 600, two_sided: false }));
        for text in ["", "40,8", "40,8,8,8", "40,0,8", "a,b,c"] {
            assert!(text.parse::<DrawRule>().is_err(), "{text}");
        }
        for text in ["", "4", "4,many", "0,600", "4,600,7", "one-sided"] {
            assert!(text.parse::<ResignRule>().is_err(), "{text}");
        }
        let error = "4,many".parse::<ResignRule>().unwrap_err().to_string();
        assert_eq!(error, "'4,many' is not a rule, expected COUNT,SCORE[,one-sided]");
    }
}
