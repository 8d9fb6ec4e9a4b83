// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue sprt`: a match that ends as soon as it has decided between two hypotheses.

use std::process::ExitCode;

use anyhow::{Context, ensure};
use arena::Standings;
use clap::Args;
use contest::{
    EloModel, Sprt as Test, Verdict,
    pairing::{Pairing, Schedule},
};
use serde_json::json;

use crate::{
    arena_options::{ArenaOptions, ENGINES_HELP},
    arena_run,
};

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
  nue sprt --engine own --engine cmd=/tmp/nue-base --tc nodes=20000 --bounds=-3,0 --model normalised

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
        let schedule = Schedule::new(Pairing::RoundRobin, engines, self.max_games / 2)?;
        let mut settings = self.options.settings();
        let (bounds, rates) = (self.bounds, [self.alpha, self.beta]);
        settings.insert("sprt".to_owned(), json!([self.model.to_string(), bounds, rates]));
        let standings = arena_run::play(&self.options, schedule, &settings, Some(&test))?;
        if !self.options.json {
            println!("{}", self.verdict(&test, &standings));
            println!("{}", self.commit_line(&test, &standings));
        }
        Ok(ExitCode::SUCCESS)
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

    /// One line for the commit message: `8+0.08   +3.1 ± 2.2   LLR 2.96 [0, 3]   21846 games`.
    fn commit_line(&self, test: &Test, standings: &Standings) -> String {
        let pairs = &standings.rows()[0].pairs;
        let control = |engine: usize| {
            self.options.engines[engine].time_control.unwrap_or(self.options.time_control).to_string()
        };
        let control = match [control(0), control(1)] {
            [first, second] if first == second => first,
            [first, second] => format!("{first} : {second}"),
        };
        let [elo0, elo1] = self.bounds;
        let model = match self.model {
            EloModel::Logistic => "",
            EloModel::Normalised => " normalised",
        };
        let (elo, llr, games) = (pairs.elo(), test.llr(pairs), 2 * pairs.samples());
        format!("{control}   {elo}   LLR {llr:.2} [{elo0}, {elo1}]{model}   {games} games")
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
