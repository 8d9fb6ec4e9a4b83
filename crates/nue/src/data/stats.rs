// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue data stats`: what a data set looks like, as a table and as a picture.

use std::{fmt::Write as _, path::PathBuf};

use clap::Args;
use data::{
    Source,
    stats::{Activity, PLY_STEP, SCORE_STEP, Stats as Numbers},
};
use features::chess::{FeatureSet, provided};
use rules::Color;
use serde_json::{Value, json};

use super::{
    common::{Inputs, Work},
    progress::Progress,
    stats_plot,
};
use crate::feature_sets;

/// Count what is in files: results, scores, plies, pieces, king squares, features.
#[derive(Args)]
#[command(after_help = "Examples:
  nue data stats games.vf
  nue data stats quiet.nsam --features HalfKP --features Piece --plot quiet.svg

Feature sets are named or written as for `nue features`; 'all' stands for every set with a name.")]
pub(crate) struct Stats {
    #[command(flatten)]
    inputs: Inputs,

    /// A feature set whose activity is counted
    #[arg(long, value_name = "EXPR")]
    features: Vec<String>,

    /// Draw the histograms into this file, .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    work: Work,
}

impl Stats {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if let Some(plot) = &self.plot {
            plot::Format::of(plot)?;
        }
        let source = Source::open(&self.inputs.files)?;
        let mut progress = Progress::of_bytes(&source);
        let sets = self.sets()?;
        let numbers = Numbers::of(&source, &sets, self.work.effort(), &mut |counts| progress.show(counts));
        progress.end();
        let numbers = numbers?;
        if let Some(plot) = &self.plot {
            stats_plot::draw(plot, &numbers)?;
        }
        if self.work.json {
            say!("{:#}", to_json(&numbers));
        } else {
            say!("{}{}", table(&numbers), numbers.counts);
        }
        Ok(())
    }

    fn sets(&self) -> anyhow::Result<Vec<(String, FeatureSet)>> {
        let named = |name: &str| Ok((name.to_owned(), feature_sets::parse(name)?));
        let all = |name: &String| match name.as_str() {
            "all" => provided().iter().map(|set| set.name.to_owned()).collect(),
            _ => vec![name.clone()],
        };
        self.features.iter().flat_map(all).map(|name| named(&name)).collect()
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Everything, as text.
fn table(numbers: &Numbers) -> String {
    let positions = numbers.counts.positions;
    let mut text = String::new();
    let mut row = |name: &str, count: u64| {
        let _ = writeln!(text, "{name:<22}{count:>14}  {:>5.1} %", percent(count, positions));
    };
    row("positions", positions);
    for (name, count) in ["white won", "drawn", "black won", "no result"].into_iter().zip(numbers.results) {
        row(name, count);
    }
    row("white to move", numbers.white_to_move);
    row("in check", numbers.in_check);
    row("capture or promotion", numbers.loud);
    row("with score", numbers.scored);
    if numbers.score_count > 0 {
        let mean = numbers.score_sum as f64 / numbers.score_count as f64;
        let _ = writeln!(text, "{:<22}{mean:>14.1}", "mean absolute score");
    }
    if numbers.counts.games > 0 {
        let mean = positions as f64 / numbers.counts.games as f64;
        let _ = writeln!(text, "{:<22}{mean:>14.1}", "positions per game");
    }
    for (name, histogram, label) in [
        ("score for White, centipawns from", &numbers.scores.0, score_label as fn(usize) -> String),
        ("half-moves from", &numbers.plies.0, |column| (column as u32 * PLY_STEP).to_string()),
        ("pieces from", &numbers.pieces.0, |column| column.to_string()),
    ] {
        text.push_str(&bars(name, histogram, label));
    }
    for color in Color::ALL {
        text.push_str(&kings(color, &numbers.kings[color.index()].0));
    }
    text.push_str(&activities(&numbers.features));
    text
}

/// Where a column begins; the first reaches down to the lowest score.
fn score_label(column: usize) -> String {
    (Numbers::score_of(column) - SCORE_STEP / 2).to_string()
}

/// A histogram lying on its side; empty ends are left out, and long ones are made shorter.
fn bars(name: &str, columns: &[u64], label: fn(usize) -> String) -> String {
    const ROWS: usize = 21;
    let (Some(first), Some(last)) =
        (columns.iter().position(|&count| count > 0), columns.iter().rposition(|&count| count > 0))
    else {
        return String::new();
    };
    let step = (last - first + 1).div_ceil(ROWS);
    let sums: Vec<(String, u64)> = (first..=last)
        .step_by(step)
        .map(|at| (label(at), columns[at..(at + step).min(last + 1)].iter().sum()))
        .collect();
    let (total, most) = (columns.iter().sum(), sums.iter().map(|(_, sum)| *sum).max().unwrap_or(1));
    let mut text = format!("\n{name}\n");
    for (label, sum) in sums {
        let length = (40 * sum).div_ceil(most.max(1)) as usize;
        let _ =
            writeln!(text, "{label:>8} {sum:>12}  {:>5.1} %  {}", percent(sum, total), "#".repeat(length));
    }
    text
}

/// Where a king stands, in permille, as its side sees the board.
fn kings(color: Color, squares: &[u64]) -> String {
    let total = squares.iter().sum::<u64>().max(1);
    let mut text = format!("\n{color} king, permille by square as {color} sees the board\n");
    for rank in (0..8).rev() {
        let _ = write!(text, "{} ", rank + 1);
        for file in 0..8 {
            let _ = write!(text, "{:>5}", (1000 * squares[8 * rank + file] + total / 2) / total);
        }
        text.push('\n');
    }
    text + "      a    b    c    d    e    f    g    h\n"
}

fn activities(activities: &[Activity]) -> String {
    if activities.is_empty() {
        return String::new();
    }
    let width = activities.iter().map(|activity| activity.name.chars().count()).max().unwrap_or(0).max(12);
    let mut text = format!(
        "\n{:width$} {:>9} {:>8} {:>9} {:>14}\n",
        "feature set", "features", "active", "unseen", "most frequent"
    );
    for activity in activities {
        let most = activity.hits.iter().max().copied().unwrap_or(0);
        let _ = writeln!(
            text,
            "{:width$} {:>9} {:>8.2} {:>9} {:>12.1} %",
            activity.name,
            activity.hits.len(),
            activity.mean_active(),
            activity.unseen(),
            percent(most, activity.views),
        );
    }
    text
}

fn to_json(numbers: &Numbers) -> Value {
    let features = numbers.features.iter().map(|activity| {
        json!({
            "name": activity.name,
            "features": activity.hits.len(),
            "active": activity.mean_active(),
            "unseen": activity.unseen(),
        })
    });
    json!({
        "counts": numbers.counts.to_json(),
        "results": { "white": numbers.results[0], "draw": numbers.results[1], "black": numbers.results[2], "unknown": numbers.results[3] },
        "white_to_move": numbers.white_to_move,
        "in_check": numbers.in_check,
        "loud": numbers.loud,
        "scored": numbers.scored,
        "score_step": SCORE_STEP,
        "scores": numbers.scores.0,
        "ply_step": PLY_STEP,
        "plies": numbers.plies.0,
        "pieces": numbers.pieces.0,
        "kings": { "white": numbers.kings[0].0, "black": numbers.kings[1].0 },
        "features": features.collect::<Vec<_>>(),
    })
}
