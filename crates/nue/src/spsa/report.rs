// SPDX-License-Identifier: GPL-3.0-or-later
//! What a tuning run says: how it goes, where every parameter ended, and lines to be pasted.

use std::time::Duration;

use engine::params::TABLE;

use super::state::State;

/// How many parameters are shown while a run goes on.
const SHOWN: usize = 10;

/// A run as it is shown.
pub(crate) struct Report<'a> {
    pub(crate) state: &'a State,
    /// How long it has gone on since it was started, this time.
    pub(crate) elapsed: Duration,
    /// Iterations that were finished before.
    pub(crate) before: u64,
    /// Games of an iteration.
    pub(crate) games: usize,
}

impl Report<'_> {
    /// How far the run is, in one line.
    pub(crate) fn progress(&self) -> String {
        let (done, all) = (self.state.spsa.done, self.state.spsa.gains.iterations);
        let [losses, draws, wins] = self.state.games.counts();
        let mut line = format!(
            "iteration {done}/{all} | {} games, W {wins} D {draws} L {losses}",
            wins + draws + losses
        );
        if self.state.faults > 0 {
            line.push_str(&format!(", {} by misbehaving", self.state.faults));
        }
        let now = done - self.before;
        if now > 0 {
            let each = self.elapsed.as_secs_f64() / now as f64;
            let per_minute = 60.0 * self.games as f64 / each.max(1e-9);
            let left = Duration::from_secs_f64(each * (all - done) as f64);
            line.push_str(&format!(" | {per_minute:.0} games a minute | {} left", time(left)));
        }
        line
    }

    /// The same with the parameters that have moved most.
    pub(crate) fn live(&self) -> String {
        let moved = self.state.moved();
        let mut order: Vec<usize> = (0..moved.len()).collect();
        order.sort_by(|&a, &b| moved[b].abs().total_cmp(&moved[a].abs()));
        order.truncate(SHOWN);
        format!("{}\n{}", self.progress(), self.table(&order))
    }

    /// Every parameter from its start to its end.
    pub(crate) fn full_table(&self) -> String {
        self.table(&(0..self.state.starts.len()).collect::<Vec<_>>())
    }

    fn table(&self, rows: &[usize]) -> String {
        let (parameters, moved) = (&self.state.spsa.parameters, self.state.moved());
        let width = rows.iter().map(|&row| parameters[row].name.chars().count()).max().unwrap_or(0).max(9);
        let mut text = format!("{:<width$} {:>10} {:>12} {:>8}\n", "parameter", "start", "now", "steps");
        for &row in rows {
            let (parameter, start, steps) = (&parameters[row], self.state.starts[row], moved[row]);
            let (name, value) = (&parameter.name, parameter.value);
            text.push_str(&format!("{name:<width$} {start:>10} {value:>12.2} {steps:>+8.2}\n"));
        }
        text
    }

    /// The changed values as rows of the table of parameters, or as options if they are not ours.
    pub(crate) fn paste(&self) -> String {
        let parameters = self.state.spsa.parameters.iter().zip(self.state.spsa.values());
        let changed: Vec<(&str, i64)> = parameters
            .zip(&self.state.starts)
            .filter(|((_, value), start)| *value as f64 != **start)
            .map(|((parameter, value), _)| (parameter.name.as_str(), value))
            .collect();
        if changed.is_empty() {
            return "no parameter has reached another whole number\n".to_owned();
        }
        let rows = changed.iter().map(|&(name, value)| {
            let row = TABLE.iter().find(|row| row.option_name().eq_ignore_ascii_case(name))?;
            Some((row.group, format!("        {} = {value} in {}..={},\n", row.name, row.min, row.max)))
        });
        match rows.collect::<Option<Vec<_>>>() {
            Some(rows) => {
                let groups = rows.chunk_by(|a, b| a.0 == b.0).map(|rows| {
                    let lines: String = rows.iter().map(|(_, line)| line.as_str()).collect();
                    format!("    {} {{\n{lines}    }}\n", rows[0].0)
                });
                format!("changed rows for crates/engine/src/params.rs:\n{}", groups.collect::<String>())
            }
            None => {
                changed.iter().map(|(name, value)| format!("setoption name {name} value {value}\n")).collect()
            }
        }
    }
}

/// A time to be read at a glance: `40 s`, `12 min`, `3 h 05 min`.
fn time(time: Duration) -> String {
    let (seconds, minutes) = (time.as_secs(), (time.as_secs() + 30) / 60);
    match (minutes / 60, minutes % 60) {
        (0, _) if seconds < 90 => format!("{seconds} s"),
        (0, minutes) => format!("{minutes} min"),
        (hours, minutes) => format!("{hours} h {minutes:02} min"),
    }
}

#[cfg(test)]
mod tests {
    use contest::spsa::{Gains, Parameter, Spsa};

    use super::*;

    fn report(names: [&str; 2], values: [f64; 2]) -> String {
        let parameter = |name: &str| Parameter {
            name: name.to_owned(),
            value: 5.0,
            min: 0,
            max: 10,
            step: 2.0,
            rate: 0.002,
        };
        let parameters = names.into_iter().map(parameter).collect();
        let mut state = State::new(Spsa::new(parameters, Gains::new(100), 1).unwrap());
        state.spsa.done = 50;
        for (parameter, value) in state.spsa.parameters.iter_mut().zip(values) {
            parameter.value = value;
        }
        let report = Report { state: &state, elapsed: Duration::from_secs(100), before: 25, games: 2 };
        format!("{}\n{}", report.live(), report.paste())
    }

    #[test]
    fn the_most_moved_come_first_and_strangers_are_options() {
        let text = report(["one", "other"], [5.4, 2.0]);
        assert!(
            text.starts_with("iteration 50/100 | 0 games, W 0 D 0 L 0 | 30 games a minute | 3 min left\n"),
            "{text}"
        );
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2].split_whitespace().collect::<Vec<_>>(), ["other", "5", "2.00", "-1.50"]);
        assert_eq!(lines[3].split_whitespace().collect::<Vec<_>>(), ["one", "5", "5.40", "+0.20"]);
        assert!(text.ends_with("setoption name other value 2\n"), "{text}");
        assert!(report(["one", "other"], [5.4, 4.6]).ends_with("another whole number\n"));
    }

    #[test]
    fn our_own_are_rows_of_the_table() {
        let text = report(["razoring_base", "razoring_factor"], [7.0, 8.0]);
        let rows = "params.rs:\n    razoring {\n        base = 7 in 50..=500,\n        factor = 8 in 20..=300,\n    }\n";
        assert!(text.ends_with(rows), "{text}");
    }

    #[test]
    fn times_are_short() {
        let texts = [0, 89, 90, 3540, 3600, 11_100].map(|seconds| time(Duration::from_secs(seconds)));
        assert_eq!(texts, ["0 s", "89 s", "2 min", "59 min", "1 h 00 min", "3 h 05 min"]);
    }
}
