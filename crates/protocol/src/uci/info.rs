// SPDX-License-Identifier: GPL-3.0-or-later
//! `info …`: what an engine tells about its search.

use std::{fmt, time::Duration};

use super::{ParseReplyError, words::Words};

/// The value of a position for the side to move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Moves to mate; negative when the side to move is mated.
    Mate(i32),
}

/// How a score relates to the true one.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// The score is the true one.
    #[default]
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// One line about a search; every part may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Plies searched.
    pub depth: Option<u32>,
    /// Plies of the longest line searched.
    pub seldepth: Option<u32>,
    /// The rank of this line among the best, from 1.
    pub multipv: Option<u32>,
    /// The score.
    pub score: Option<Score>,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Chances of win, draw and loss in thousandths.
    pub wdl: Option<[u32; 3]>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Thousandths of the hash table in use.
    pub hashfull: Option<u32>,
    /// Positions found in endgame tables.
    pub tbhits: Option<u64>,
    /// Time searched.
    pub time: Option<Duration>,
    /// The root move being searched.
    pub currmove: Option<String>,
    /// The number of the root move being searched, from 1.
    pub currmovenumber: Option<u32>,
    /// The best line found, in UCI notation.
    pub pv: Vec<String>,
    /// Free text; it ends the line.
    pub string: Option<String>,
}

/// The words that begin a field, and so end a list of moves.
const FIELDS: [&str; 17] = [
    "depth",
    "seldepth",
    "multipv",
    "score",
    "lowerbound",
    "upperbound",
    "wdl",
    "nodes",
    "nps",
    "hashfull",
    "tbhits",
    "time",
    "currmove",
    "currmovenumber",
    "pv",
    "string",
    "refutation",
];

impl Info {
    /// A line of free text.
    pub fn text(text: impl Into<String>) -> Info {
        Info { string: Some(text.into()), ..Info::default() }
    }

    /// Reads every field it knows and skips the others.
    pub(super) fn parse(mut words: Words<'_>) -> Result<Info, ParseReplyError> {
        let mut info = Info::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = Some(words.count32("depth")?),
                "seldepth" => info.seldepth = Some(words.count32("seldepth")?),
                "multipv" => info.multipv = Some(words.count32("multipv")?),
                "score" => info.score = Some(Score::parse(&mut words)?),
                "lowerbound" => info.bound = Bound::Lower,
                "upperbound" => info.bound = Bound::Upper,
                "wdl" => {
                    info.wdl = Some([words.count32("wdl")?, words.count32("wdl")?, words.count32("wdl")?]);
                }
                "nodes" => info.nodes = Some(words.count64("nodes")?),
                "nps" => info.nps = Some(words.count64("nps")?),
                "hashfull" => info.hashfull = Some(words.count32("hashfull")?),
                "tbhits" => info.tbhits = Some(words.count64("tbhits")?),
                "time" => info.time = Some(words.time("time")?),
                "currmove" => info.currmove = words.next().map(str::to_owned),
                "currmovenumber" => info.currmovenumber = Some(words.count32("currmovenumber")?),
                "pv" => {
                    info.pv.clear();
                    while let Some(m) = words.peek().filter(|next| !FIELDS.contains(next)) {
                        info.pv.push(m.to_owned());
                        words.next();
                    }
                }
                "string" => {
                    info.string = Some(words.rest().to_owned());
                    break;
                }
                _ => {}
            }
        }
        Ok(info)
    }
}

impl Score {
    fn parse(words: &mut Words<'_>) -> Result<Score, ParseReplyError> {
        match words.next() {
            Some("cp") => Ok(Score::Cp(words.score("cp")?)),
            Some("mate") => Ok(Score::Mate(words.score("mate")?)),
            found => Err(ParseReplyError::expected("'cp' or 'mate'", "score", found)),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Cp(value) => write!(f, "cp {value}"),
            Score::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn field(f: &mut fmt::Formatter<'_>, name: &str, value: Option<impl fmt::Display>) -> fmt::Result {
            value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
        }

        f.write_str("info")?;
        field(f, "depth", self.depth)?;
        field(f, "seldepth", self.seldepth)?;
        field(f, "multipv", self.multipv)?;
        field(f, "score", self.score)?;
        match self.bound {
            Bound::Exact => {}
            Bound::Lower => f.write_str(" lowerbound")?,
            Bound::Upper => f.write_str(" upperbound")?,
        }
        if let Some([win, draw, loss]) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        field(f, "nodes", self.nodes)?;
        field(f, "nps", self.nps)?;
        field(f, "hashfull", self.hashfull)?;
        field(f, "tbhits", self.tbhits)?;
        field(f, "time", self.time.map(|time| time.as_millis()))?;
        field(f, "currmove", self.currmove.as_deref())?;
        field(f, "currmovenumber", self.currmovenumber)?;
        if !self.pv.is_empty() {
            write!(f, " pv {}", self.pv.join(" "))?;
        }
        field(f, "string", self.string.as_deref())
    }
}
