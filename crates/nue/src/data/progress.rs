// SPDX-License-Identifier: GPL-3.0-or-later
//! A bar with rate and time left, and what is skipped as it happens.

use std::{
    io::{self, Write},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use data::{Counts, Source};
use indicatif::{ProgressBar, ProgressStyle};

/// The bar is drawn anew after this time.
const INTERVAL: Duration = Duration::from_millis(100);

/// The course of some work on standard error.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Bytes read, where these are the measure; games otherwise.
    bytes: Option<Arc<AtomicU64>>,
    begun: Instant,
    drawn: Option<Instant>,
    /// What an interrupted run had done.
    first: Counts,
    examples: usize,
}

impl Progress {
    /// Work that ends with its input.
    pub(crate) fn of_bytes(source: &Source) -> Progress {
        let template =
            "{elapsed_precise} [{bar:30}] {binary_bytes} of {binary_total_bytes}, {eta} left: {msg}";
        Progress::new(source.bytes(), Some(source.bytes_read()), template)
    }

    /// Work of so many games.
    pub(crate) fn of_games(games: u64) -> Progress {
        Progress::new(games, None, "{elapsed_precise} [{bar:30}] {pos} of {len} games, {eta} left: {msg}")
    }

    fn new(total: u64, bytes: Option<Arc<AtomicU64>>, template: &str) -> Progress {
        let style = ProgressStyle::with_template(template).expect("a good template");
        let bar = ProgressBar::new(total).with_style(style.progress_chars("=> "));
        let (begun, drawn) = (Instant::now(), None);
        Progress { bar, bytes, begun, drawn, first: Counts::default(), examples: 0 }
    }

    /// Shows how far the work is.
    pub(crate) fn show(&mut self, counts: &Counts) {
        if self.drawn.is_none() {
            self.begin(counts);
        }
        for example in &counts.examples[self.examples.min(counts.examples.len())..] {
            self.say(&format!("skipped: {example}"));
        }
        self.examples = counts.examples.len();
        if self.drawn.is_some_and(|drawn| drawn.elapsed() < INTERVAL) {
            return;
        }
        self.drawn = Some(Instant::now());
        let position = self
            .bytes
            .as_ref()
            .map_or(counts.games + counts.all_skipped_games(), |bytes| bytes.load(Relaxed));
        self.bar.set_position(position);
        let done = counts.positions - self.first.positions;
        let rate = done as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        let skipped = counts.all_skipped_games() + counts.all_skipped_positions();
        self.bar.set_message(format!(
            "games {} positions {} ({rate:.0}/s) skipped {skipped}",
            counts.games, counts.positions
        ));
    }

    fn begin(&mut self, counts: &Counts) {
        self.begun = Instant::now();
        self.examples = counts.examples.len();
        if *counts != Counts::default() {
            self.say(&format!("going on after {counts}"));
            if self.bytes.is_none() {
                // The time left is guessed from what this run does.
                self.bar.set_position(counts.games + counts.all_skipped_games());
                self.bar.reset_eta();
            }
        }
        self.first = counts.clone();
    }

    /// A line that stays above the bar.
    fn say(&self, line: &str) {
        if self.bar.is_hidden() {
            let _ = writeln!(io::stderr(), "{line}");
        } else {
            self.bar.println(line);
        }
    }

    /// Takes the bar away.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }

    /// Whether there was anything to do.
    pub(crate) fn was_shown(&self) -> bool {
        self.drawn.is_some()
    }

    /// What an interrupted run had done.
    pub(crate) fn first(&self) -> &Counts {
        &self.first
    }
}
