// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue sprt`: a match that ends as soon as it has decided between two hypotheses.

use std::process::ExitCode;

use anyhow::{Context, ensure};
use arena::Standings;
use clap::Args;
use contest::{
    EloModel, Sprt as Test, TimeControl, Verdict,
    pairing::{Pairing, Schedule},
};
use formats::book::Book;
use serde_json::json;

use super::{options::ArenaOptions, run};
use crate::game_options::ENGINES_HELP;

/// Test whether one engine is stronger than another.
///
/// A sequential probability ratio test: the first engine is better than the second by the larger of two Elo
/// differences (H1) or only by the smaller (H0). It plays pairs of games until one of them is refuted, at the
/// error rates asked for, and then prints a line for the commit message. An interrupted test goes on where
/// it was when it is started again.
#[derive(Args)]
#[command(after_help = format!("Examples:
  nue sprt --engine cmd=./nue,name=new --engine cmd=/tmp/nue-base,name=base --book UHO.epd.zst --bounds 0,3 \\
      --tc 8+0.08 --concurrency 2 --pgn test.pgn
  nue sprt --engine own --engine cmd=/tmp/nue-base --book UHO.epd.zst --tc nodes=20000 \\
      --bounds=-3,0 --model normalised

{ENGINES_HELP}"))]
pub(crate) struct Sprt {
    #[command(flatten)]
    options: ArenaOptions,

    /// The Elo differences of H0 and H1
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,3", value_parser = parse_bounds, allow_hyphen_values = true)]
    bounds: [f64; 2],

    /// What the bounds mean: logistic Elo, as in rating lists, or normalised Elo
    #[arg(long, value_name = "MODEL", default_value = "logistic")]
    model: EloModel,

    /// How often H1 may be accepted though H0 is true
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    alpha: f64,

    /// How often H0 may be accepted though H1 is true
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    beta: f64,

    /// Give up, undecided, after so many games
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    max_games: usize,
}

fn parse_bounds(text: &str) -> anyhow::Result<[f64; 2]> {
    let expected = || format!("'{text}' gives no bounds, expected ELO0,ELO1");
    let (elo0, elo1) = text.split_once(',').with_context(expected)?;
    Ok([elo0.trim().parse().with_context(expected)?, elo1.trim().parse().with_context(expected)?])
}

impl Sprt {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        self.options.check()?;
        let engines = self.options.engines.len();
        ensure!(engines == 2, "{engines} engines, expected two: the new one first");
        ensure!(self.max_games >= 2, "{} games, expected at least two", self.max_games);
        let test = Test::new(self.model, self.bounds, self.alpha, self.beta)?;
        let book = self.options.play.book()?;
        let max_games = self.most_games(book.as_ref())?;
        let schedule = Schedule::new(Pairing::RoundRobin, engines, max_games / 2)?;
        let mut settings = self.options.settings();
        let (bounds, rates) = (self.bounds, [self.alpha, self.beta]);
        settings.insert("sprt".to_owned(), json!([self.model.to_string(), bounds, rates]));
        let played = run::play(&self.options, book.as_ref(), schedule, &settings, Some(&test))?;
        let (mut json, standings) = (played.json, played.standings);
        let line = self.commit_line(&test, &standings);
        if self.options.json {
            json["sprt"]["commit_line"] = json!(line);
            say!("{json:#}");
        } else {
            say!("{}\n{line}", self.verdict(&test, &standings));
        }
        Ok(ExitCode::SUCCESS)
    }

    /// How many games may be played: without a clock the same opening gives the same game, which is no
    /// further evidence.
    fn most_games(&self, book: Option<&Book>) -> anyhow::Result<usize> {
        let mut controls = self.controls().into_iter();
        if !controls.all(|control| matches!(control, TimeControl::Nodes(_) | TimeControl::Depth(_))) {
            return Ok(self.max_games);
        }
        let book =
            book.context("at fixed nodes or depth one opening gives one pair of games: --book is needed")?;
        let most = 2 * book.len();
        if self.max_games > most {
            run::warn(&format!("at most {most} games: at fixed nodes or depth each opening gives one pair"));
        }
        Ok(self.max_games.min(most))
    }

    /// The time controls of both engines.
    fn controls(&self) -> [TimeControl; 2] {
        [0, 1].map(|engine| self.options.engines[engine].control(self.options.play.time_control))
    }

    /// What the test says, in words.
    fn verdict(&self, test: &Test, standings: &Standings) -> String {
        let [elo0, elo1] = self.bounds;
        match test.verdict(&standings.rows()[0].pairs) {
            Verdict::AcceptH1 => format!("H1 accepted: {elo1} Elo rather than {elo0}"),
            Verdict::AcceptH0 => format!("H0 accepted: {elo0} Elo rather than {elo1}"),
            Verdict::Continue => format!("undecided after {} games", standings.games()),
        }
    }

    /// One line for the commit message: `8+0.08   +3.1 ± 2.2   LLR 2.96 [0, 3]   21846 games`, and what went
    /// wrong in them.
    fn commit_line(&self, test: &Test, standings: &Standings) -> String {
        let pairs = &standings.rows()[0].pairs;
        let control = match self.controls() {
            [first, second] if first == second => first.to_string(),
            [first, second] => format!("{first} : {second}"),
        };
        let [elo0, elo1] = self.bounds;
        let model = match self.model {
            EloModel::Logistic => "",
            EloModel::Normalised => " normalised",
        };
        let (elo, llr, games) = (pairs.elo(), test.llr(pairs), 2 * pairs.samples());
        let mut line = format!("{control}   {elo}   LLR {llr:.2} [{elo0}, {elo1}]{model}   {games} games");
        if standings.rows().iter().any(|row| row.faults.total() > 0) {
            let engines = self.options.names().into_iter().zip(standings.rows());
            let faults: Vec<String> = engines.map(|(name, row)| format!("{name}: {}", row.faults)).collect();
            line.push_str(&format!("   faults {}", faults.join("; ")));
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_two_numbers() {
        assert_eq!(parse_bounds("0,3").unwrap(), [0.0, 3.0]);
        assert_eq!(parse_bounds("-1.75, 0.25").unwrap(), [-1.75, 0.25]);
        for text in ["", "3", "a,b", "0,3,5"] {
            let error = format!("{:#}", parse_bounds(text).unwrap_err());
            assert!(error.starts_with(&format!("'{text}' gives no bounds")), "{error}");
        }
    }
}
