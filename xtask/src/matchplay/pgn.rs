// SPDX-License-Identifier: GPL-3.0-or-later
//! Writing finished games as PGN, one flush per game so that nothing is lost when a match is broken off.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
};

use anyhow::Context;
use rules::{Color, Outcome, chess::Board};

use super::{game::GameRecord, tally::Fault};

const LINE_WIDTH: usize = 80;

/// An open PGN file.
pub(crate) struct PgnFile(BufWriter<File>);

/// What the tags of a game say besides the game itself.
pub(crate) struct Tags<'a> {
    /// Number of the game in the match.
    pub(crate) round: usize,
    /// Names of White and Black.
    pub(crate) names: [&'a str; 2],
    /// The time control.
    pub(crate) time_control: String,
    /// Whether the match is played by Chess960 rules.
    pub(crate) chess960: bool,
}

impl PgnFile {
    /// Creates the file, replacing an earlier one.
    pub(crate) fn create(path: &Path) -> anyhow::Result<PgnFile> {
        let file = File::create(path).with_context(|| format!("creating {}", path.display()))?;
        Ok(PgnFile(BufWriter::new(file)))
    }

    /// Appends a game.
    pub(crate) fn write(&mut self, tags: &Tags<'_>, record: &GameRecord) -> anyhow::Result<()> {
        self.0.write_all(format_game(tags, record).as_bytes()).context("writing PGN")?;
        self.0.flush().context("writing PGN")
    }
}

/// `1-0`, `0-1` or `1/2-1/2`.
pub(crate) fn result_text(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Color::White) => "1-0",
        Outcome::Win(Color::Black) => "0-1",
        Outcome::Draw => "1/2-1/2",
    }
}

pub(super) fn format_game(tags: &Tags<'_>, record: &GameRecord) -> String {
    let result = result_text(record.outcome);
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    };
    tag("Event", "Engine match");
    tag("Site", "?");
    tag("Date", "????.??.??");
    tag("Round", &tags.round.to_string());
    tag("White", tags.names[0]);
    tag("Black", tags.names[1]);
    tag("Result", result);
    if tags.chess960 {
        tag("Variant", "Chess960");
    }
    if tags.chess960 || record.opening != Board::start() {
        tag("SetUp", "1");
        tag("FEN", &record.opening.to_string());
    }
    tag("TimeControl", &tags.time_control);
    tag("PlyCount", &record.moves.len().to_string());
    tag("Termination", termination(record));
    text.push('\n');

    let mut width = 0;
    let mut put = |token: &str| {
        if width > 0 && width + 1 + token.len() > LINE_WIDTH {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(token);
        width += token.len();
    };
    let mut board = record.opening;
    for (index, made) in record.moves.iter().enumerate() {
        match board.turn() {
            Color::White => put(&format!("{}.", board.fullmoves())),
            Color::Black if index == 0 => put(&format!("{}...", board.fullmoves())),
            Color::Black => {}
        }
        put(&board.to_san(made.m));
        let seconds = made.elapsed.as_secs_f64();
        match made.opinion {
            Some(opinion) => put(&format!("{{{opinion} {seconds:.3}s}}")),
            None => put(&format!("{{{seconds:.3}s}}")),
        }
        board.play(made.m);
    }
    put(&format!("{{{}}}", record.reason));
    put(result);
    text.push_str("\n\n");
    text
}

fn termination(record: &GameRecord) -> &'static str {
    match record.fault {
        Some(Fault::Late | Fault::Stall) => "time forfeit",
        Some(Fault::Illegal) => "rules infraction",
        Some(Fault::Crash) => "abandoned",
        None if record.adjudicated => "adjudication",
        None => "normal",
    }
}
