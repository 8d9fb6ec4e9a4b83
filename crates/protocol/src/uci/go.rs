// SPDX-License-Identifier: GPL-3.0-or-later
//! `go …`: what to search and for how long.

use std::{fmt, time::Duration};

use super::{ParseCommandError, words::Words};

/// The limits of a search; a `go` without any searches until `stop`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Search only these root moves; empty means all.
    pub search_moves: Vec<String>,
    /// Search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Time left on the clocks, White's first.
    pub time: [Option<Duration>; 2],
    /// Time added per move, White's first.
    pub increment: [Option<Duration>; 2],
    /// Moves to play until the clocks are set again.
    pub moves_to_go: Option<u32>,
    /// Search this many plies.
    pub depth: Option<u32>,
    /// Search this many nodes.
    pub nodes: Option<u64>,
    /// Look for a mate in this many moves.
    pub mate: Option<u32>,
    /// Search for this long.
    pub move_time: Option<Duration>,
    /// Search until `stop`, and answer no earlier.
    pub infinite: bool,
    /// Count the leaves of the move tree to this depth instead of searching.
    pub perft: Option<u32>,
}

/// The words that begin a field, and so end a list of moves.
const FIELDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

impl Go {
    pub(super) fn parse(mut words: Words<'_>) -> Result<Go, ParseCommandError> {
        let mut go = Go::default();
        while let Some(word) = words.next() {
            match word {
                "searchmoves" => {
                    while let Some(m) = words.peek().filter(|next| !FIELDS.contains(next)) {
                        go.search_moves.push(m.to_owned());
                        words.next();
                    }
                    if go.search_moves.is_empty() {
                        return Err(ParseCommandError::Missing {
                            after: "searchmoves",
                            expected: "at least one move",
                        });
                    }
                }
                "ponder" => go.ponder = true,
                "wtime" => go.time[0] = Some(words.time("wtime")?),
                "btime" => go.time[1] = Some(words.time("btime")?),
                "winc" => go.increment[0] = Some(words.time("winc")?),
                "binc" => go.increment[1] = Some(words.time("binc")?),
                "movestogo" => go.moves_to_go = Some(words.count32("movestogo")?),
                "depth" => go.depth = Some(words.count32("depth")?),
                "nodes" => go.nodes = Some(words.count64("nodes")?),
                "mate" => go.mate = Some(words.count32("mate")?),
                "movetime" => go.move_time = Some(words.time("movetime")?),
                "infinite" => go.infinite = true,
                "perft" => go.perft = Some(words.count32("perft")?),
                // Skipping a misspelt limit would start a search that nothing ends.
                _ => {
                    return Err(ParseCommandError::Unexpected {
                        found: word.to_owned(),
                        after: "go",
                        expected: "a limit such as 'depth' or 'movetime'",
                    });
                }
            }
        }
        Ok(go)
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        let times = [
            ("wtime", self.time[0]),
            ("btime", self.time[1]),
            ("winc", self.increment[0]),
            ("binc", self.increment[1]),
            ("movetime", self.move_time),
        ];
        for (name, time) in times {
            if let Some(time) = time {
                write!(f, " {name} {}", time.as_millis())?;
            }
        }
        let counts = [
            ("movestogo", self.moves_to_go.map(u64::from)),
            ("depth", self.depth.map(u64::from)),
            ("nodes", self.nodes),
            ("mate", self.mate.map(u64::from)),
            ("perft", self.perft.map(u64::from)),
        ];
        for (name, count) in counts {
            if let Some(count) = count {
                write!(f, " {name} {count}")?;
            }
        }
        if !self.search_moves.is_empty() {
            write!(f, " searchmoves {}", self.search_moves.join(" "))?;
        }
        Ok(())
    }
}
