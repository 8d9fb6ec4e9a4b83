// SPDX-License-Identifier: GPL-3.0-or-later
//! Stockfish's training data as text: a few lines per position, `e` ends each.
//!
//! ```text
//! fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
//! move e2e4
//! score 35
//! ply 0
//! result 1
//! e
//! ```
//!
//! Score and result are in the view of the side to move; the result is 1, 0 or -1.

use std::io::{self, BufRead, Write};

use rules::{Color, Outcome, chess::Board};

use crate::{
    error::{Place, Problem, ReadError},
    sample::Sample,
    text::Lines,
};

/// Reads positions; a bad one costs itself alone.
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

    /// The next position. Lines are read up to the next `e` even if one of them is wrong.
    fn next(&mut self) -> Option<Self::Item> {
        let mut entry = Entry::default();
        let mut refused = None;
        let mut begun = false;
        loop {
            let taken = match self.lines.next() {
                None if !begun => return None,
                None => {
                    let cut = ReadError::fatal(self.lines.place(), Problem::Cut("a position"));
                    return Some(Err(refused.unwrap_or(cut)));
                }
                Some(Ok("e")) => break,
                Some(Ok(line)) => entry.take(line),
                Some(Err(error)) if error.is_fatal() => return Some(Err(error)),
                Some(Err(error)) => {
                    refused.get_or_insert(error);
                    Ok(())
                }
            };
            begun = true;
            if let Err(problem) = taken {
                refused.get_or_insert(ReadError::skipped(self.lines.place(), problem));
            }
        }
        let place: Place = self.lines.place();
        Some(match refused {
            Some(error) => Err(error),
            None => entry.finish().map_err(|problem| ReadError::skipped(place, problem)),
        })
    }
}

/// The lines of a position so far.
#[derive(Debug, Default)]
struct Entry {
    board: Option<Board>,
    played: Option<String>,
    score: Option<i16>,
    result: Option<i8>,
}

impl Entry {
    fn take(&mut self, line: &str) -> Result<(), Problem> {
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        let value = value.trim();
        match key {
            "fen" => self.board = Some(Board::from_fen(value)?),
            "move" => self.played = Some(value.to_owned()),
            "score" => {
                let score = value.parse().map_err(|_| Problem::value("score", value, "a whole number"))?;
                self.score = Some(score);
            }
            "ply" => {}
            "result" => {
                let result = value.parse().ok().filter(|result| (-1..=1).contains(result));
                self.result = Some(result.ok_or_else(|| Problem::value("result", value, "-1, 0 or 1"))?);
            }
            _ => return Err(Problem::value("line", line, "fen, move, score, ply, result or e")),
        }
        Ok(())
    }

    fn finish(self) -> Result<Sample, Problem> {
        let board =
            self.board.ok_or(Problem::value("position", "without a FEN", "a line that begins with fen"))?;
        let mut sample = Sample::new(board);
        sample.played = self.played.map(|text| board.parse_uci(&text)).transpose()?;
        let black = board.turn() == Color::Black;
        sample.score = self.score.map(|score| if black { score.saturating_neg() } else { score });
        sample.outcome = self.result.map(|result| match result {
            0 => Outcome::Draw,
            1 => Outcome::Win(board.turn()),
            _ => Outcome::Win(!board.turn()),
        });
        Ok(sample)
    }
}

/// Writes a position; what is unknown has no line.
///
/// # Errors
/// When the output cannot be written.
pub fn write(output: &mut impl Write, sample: &Sample) -> io::Result<()> {
    let board = &sample.board;
    let black = board.turn() == Color::Black;
    writeln!(output, "fen {board}")?;
    if let Some(m) = sample.played {
        writeln!(output, "move {}", m.to_uci(false))?;
    }
    if let Some(score) = sample.score {
        writeln!(output, "score {}", if black { score.saturating_neg() } else { score })?;
    }
    writeln!(output, "ply {}", (u32::from(board.fullmoves()) - 1) * 2 + u32::from(black))?;
    if let Some(outcome) = sample.outcome {
        let result = match outcome {
            Outcome::Draw => 0,
            Outcome::Win(winner) if winner == board.turn() => 1,
            Outcome::Win(_) => -1,
        };
        writeln!(output, "result {result}")?;
    }
    writeln!(output, "e")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_come_back_in_whites_view() {
        let board = Board::from_fen("4k3/4p3/8/8/8/8/8/4K2R b K - 3 20").expect("a position");
        let sample = Sample {
            score: Some(-250),
            outcome: Some(Outcome::Win(Color::Black)),
            played: board.parse_uci("e7e5").ok(),
            ..Sample::new(board)
        };
        let mut text = Vec::new();
        write(&mut text, &sample).expect("a vector");
        write(&mut text, &Sample::new(board)).expect("a vector");
        let lines = "move e7e5\nscore 250\nply 39\nresult 1\ne\n";
        assert_eq!(
            String::from_utf8(text.clone())
                .expect("text")
                .split_once('\n')
                .map(|(_, rest)| rest.starts_with(lines)),
            Some(true)
        );
        let read: Vec<Sample> =
            Reader::new(text.as_slice()).map(|entry| entry.expect("a good entry")).collect();
        assert_eq!(read, [sample, Sample::new(board)]);
    }

    #[test]
    fn a_bad_position_costs_itself_alone() {
        let good = "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\nmove e1g1\ne\n";
        let text = format!(
            "{good}fen x\nscore 1\ne\n{good}fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\nresult 2\ne\nscore 1\ne\n{good}fen"
        );
        let read: Vec<Result<Sample, String>> =
            Reader::new(text.as_bytes()).map(|entry| entry.map_err(|error| error.to_string())).collect();
        assert_eq!(read.iter().filter(|entry| entry.is_ok()).count(), 3);
        let errors: Vec<&String> = read.iter().filter_map(|entry| entry.as_ref().err()).collect();
        assert!(errors[0].starts_with("line 4: FEN 'x'"), "{}", errors[0]);
        assert_eq!(errors[1], "line 11: result 2, expected -1, 0 or 1");
        assert_eq!(errors[2], "line 14: position without a FEN, expected a line that begins with fen");
        assert_eq!(errors.len(), 4);
    }
}
