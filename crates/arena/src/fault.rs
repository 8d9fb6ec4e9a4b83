// SPDX-License-Identifier: GPL-3.0-or-later
//! What players do wrong.

use std::fmt;

use rules::Color;

/// A way of losing a game other than on the board.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No answer to `uci`.
    NoHandshake,
    /// No answer to `isready`.
    NotReady,
    /// The move came after the time had run out.
    FlagFall,
    /// The move never came.
    Stall,
    /// The move is against the rules.
    IllegalMove,
    /// What came as a move is none.
    Garbage,
    /// The process ended or closed its pipes.
    Crash,
    /// More output than anybody could want.
    Flood,
}

impl Fault {
    /// The number of faults.
    pub const COUNT: usize = 8;
    /// All faults.
    pub const ALL: [Fault; Fault::COUNT] = [
        Fault::NoHandshake,
        Fault::NotReady,
        Fault::FlagFall,
        Fault::Stall,
        Fault::IllegalMove,
        Fault::Garbage,
        Fault::Crash,
        Fault::Flood,
    ];

    /// Its place in [`Fault::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its name in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Fault::NoHandshake => "no handshake",
            Fault::NotReady => "not ready",
            Fault::FlagFall => "flag fall",
            Fault::Stall => "stall",
            Fault::IllegalMove => "illegal move",
            Fault::Garbage => "garbage",
            Fault::Crash => "crash",
            Fault::Flood => "flood",
        }
    }

    /// The fault of a name.
    pub fn from_name(name: &str) -> Option<Fault> {
        Fault::ALL.into_iter().find(|fault| fault.name() == name)
    }
}

/// The rest of longer words, in characters, is left out.
const LONGEST_WORDS: usize = 80;

/// A fault as it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offence {
    /// What kind of fault it is.
    pub fault: Fault,
    /// What the player does, in words that follow its colour: `plays the illegal move 'e2e5'`.
    pub words: String,
}

impl Offence {
    /// Words may quote the player, who may write at any length and to the terminal: they are cut and cleaned.
    pub(crate) fn new(fault: Fault, words: impl Into<String>) -> Offence {
        let words = words.into();
        let clean = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
        let mut brief: String = words.chars().take(LONGEST_WORDS).map(clean).collect();
        if words.chars().nth(LONGEST_WORDS).is_some() {
            brief.push('…');
        }
        Offence { fault, words: brief }
    }

    /// The whole sentence.
    pub(crate) fn by(&self, color: Color) -> String {
        format!("{color} {}", self.words)
    }
}

/// How often each fault was committed.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultCounts([u32; Fault::COUNT]);

impl FaultCounts {
    /// Counts a fault.
    pub fn add(&mut self, fault: Fault) {
        self.0[fault.index()] += 1;
    }

    /// How often a fault was committed.
    pub fn of(&self, fault: Fault) -> u32 {
        self.0[fault.index()]
    }

    /// All faults together.
    pub fn total(&self) -> u32 {
        self.0.iter().sum()
    }
}

impl fmt::Display for FaultCounts {
    /// The faults that were committed: `crash 2, stall 1`, or `none`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.total() == 0 {
            return f.write_str("none");
        }
        let committed = Fault::ALL.into_iter().filter(|&fault| self.of(fault) > 0);
        for (index, fault) in committed.enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}{} {}", fault.name(), self.of(fault))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_has_its_place_and_name() {
        for (index, fault) in Fault::ALL.into_iter().enumerate() {
            assert_eq!(fault.index(), index);
            assert_eq!(Fault::from_name(fault.name()), Some(fault));
        }
        assert_eq!(Fault::from_name("boredom"), None);
    }

    #[test]
    fn counts_name_what_happened() {
        let mut counts = FaultCounts::default();
        assert_eq!(counts.to_string(), "none");
        counts.add(Fault::Crash);
        counts.add(Fault::Stall);
        counts.add(Fault::Crash);
        assert_eq!(counts.to_string(), "stall 1, crash 2");
        assert_eq!(counts.total(), 3);
    }

    #[test]
    fn quoted_words_are_short_and_harmless() {
        let offence = Offence::new(Fault::Garbage, format!("sends '\x1b[2J\u{7}{}'", "x".repeat(1 << 16)));
        assert!(offence.words.starts_with("sends '\u{fffd}[2J\u{fffd}xxx"), "{}", offence.words);
        assert_eq!(offence.words.chars().count(), LONGEST_WORDS + 1);
        assert_eq!(Offence::new(Fault::Stall, "stalls").words, "stalls");
    }
}
