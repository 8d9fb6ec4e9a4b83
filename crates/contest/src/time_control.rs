// SPDX-License-Identifier: GPL-3.0-or-later
//! Time controls as text and value: `8+0.08`, `40/60+1`, `movetime=0.1`, `nodes=5000`, `depth=9`.

use std::{error::Error, fmt, num::NonZeroU32, str::FromStr, time::Duration};

/// What limits the thinking of one player.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// A clock: `[MOVES/]SECONDS[+INCREMENT]`.
    Clock {
        /// The base time is given again after every so many moves; without it, once for the game.
        moves: Option<NonZeroU32>,
        /// The time on the clock when the game begins.
        base: Duration,
        /// Time added after each move.
        increment: Duration,
    },
    /// So much time for each move, none of it to be saved: `movetime=SECONDS` or `st=SECONDS`.
    MoveTime(Duration),
    /// So many nodes for each move: `nodes=N`.
    Nodes(u64),
    /// So many plies for each move: `depth=N`.
    Depth(u32),
}

/// A text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseTimeControlError {
    /// The text.
    pub text: String,
}

impl fmt::Display for ParseTimeControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.text;
        write!(f, "'{text}' is not a time control, expected [MOVES/]SECONDS[+INCREMENT], ")?;
        write!(f, "movetime=SECONDS, nodes=N or depth=N")
    }
}

impl Error for ParseTimeControlError {}

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, ParseTimeControlError> {
        parse(text).ok_or_else(|| ParseTimeControlError { text: text.to_owned() })
    }
}

fn parse(text: &str) -> Option<TimeControl> {
    if let Some((kind, value)) = text.split_once('=') {
        return match kind {
            "nodes" => value.parse::<u64>().ok().filter(|&nodes| nodes > 0).map(TimeControl::Nodes),
            "depth" => value.parse::<u32>().ok().filter(|&depth| depth > 0).map(TimeControl::Depth),
            "movetime" | "st" => seconds(value).filter(|time| !time.is_zero()).map(TimeControl::MoveTime),
            _ => None,
        };
    }
    let (moves, time) = match text.split_once('/') {
        Some((moves, time)) => (Some(moves.parse::<NonZeroU32>().ok()?), time),
        None => (None, text),
    };
    let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
    let (base, increment) = (seconds(base)?, seconds(increment)?);
    (!base.is_zero()).then_some(TimeControl::Clock { moves, base, increment })
}

/// Seconds with or without decimals, and in no other notation.
fn seconds(text: &str) -> Option<Duration> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number: f64 = text.parse().ok().filter(|_| plain)?;
    Duration::try_from_secs_f64(number).ok()
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::Clock { moves, base, increment } => {
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}", base.as_secs_f64())?;
                if !increment.is_zero() {
                    write!(f, "+{}", increment.as_secs_f64())?;
                }
                Ok(())
            }
            TimeControl::MoveTime(time) => write!(f, "movetime={}", time.as_secs_f64()),
            TimeControl::Nodes(nodes) => write!(f, "nodes={nodes}"),
            TimeControl::Depth(depth) => write!(f, "depth={depth}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(moves: u32, base: u64, increment: u64) -> TimeControl {
        TimeControl::Clock {
            moves: NonZeroU32::new(moves),
            base: Duration::from_millis(base),
            increment: Duration::from_millis(increment),
        }
    }

    #[test]
    fn reads_every_form() {
        let cases = [
            ("8+0.08", clock(0, 8_000, 80)),
            ("60", clock(0, 60_000, 0)),
            ("0.5", clock(0, 500, 0)),
            ("40/60", clock(40, 60_000, 0)),
            ("40/60+1", clock(40, 60_000, 1_000)),
            ("movetime=0.1", TimeControl::MoveTime(Duration::from_millis(100))),
            ("st=2", TimeControl::MoveTime(Duration::from_secs(2))),
            ("nodes=5000", TimeControl::Nodes(5000)),
            ("depth=9", TimeControl::Depth(9)),
        ];
        for (text, expected) in cases {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn reads_back_what_it_writes() {
        for text in ["8+0.08", "60", "0.001", "40/60", "40/60+1", "movetime=0.1", "nodes=5000", "depth=9"] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), text);
        }
    }

    #[test]
    fn refuses_other_text() {
        let wrong = ["", "fast", "0", "-1", "8+", "+0.1", "8+-1", "8++1", "1e3", "inf", "nan", "."];
        let sessions = ["0/60", "/60", "40/", "x/60", "40/60/5"];
        let limits = ["nodes=0", "nodes=", "nodes=many", "depth=-1", "movetime=0", "hours=1"];
        for text in wrong.into_iter().chain(sessions).chain(limits) {
            let found = text.parse::<TimeControl>();
            assert_eq!(found, Err(ParseTimeControlError { text: text.to_owned() }), "{text}");
        }
    }

    #[test]
    fn the_error_names_the_text() {
        let error = "fast".parse::<TimeControl>().unwrap_err().to_string();
        assert!(error.starts_with("'fast' is not a time control, expected "), "{error}");
    }
}
