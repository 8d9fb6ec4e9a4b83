// SPDX-License-Identifier: GPL-3.0-or-later
//! What a training run shows: a line per round, the present state below it, and the curves.

use std::time::{Duration, Instant};

use trainer::{
    Tally,
    run::{About, Entry, Folder, Progress},
};

use super::curves;
use crate::screen::Screen;

/// How often the state is shown.
const EVERY: Duration = Duration::from_millis(500);

pub(crate) struct Watch {
    name: String,
    screen: Screen,
    shown: Instant,
    /// The losses of the last round, as the state shows them.
    losses: String,
}

impl Watch {
    pub(crate) fn new(name: &str) -> Watch {
        Watch {
            name: name.to_owned(),
            screen: Screen::new(false),
            shown: Instant::now(),
            losses: String::new(),
        }
    }

    /// What became of the positions of all files.
    pub(crate) fn data(&mut self, tally: &Tally) {
        let Tally { read, learn, check, unknown, loud, early, decided } = *tally;
        let reasons =
            [("loud", loud), ("early", early), ("decided", decided), ("without score or result", unknown)];
        let left_out: String = reasons
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(reason, count)| format!(", {} {reason}", short(*count as f64)))
            .collect();
        let [read, learn, check] = [read, learn, check].map(|count| short(count as f64));
        self.screen
            .line(&format!("{read} positions read: {learn} to learn, {check} to check with{left_out}"));
    }

    pub(crate) fn end(&mut self, text: &str) {
        self.screen.end(&format!("{text}\n"));
    }
}

impl trainer::run::Watch for Watch {
    fn begins(&mut self, about: &About) {
        if let Some(note) = &about.note {
            self.screen.line(note);
        }
        self.screen.line(&format!("{}: {}, {} numbers", self.name, about.network, about.parameters));
        self.screen.line(&format!(
            "{}; {} samples per epoch, {} to check with",
            about.device, about.samples, about.validation
        ));
        if about.windows > 1 {
            self.screen.line(&format!("they come in {} windows that fit into memory", about.windows));
        }
        if about.steps_done > 0 {
            self.screen.line(&format!("going on after step {} of {}", about.steps_done, about.steps));
        }
    }

    fn moves(&mut self, device: &str, why: &str) {
        self.screen.line(&format!("from here on: {device} ({why})"));
    }

    fn step(&mut self, progress: &Progress) {
        if self.shown.elapsed() < EVERY {
            return;
        }
        self.shown = Instant::now();
        let losses = &self.losses;
        self.screen.state(|| {
            format!(
                "step {} of {}  {} positions{losses}  rate {:.6}  {} per second  {} left\n",
                progress.steps,
                progress.total,
                short(progress.positions as f64),
                progress.rate,
                short(progress.speed),
                time(progress.left)
            )
        });
    }

    fn plays(&mut self, round: u64) {
        self.screen.state(|| format!("games with the network of round {round}\n"));
    }

    fn round(&mut self, entry: &Entry, folder: &Folder) {
        let validation = entry.validation.map_or_else(String::new, |loss| format!("  check {loss:.6}"));
        self.losses = format!("  loss {:.6}{validation}", entry.loss);
        let mut line = format!(
            "round {}  {} positions{}  rate {:.6}  {} per second  {}",
            entry.round,
            short(entry.positions as f64),
            self.losses,
            entry.rate,
            short(entry.speed),
            time(entry.seconds)
        );
        if let Some(elo) = entry.elo {
            line.push_str(&format!("  Elo {elo}"));
        }
        if let Err(error) = curves::draw(folder, &self.name) {
            line.push_str(&format!("  (no curves: {error:#})"));
        }
        self.screen.line(&line);
    }
}

/// A number such as `1.23 M`.
pub(super) fn short(number: f64) -> String {
    match number {
        n if n >= 1e9 => format!("{:.2} G", n / 1e9),
        n if n >= 1e6 => format!("{:.2} M", n / 1e6),
        n if n >= 1e3 => format!("{:.1} k", n / 1e3),
        n => format!("{n:.0}"),
    }
}

fn time(seconds: f64) -> String {
    let seconds = seconds.clamp(0.0, 1e9) as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_are_short() {
        assert_eq!([0.0, 999.0, 16_384.0, 1.5e6, 2e9].map(short), ["0", "999", "16.4 k", "1.50 M", "2.00 G"]);
        assert_eq!([5.2, 65.0, 3725.0].map(time), ["0:05", "1:05", "1:02:05"]);
    }
}
