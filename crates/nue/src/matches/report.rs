// SPDX-License-Identifier: GPL-3.0-or-later
//! What a match says: a line for each game, a table, and the same as JSON.

use std::time::Duration;

use arena::{Fault, GameResult, Row, Standings};
use contest::{Estimate, Pentanomial, Sprt, pairing::Fixture};
use formats::pgn::result_text;
use serde_json::{Value, json};

/// How long this run has taken so far, and how much of a match was played in it.
pub(crate) struct Progress {
    pub(crate) elapsed: Duration,
    pub(crate) games: usize,
    pub(crate) thinking: Duration,
    pub(crate) slots: usize,
}

impl Progress {
    fn games_per_minute(&self) -> f64 {
        60.0 * self.games as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// The share of the slots' time that players thought, from 0 to 1: what the clocks alone would take.
    fn use_of_time(&self) -> f64 {
        self.thinking.as_secs_f64() / (self.elapsed.as_secs_f64() * self.slots as f64).max(1e-9)
    }
}

/// A match as it is shown.
pub(crate) struct Report<'a> {
    pub(crate) names: &'a [&'a str],
    pub(crate) standings: &'a Standings,
    pub(crate) sprt: Option<&'a Sprt>,
    pub(crate) progress: Progress,
}

impl Report<'_> {
    /// One line about a game that has just ended.
    pub(crate) fn game_line(&self, fixture: &Fixture, result: &GameResult, games: usize) -> String {
        let (white, black) = (self.names[fixture.white], self.names[fixture.black]);
        let done = self.standings.games();
        let outcome = result_text(Some(result.ending.outcome));
        let mut line = format!(
            "{done:>5}/{games} {white} - {black} {outcome} ({}, {} plies)",
            result.ending.reason, result.plies
        );
        if let [first, _] = self.standings.rows() {
            let games = first.games;
            line.push_str(&format!(
                " | W {} D {} L {} | Elo {}",
                games.wins(),
                games.draws(),
                games.losses(),
                first.pairs.elo()
            ));
        }
        if let Some(sprt) = self.sprt {
            line.push_str(&format!(" | LLR {:.2}", sprt.llr(&self.standings.rows()[0].pairs)));
        }
        line
    }

    /// The table of all engines and what is worth knowing about the match.
    pub(crate) fn table(&self) -> String {
        let mut text = match self.standings.rows() {
            [first, second] => self.duel([first, second]),
            rows => self.crosstable(rows),
        };
        if let Some(sprt) = self.sprt {
            text.push_str(&sprt_line(sprt, self.standings));
        }
        let overhead = self.standings.overhead();
        let (p99, worst) = (millis(overhead.quantile(0.99)), millis(overhead.worst()));
        text.push_str(&format!(
            "{} games, {} adjudicated; overhead p99 {p99:.2} ms, worst {worst:.2} ms",
            self.standings.games(),
            self.standings.adjudicated(),
        ));
        if self.progress.games > 0 {
            text.push_str(&format!(
                "\n{:.1} games a minute, players think {:.1} % of the time",
                self.progress.games_per_minute(),
                100.0 * self.progress.use_of_time(),
            ));
        }
        text.push('\n');
        text
    }

    /// Two engines, seen by the first: lines short enough for any terminal.
    fn duel(&self, rows: [&Row; 2]) -> String {
        let (games, pairs) = (&rows[0].games, &rows[0].pairs);
        let names = [0, 1].map(|engine| brief(self.names[engine]));
        let mut text = format!("{} against {}\n", names[0], names[1]);
        text.push_str(&format!(
            "W {}  D {}  L {}   score {:.1} %   draws {:.1} %\n",
            games.wins(),
            games.draws(),
            games.losses(),
            100.0 * games.score(),
            100.0 * games.draw_ratio(),
        ));
        text.push_str(&format!("pairs with 0 ½ 1 1½ 2 points: {}\n", pair_counts(pairs)));
        text.push_str(&format!(
            "Elo {}   nElo {}   LOS {:.1} %\n",
            pairs.elo(),
            pairs.normalised_elo(),
            100.0 * pairs.los()
        ));
        for (name, row) in names.iter().zip(rows).filter(|(_, row)| row.faults.total() > 0) {
            text.push_str(&format!("faults of {name}: {}\n", row.faults));
        }
        text
    }

    /// Many engines: a row for each.
    fn crosstable(&self, rows: &[Row]) -> String {
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("engine".len());
        let mut text = format!(
            "{:<width$} {:>6} {:>5} {:>5} {:>5} {:>7} {:>6} {:>15} {:>15} {:>6}  {:<24} faults\n",
            "engine", "games", "W", "D", "L", "score", "draws", "Elo", "nElo", "LOS", "pairs 0 ½ 1 1½ 2"
        );
        for (name, row) in self.names.iter().zip(rows) {
            text.push_str(&table_row(name, width, row));
        }
        text
    }

    /// The same for programs.
    pub(crate) fn json(&self) -> Value {
        let rows = self.names.iter().zip(self.standings.rows());
        let overhead = self.standings.overhead();
        json!({
            "engines": rows.map(|(name, row)| row_json(name, row)).collect::<Vec<_>>(),
            "games": self.standings.games(),
            "adjudicated": self.standings.adjudicated(),
            "plies": self.standings.plies(),
            "thinking_seconds": self.standings.thinking().as_secs_f64(),
            "run": {
                "games": self.progress.games,
                "seconds": self.progress.elapsed.as_secs_f64(),
                "games_per_minute": self.progress.games_per_minute(),
                "use_of_time": self.progress.use_of_time(),
                "slots": self.progress.slots,
            },
            "overhead_ms": {
                "count": overhead.count(),
                "median": millis(overhead.quantile(0.5)),
                "p99": millis(overhead.quantile(0.99)),
                "worst": millis(overhead.worst()),
            },
            "sprt": self.sprt.map(|sprt| sprt_json(sprt, self.standings)),
        })
    }
}

