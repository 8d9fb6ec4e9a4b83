// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue data show`: positions as people see them.

use std::io::{self, Write};

use clap::Args;
use data::{Source, source::Grain};
use formats::{pgn::result_text, sample::Sample};
use serde_json::{Value, json};

use super::common::{Inputs, note};

/// Draw positions with everything a file says about them.
#[derive(Args)]
#[command(after_help = "Examples:
  nue data show quiet.nsam
  nue data show games.vf.zst --skip 1000 --count 20 --brief")]
pub(crate) struct Show {
    #[command(flatten)]
    inputs: Inputs,

    /// Pass over so many positions
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: usize,

    /// Show so many positions
    #[arg(long, value_name = "N", default_value_t = 3)]
    count: usize,

    /// One line for each position instead of a diagram
    #[arg(long)]
    brief: bool,

    /// Print JSON, one object on each line
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let source = Source::open(&self.inputs.files)?;
        let (mut number, end) = (0, self.skip.saturating_add(self.count));
        let mut out = io::stdout().lock();
        for raw in source.pieces(Grain { bytes: 1 << 14, records: 256 }) {
            let batch = raw.decode()?;
            for error in &batch.errors {
                note(&format!("skipped: {error}"));
            }
            let of_games = batch.games.iter().flat_map(|game| game.samples());
            for sample in of_games.chain(batch.samples.iter().copied()) {
                number += 1;
                if number > end {
                    return Ok(());
                }
                if number <= self.skip {
                    continue;
                }
                let text = if self.json {
                    fields(&sample).to_string()
                } else if self.brief {
                    brief(&sample)
                } else {
                    format!("position {number}\n{}{}", sample.board.diagram(), long(&sample))
                };
                if writeln!(out, "{text}").is_err() {
                    return Ok(()); // nobody reads any more
                }
            }
        }
        Ok(())
    }
}

/// The move as people write it.
fn san(sample: &Sample, m: Option<rules::chess::Move>) -> Option<String> {
    m.map(|m| sample.board.to_san(m))
}

/// Names and values of everything that is known.
fn known(sample: &Sample) -> Vec<(&'static str, String)> {
    let context = &sample.context;
    let number = |number: Option<u16>| number.map(|number| number.to_string());
    let seconds = |number: Option<u16>| number.map(|number| format!("{number} s"));
    let all = [
        ("Score", sample.score.map(|score| format!("{:+.2}", f64::from(score) / 100.0))),
        ("Result", sample.outcome.map(|outcome| result_text(Some(outcome)).to_owned())),
        ("Move", san(sample, sample.played)),
        ("Other", san(sample, sample.other)),
        ("White", number(context.white_rating)),
        ("Black", number(context.black_rating)),
        ("Clock", seconds(context.clock)),
        ("Opponent", seconds(context.opponent_clock)),
        ("Base", seconds(context.base)),
        ("Increment", seconds(context.increment)),
    ];
    all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

fn long(sample: &Sample) -> String {
    let ply = data::ply(&sample.board);
    let mut text = format!("Ply:      {ply}\n");
    for (name, value) in known(sample) {
        text.push_str(&format!("{:<10}{value}\n", format!("{name}:")));
    }
    text
}

fn brief(sample: &Sample) -> String {
    let mut parts = vec![sample.board.to_string()];
    parts.extend(known(sample).into_iter().map(|(name, value)| format!("{} {value}", name.to_lowercase())));
    parts.join(" | ")
}

fn fields(sample: &Sample) -> Value {
    let context = &sample.context;
    json!({
        "fen": sample.board.to_string(),
        "ply": data::ply(&sample.board),
        "score": sample.score,
        "result": sample.outcome.map(|outcome| result_text(Some(outcome))),
        "move": sample.played.map(|m| m.to_uci(false)),
        "other": sample.other.map(|m| m.to_uci(false)),
        "white_rating": context.white_rating,
        "black_rating": context.black_rating,
        "clock": context.clock,
        "opponent_clock": context.opponent_clock,
        "base": context.base,
        "increment": context.increment,
    })
}
