// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue features stats`: how much of a set is active and changes in games.

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

use anyhow::{Context, ensure};
use clap::Args;
use features::chess::{FeatureSet, Statistics, provided};
use formats::pgn::{PgnError, Reader};
use serde_json::json;

use crate::feature_sets;

/// Count active and changed features over games.
#[derive(Args)]
#[command(
    after_help = "All numbers are means for one of the two views. A move that refreshes a view adds and
removes nothing there; 'unseen' counts the indices that no position of the games had, dead ones included."
)]
pub(crate) struct Stats {
    /// A name, an expression, or 'all' for every set that has a name
    #[arg(value_name = "EXPR")]
    set: String,

    /// Games as PGN, plain or compressed
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Stop after this many games
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    games: u64,

    /// Print the numbers as JSON
    #[arg(long)]
    json: bool,
}

/// A set with its numbers so far.
struct Subject {
    name: String,
    set: FeatureSet,
    statistics: Statistics,
}

impl Subject {
    fn new(name: &str, set: FeatureSet) -> Subject {
        Subject { name: name.to_owned(), statistics: Statistics::new(&set), set }
    }
}

impl Stats {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut subjects = if self.set.eq_ignore_ascii_case("all") {
            let named = |name| feature_sets::parse(name).map(|set| Subject::new(name, set));
            provided().iter().map(|provided| named(provided.name)).collect::<anyhow::Result<Vec<_>>>()?
        } else {
            vec![Subject::new(&self.set, feature_sets::parse(&self.set)?)]
        };
        let (mut games, mut refused) = (0, 0);
        for file in &self.files {
            let read = self.add_file(file, &mut subjects, &mut games, &mut refused);
            read.with_context(|| file.display().to_string())?;
        }
        ensure!(games > 0, "no game in {} files, expected at least one", self.files.len());
        if self.json {
            print_json(&subjects, refused)
        } else {
            print_table(&subjects, refused)
        }
        Ok(())
    }

    /// Adds the games of a file; those that cannot be read are counted and left out.
    fn add_file(
        &self,
        file: &Path,
        subjects: &mut [Subject],
        games: &mut u64,
        refused: &mut u64,
    ) -> anyhow::Result<()> {
        let mut reader = Reader::new(formats::open(file)?);
        let shows_progress = io::stderr().is_terminal();
        while *games < self.games {
            let game = match reader.next_game() {
                Ok(Some(game)) => game,
                Ok(None) => break,
                Err(error @ PgnError::Io { .. }) => return Err(error.into()),
                Err(_) => {
                    *refused += 1;
                    continue;
                }
            };
            *games += 1;
            for Subject { set, statistics, .. } in &mut *subjects {
                statistics.add_game(set, &game.start, game.moves.iter().map(|ply| ply.m));
            }
            if shows_progress && games.is_multiple_of(1000) {
                eprint!("\r{games} games");
            }
        }
        if shows_progress {
            eprint!("\r\x1b[K");
        }
        Ok(())
    }
}

fn print_table(subjects: &[Subject], refused: u64) {
    let Some(Subject { statistics: first, .. }) = subjects.first() else { return };
    say!("{} games, {} moves, refused games: {refused}", first.games, first.moves);
    let width = subjects.iter().map(|subject| subject.name.chars().count()).max().unwrap_or(0).max(3);
    say!(
        "{:width$} {:>8} {:>7} {:>5} {:>6} {:>8} {:>13} {:>7} {:>7}",
        "set",
        "features",
        "active",
        "most",
        "added",
        "removed",
        "refresh/move",
        "dead",
        "unseen"
    );
    for Subject { name, set, statistics } in subjects {
        say!(
            "{name:width$} {:>8} {:>7.2} {:>5} {:>6.3} {:>8.3} {:>13.4} {:>7} {:>7}",
            set.size(),
            statistics.mean_active(),
            statistics.most_active,
            statistics.mean_added(),
            statistics.mean_removed(),
            statistics.mean_refreshes(),
            set.dead().len(),
            statistics.never_seen(),
        );
    }
}

fn print_json(subjects: &[Subject], refused: u64) {
    let rows = subjects.iter().map(|Subject { name, set, statistics }| {
        json!({
            "name": name,
            "expression": set.text(),
            "features": set.size(),
            "dead": set.dead().len(),
            "unseen": statistics.never_seen(),
            "games": statistics.games,
            "moves": statistics.moves,
            "active": statistics.mean_active(),
            "most_active": statistics.most_active,
            "added": statistics.mean_added(),
            "removed": statistics.mean_removed(),
            "refreshes_per_move": statistics.mean_refreshes(),
        })
    });
    say!("{:#}", json!({ "refused_games": refused, "sets": rows.collect::<Vec<_>>() }));
}