fn table_row(name: &str, width: usize, row: &Row) -> String {
    let (games, pairs) = (&row.games, &row.pairs);
    format!(
        "{name:<width$} {:>6} {:>5} {:>5} {:>5} {:>6.1}% {:>5.1}% {:>15} {:>15} {:>5.1}%  {:<24} {}\n",
        games.samples(),
        games.wins(),
        games.draws(),
        games.losses(),
        100.0 * games.score(),
        100.0 * games.draw_ratio(),
        pairs.elo().to_string(),
        pairs.normalised_elo().to_string(),
        100.0 * pairs.los(),
        pair_counts(pairs),
        row.faults,
    )
}

fn pair_counts(pairs: &Pentanomial) -> String {
    pairs.counts().map(|count| count.to_string()).join(" ")
}

/// The beginning of a name that may be long.
fn brief(name: &str) -> String {
    const LENGTH: usize = 30;
    match name.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

fn sprt_line(sprt: &Sprt, standings: &Standings) -> String {
    let ([lower, upper], [elo0, elo1]) = (sprt.bounds(), sprt.hypotheses());
    let llr = sprt.llr(&standings.rows()[0].pairs);
    format!("LLR {llr:.2} ({lower:.2}, {upper:.2}) [{elo0}, {elo1}] {}\n", sprt.model())
}

fn row_json(name: &str, row: &Row) -> Value {
    let estimate = |estimate: Estimate| json!({ "value": estimate.value, "error": estimate.error });
    let faults: serde_json::Map<String, Value> =
        Fault::ALL.into_iter().map(|fault| (fault.name().to_owned(), json!(row.faults.of(fault)))).collect();
    json!({
        "name": name,
        "games": row.games.samples(),
        "wins": row.games.wins(),
        "draws": row.games.draws(),
        "losses": row.games.losses(),
        "score": row.games.score(),
        "draw_ratio": row.games.draw_ratio(),
        "pairs": row.pairs.counts(),
        "pairs_ratio": row.pairs.pairs_ratio(),
        "elo": estimate(row.pairs.elo()),
        "normalised_elo": estimate(row.pairs.normalised_elo()),
        "los": row.pairs.los(),
        "faults": faults,
    })
}

fn sprt_json(sprt: &Sprt, standings: &Standings) -> Value {
    let pairs = &standings.rows()[0].pairs;
    json!({
        "model": sprt.model().to_string(),
        "hypotheses": sprt.hypotheses(),
        "bounds": sprt.bounds(),
        "llr": sprt.llr(pairs),
        "verdict": match sprt.verdict(pairs) {
            contest::Verdict::Continue => "none",
            contest::Verdict::AcceptH0 => "H0",
            contest::Verdict::AcceptH1 => "H1",
        },
    })
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use arena::{Ending, Overhead, Termination};
    use contest::{
        EloModel,
        pairing::{Pairing, Schedule},
    };
    use rules::{Color, Outcome};

    use super::*;

    /// A match in which every fifth pair is drawn and lost, all others drawn and won, by the first engine.
    fn standings(engines: usize, cycles: usize, fault: Option<Fault>) -> Standings {
        let schedule = Schedule::new(Pairing::RoundRobin, engines, cycles).unwrap();
        let mut standings = Standings::new(engines);
        let mut overhead = Overhead::default();
        overhead.add(Duration::from_millis(1234));
        for game in 0..schedule.games() {
            let fixture = schedule.game(game);
            let first = if fixture.white == 0 { Color::White } else { Color::Black };
            let winner = if fixture.pair.is_multiple_of(5) { !first } else { first };
            let outcome = if game % 2 == 0 { Outcome::Draw } else { Outcome::Win(winner) };
            let termination = match fault {
                Some(fault) if game % 2 == 1 => Termination::Fault(!winner, fault),
                _ => Termination::Adjudication,
            };
            let ending = Ending { outcome, termination, reason: "a reason".to_owned() };
            let (thinking, overhead) = ([Duration::from_secs(1); 2], overhead.clone());
            let result = GameResult { game, ending, plies: 80, restarted: [false; 2], thinking, overhead };
            standings.add(&fixture, &result);
        }
        standings
    }

    fn report<'a>(names: &'a [&'a str], standings: &'a Standings, sprt: Option<&'a Sprt>) -> Report<'a> {
        let (elapsed, thinking) = (Duration::from_secs(3600), standings.thinking());
        let progress = Progress { elapsed, games: standings.games(), thinking, slots: 64 };
        Report { names, standings, sprt, progress }
    }

    #[test]
    fn the_table_of_two_engines_says_everything_and_fits_a_terminal() {
        let long = "an engine with a name that nobody would want to read twice";
        let standings = standings(2, 100_000, Some(Fault::FlagFall));
        let sprt = Sprt::new(EloModel::Normalised, [-1.75, 0.25], 0.05, 0.05).unwrap();
        let table = report(&["new", long], &standings, Some(&sprt)).table();
        let widest = table.lines().map(|line| line.chars().count()).max();
        assert!(widest.is_some_and(|width| width <= 80), "{widest:?} columns:\n{table}");
        for part in [
            "new against an engine with a name",
            "W 80000  D 100000  L 20000   score 65.0 %   draws 50.0 %\n",
            "points: 0 20000 0 80000 0\n",
            "Elo +107.5 ± ",
            "   nElo +",
            "   LOS 100.0 %\n",
            "LLR ",
            "faults of new: flag fall 20000\n",
            ": flag fall 80000\n",
            "200000 games, 100000 adjudicated; overhead p99 ",
            "3333.3 games a minute, players think ",
        ] {
            assert!(table.contains(part), "no '{part}' in\n{table}");
        }
    }

    #[test]
    fn faults_and_speed_are_named_only_if_there_are_any() {
        let standings = standings(2, 1, None);
        let mut report = report(&["a", "b"], &standings, None);
        report.progress.games = 0;
        let table = report.table();
        assert!(!table.contains("faults") && !table.contains("minute") && !table.contains("LLR"), "{table}");
    }

    #[test]
    fn many_engines_have_a_row_each() {
        let standings = standings(3, 2, None);
        let table = report(&["a", "b", "c"], &standings, None).table();
        let rows: Vec<&str> = table.lines().map(|line| line.split(' ').next().unwrap_or_default()).collect();
        assert_eq!(rows[..4], ["engine", "a", "b", "c"], "{table}");
    }

    #[test]
    fn a_sweep_has_no_finite_elo() {
        let schedule = Schedule::new(Pairing::RoundRobin, 2, 1).unwrap();
        let mut sweep = Standings::new(2);
        for game in 0..2 {
            let fixture = schedule.game(game);
            let winner = if fixture.white == 0 { Color::White } else { Color::Black };
            let ending = Ending {
                outcome: Outcome::Win(winner),
                termination: Termination::Normal,
                reason: "checkmate".to_owned(),
            };
            let (thinking, overhead) = ([Duration::ZERO; 2], Overhead::default());
            sweep.add(
                &fixture,
                &GameResult { game, ending, plies: 4, restarted: [false; 2], thinking, overhead },
            );
        }
        let json = report(&["a", "b"], &sweep, None).json();
        assert!(json["engines"][0]["elo"]["value"].is_null(), "{json}");
        assert_eq!(json["engines"][0]["pairs"], serde_json::json!([0, 0, 0, 0, 1]));
        assert_eq!(json["engines"][1]["los"], 0.0);
    }
}
