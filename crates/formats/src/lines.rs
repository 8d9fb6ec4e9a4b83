// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions as text, one per line, with score and result in any of the usual ways.
//!
//! ```text
//! FEN | 35 | 1.0              score in White's view, result 1.0, 0.5 or 0.0: what bullet's tools read
//! FEN [0.5] 35                the result in brackets, perhaps with a score behind it
//! EPD bm Nf3; ce 35; c9 "1-0";    operations; `ce` is in the mover's view, as the standard wants it
//! FEN                         nothing but the position
//! ```

use std::io::{self, BufRead, Write};

use rules::{Color, Outcome, chess::Board};

use crate::{
    epd::Epd,
    error::{Problem, ReadError},
    pgn::parse_result,
    sample::Sample,
    text::Lines,
};

/// What is written for a score or a result that nobody knows.
const UNKNOWN: &str = "none";

/// Reads positions; a bad line costs itself alone.
#[derive(Debug)]
pub struct Reader<R> {
    lines: Lines<R>,
}

impl<R: BufRead> Reader<R> {
    /// A reader at the beginning of a file.
    pub fn new(input: R) -> Reader<R> {
        Reader { lines: Lines::new(input) }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Sample, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let parsed = match self.lines.next()? {
            Ok(line) => parse(line),
            Err(error) => return Some(Err(error)),
        };
        Some(parsed.map_err(|problem| ReadError::skipped(self.lines.place(), problem)))
    }
}

/// Reads a line.
///
/// # Errors
/// When it begins with no legal position, or what follows is not understood.
pub fn parse(line: &str) -> Result<Sample, Problem> {
    if let Some((fen, rest)) = line.split_once('|') {
        let (score, result) = rest.split_once('|').unwrap_or((rest, UNKNOWN));
        let result = result.split('|').next().unwrap_or(UNKNOWN);
        let board = Board::from_fen(fen.trim())?;
        return Ok(Sample { score: score_of(score)?, outcome: outcome_of(result)?, ..Sample::new(board) });
    }
    if let Some((fen, rest)) = line.split_once('[') {
        let (result, score) = rest.split_once(']').unwrap_or((rest, ""));
        let board = Board::from_fen(fen.trim().trim_end_matches([';', ',']))?;
        return Ok(Sample { score: score_of(score)?, outcome: outcome_of(result)?, ..Sample::new(board) });
    }
    from_epd(line)
}

/// What the operations `ce`, `c9`, `bm`, `sm` and `pv` say.
fn from_epd(line: &str) -> Result<Sample, Problem> {
    let epd = Epd::parse(line)?;
    let mut sample = Sample::new(epd.board);
    if let Some(text) = epd.text("ce") {
        let score = score_of(text)?;
        sample.score = score.map(|score| match epd.board.turn() {
            Color::White => score,
            Color::Black => score.saturating_neg(),
        });
    }
    if let Some(text) = epd.text("c9").or_else(|| epd.text("result")) {
        sample.outcome = outcome_of(text)?;
    }
    if let Some(text) = ["bm", "sm", "pv"].into_iter().find_map(|name| epd.text(name)) {
        sample.played = Some(epd.board.parse_san(text)?);
    }
    Ok(sample)
}

fn score_of(text: &str) -> Result<Option<i16>, Problem> {
    match text.trim() {
        "" | UNKNOWN => Ok(None),
        text => {
            let score =
                text.parse().map_err(|_| Problem::value("score", text, "a whole number of centipawns"))?;
            Ok(Some(score))
        }
    }
}

fn outcome_of(text: &str) -> Result<Option<Outcome>, Problem> {
    let text = text.trim().trim_start_matches('[').trim_end_matches(']').trim();
    match text {
        "" | UNKNOWN => Ok(None),
        "1.0" | "1" => Ok(Some(Outcome::Win(Color::White))),
        "0.5" => Ok(Some(Outcome::Draw)),
        "0.0" | "0" => Ok(Some(Outcome::Win(Color::Black))),
        text => parse_result(text)
            .ok_or_else(|| Problem::value("result", text, "1.0, 0.5, 0.0, 1-0, 1/2-1/2 or 0-1")),
    }
}

/// Writes a position as `FEN | score | result`; what is unknown is `none`. Moves are not written.
///
/// # Errors
/// When the output cannot be written.
pub fn write(output: &mut impl Write, sample: &Sample) -> io::Result<()> {
    let result = match sample.outcome {
        Some(Outcome::Win(Color::White)) => "1.0",
        Some(Outcome::Draw) => "0.5",
        Some(Outcome::Win(Color::Black)) => "0.0",
        None => UNKNOWN,
    };
    match sample.score {
        Some(score) => writeln!(output, "{} | {score} | {result}", sample.board),
        None => writeln!(output, "{} | {UNKNOWN} | {result}", sample.board),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "4k3/8/8/8/8/8/8/4K2R b K - 3 20";

    #[test]
    fn the_usual_ways_to_write_a_score() {
        let read = |rest: &str| {
            let sample = parse(&format!("{FEN} {rest}")).expect(rest);
            (sample.score, sample.outcome)
        };
        let won = Some(Outcome::Win(Color::White));
        assert_eq!(read("| 35 | 1.0"), (Some(35), won));
        assert_eq!(read("|-35|[0.0]"), (Some(-35), Some(Outcome::Win(Color::Black))));
        assert_eq!(read("| none | 1/2-1/2"), (None, Some(Outcome::Draw)));
        assert_eq!(read("| 7"), (Some(7), None));
        assert_eq!(read("[0.5]"), (None, Some(Outcome::Draw)));
        assert_eq!(read("[1.0] 12"), (Some(12), won));
        assert_eq!(read("ce 40; c9 \"1-0\";"), (Some(-40), won));
        assert_eq!(read("c9 \"1/2-1/2\";"), (None, Some(Outcome::Draw)));
        assert_eq!(read(""), (None, None));
        let sample = parse("4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"x\";").expect("a good line");
        assert_eq!(sample.played, sample.board.parse_uci("e1g1").ok());
    }

    #[test]
    fn lines_come_back() {
        for score in [None, Some(-32_000)] {
            for outcome in [None, Some(Outcome::Draw), Some(Outcome::Win(Color::Black))] {
                let sample =
                    Sample { score, outcome, ..Sample::new(Board::from_fen(FEN).expect("a position")) };
                let mut text = Vec::new();
                write(&mut text, &sample).expect("a vector");
                let read: Vec<Sample> =
                    Reader::new(text.as_slice()).map(|line| line.expect("a good line")).collect();
                assert_eq!(read, [sample]);
            }
        }
    }

    #[test]
    fn bad_lines_say_where_and_why() {
        let text = format!("{FEN} | x | 1.0\nnonsense\n{FEN} | 1 | 2-0\n{FEN}\n");
        let errors: Vec<String> =
            Reader::new(text.as_bytes()).filter_map(|line| Some(line.err()?.to_string())).collect();
        assert_eq!(errors.len(), 3);
        assert_eq!(errors[0], "line 1: score x, expected a whole number of centipawns");
        assert!(errors[1].starts_with("line 2: FEN 'nonsense'"), "{}", errors[1]);
        assert_eq!(errors[2], "line 3: result 2-0, expected 1.0, 0.5, 0.0, 1-0, 1/2-1/2 or 0-1");
    }
}
