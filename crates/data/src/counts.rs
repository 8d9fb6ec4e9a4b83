// SPDX-License-Identifier: GPL-3.0-or-later
//! What became of the input: how much was used, how much was left out and why.
//!
//! Counts are sums, so that those of many pieces of work add up to those of the whole, and they pass through
//! the state file, so that those of an interrupted run are not lost.

use std::{collections::BTreeMap, fmt};

use formats::ReadError;
use serde_json::{Map, Value, json};

/// As many damaged places are named; the others are only counted.
const EXAMPLES: usize = 20;

/// The reason of everything that cannot be read.
pub const DAMAGED: &str = "damaged";

/// Numbers by name.
pub type Tally = BTreeMap<String, u64>;

/// Games and positions, used and left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Games that were used.
    pub games: u64,
    /// Positions that were written.
    pub positions: u64,
    /// Games that were left out, by reason.
    pub skipped_games: Tally,
    /// Positions that were left out, by reason.
    pub skipped_positions: Tally,
    /// What else there is to know about the work, such as results.
    pub tallies: Tally,
    /// The first damaged places: file, line or byte, and what is wrong.
    pub examples: Vec<String>,
}

fn add(tally: &mut Tally, name: &str, count: u64) {
    match tally.get_mut(name) {
        Some(sum) => *sum += count,
        None if count == 0 => {}
        None => {
            tally.insert(name.to_owned(), count);
        }
    }
}

impl Counts {
    /// Leaves out a game.
    pub fn skip_game(&mut self, reason: &str) {
        add(&mut self.skipped_games, reason, 1);
    }

    /// Leaves out games.
    pub fn skip_games(&mut self, reason: &str, count: u64) {
        add(&mut self.skipped_games, reason, count);
    }

    /// Leaves out a position.
    pub fn skip_position(&mut self, reason: &str) {
        add(&mut self.skipped_positions, reason, 1);
    }

    /// Leaves out positions.
    pub fn skip_positions(&mut self, reason: &str, count: u64) {
        add(&mut self.skipped_positions, reason, count);
    }

    /// Leaves out a game that cannot be read.
    pub fn damaged_game(&mut self, error: &ReadError) {
        self.skip_game(DAMAGED);
        self.example(error.to_string());
    }

    /// Leaves out a position that cannot be read.
    pub fn damaged_position(&mut self, error: &ReadError) {
        self.skip_position(DAMAGED);
        self.example(error.to_string());
    }

    /// Keeps what went wrong, as long as there is room.
    pub fn example(&mut self, text: String) {
        if self.examples.len() < EXAMPLES {
            self.examples.push(text);
        }
    }

    /// Counts something else.
    pub fn tally(&mut self, name: &str, count: u64) {
        add(&mut self.tallies, name, count);
    }

    /// Adds the counts of another piece of work, which comes later in the input.
    pub fn merge(&mut self, other: &Counts) {
        self.games += other.games;
        self.positions += other.positions;
        for (sum, part) in [
            (&mut self.skipped_games, &other.skipped_games),
            (&mut self.skipped_positions, &other.skipped_positions),
            (&mut self.tallies, &other.tallies),
        ] {
            part.iter().for_each(|(name, count)| add(sum, name, *count));
        }
        other.examples.iter().for_each(|example| self.example(example.clone()));
    }

    /// All games that were left out.
    pub fn all_skipped_games(&self) -> u64 {
        self.skipped_games.values().sum()
    }

    /// All positions that were left out.
    pub fn all_skipped_positions(&self) -> u64 {
        self.skipped_positions.values().sum()
    }

    /// All that could not be read.
    pub fn all_damaged(&self) -> u64 {
        let damaged = |tally: &Tally| tally.get(DAMAGED).copied().unwrap_or(0);
        damaged(&self.skipped_games) + damaged(&self.skipped_positions)
    }

    /// The counts as they stand in state files, manifests and results.
    pub fn to_json(&self) -> Value {
        json!({
            "games": self.games,
            "positions": self.positions,
            "skipped_games": self.skipped_games,
            "skipped_positions": self.skipped_positions,
            "tallies": self.tallies,
            "examples": self.examples,
        })
    }

    /// The counts that [`Counts::to_json`] wrote.
    pub fn from_json(value: &Value) -> Option<Counts> {
        let tally = |name: &str| -> Option<Tally> {
            let map: &Map<String, Value> = value[name].as_object()?;
            map.iter().map(|(name, count)| Some((name.clone(), count.as_u64()?))).collect()
        };
        let examples = value["examples"].as_array()?;
        Some(Counts {
            games: value["games"].as_u64()?,
            positions: value["positions"].as_u64()?,
            skipped_games: tally("skipped_games")?,
            skipped_positions: tally("skipped_positions")?,
            tallies: tally("tallies")?,
            examples: examples.iter().map(|text| Some(text.as_str()?.to_owned())).collect::<Option<_>>()?,
        })
    }
}

impl fmt::Display for Counts {
    /// `games 99 positions 870 skipped 1 games (damaged 1), 20 positions (duplicate 20)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "games {} positions {} skipped ", self.games, self.positions)?;
        let tallies = [(&self.skipped_games, "games"), (&self.skipped_positions, "positions")];
        let parts: Vec<String> = tallies
            .into_iter()
            .filter(|(tally, _)| !tally.is_empty())
            .map(|(tally, what)| {
                let reasons: Vec<String> =
                    tally.iter().map(|(name, count)| format!("{name} {count}")).collect();
                format!("{} {what} ({})", tally.values().sum::<u64>(), reasons.join(", "))
            })
            .collect();
        f.write_str(&if parts.is_empty() { "0".to_owned() } else { parts.join(", ") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Counts {
        let mut counts = Counts { games: 3, positions: 30, ..Counts::default() };
        counts.skip_game("rating");
        counts.skip_positions("duplicate", 4);
        counts.tally("white wins", 2);
        counts.example("x.pgn, line 3: bad".to_owned());
        counts
    }

    #[test]
    fn parts_add_up() {
        let mut sum = Counts::default();
        (0..30).for_each(|_| sum.merge(&some()));
        assert_eq!((sum.games, sum.positions), (90, 900));
        assert_eq!((sum.all_skipped_games(), sum.all_skipped_positions()), (30, 120));
        assert_eq!(sum.tallies["white wins"], 60);
        assert_eq!(sum.examples.len(), EXAMPLES);
    }

    #[test]
    fn json_gives_the_counts_back() {
        assert_eq!(Counts::from_json(&some().to_json()), Some(some()));
        assert_eq!(Counts::from_json(&json!({ "games": 1 })), None);
    }

    #[test]
    fn one_line_says_it_all() {
        let text = "games 3 positions 30 skipped 1 games (rating 1), 4 positions (duplicate 4)";
        assert_eq!(some().to_string(), text);
        assert_eq!(Counts::default().to_string(), "games 0 positions 0 skipped 0");
    }
}
