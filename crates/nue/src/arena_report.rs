// SPDX-License-Identifier: GPL-3.0-or-later
//! What a match says: a line for each game, a table, and the same as JSON.

use std::time::Duration;

use arena::{Fault, GameResult, Row, Standings};
use contest::{Estimate, Sprt, pairing::Fixture};
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
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("engine".len());
        let mut text = format!(
            "{:<width$} {:>6} {:>5} {:>5} {:>5} {:>7} {:>6} {:>15} {:>15} {:>6}  {:<24} faults\n",
            "engine", "games", "W", "D", "L", "score", "draws", "Elo", "nElo", "LOS", "pairs 0 ½ 1 1½ 2"
        );
        for (name, row) in self.names.iter().zip(self.standings.rows()) {
            text.push_str(&table_row(name, width, row));
        }
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
                "; {:.1} games a minute, players think {:.1} % of the time",
                self.progress.games_per_minute(),
                100.0 * self.progress.use_of_time(),
            ));
        }
        text.push('\n');
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
        pairs.counts().map(|count| count.to_string()).join(" "),
        row.faults,
    )
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
