// SPDX-License-Identifier: GPL-3.0-or-later
//! `log.csv`: one line per round.

use std::fmt;

use super::{Folder, FolderError, Rating};

/// A line of the log.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Entry {
    /// The number of the round, from 1.
    pub round: u64,
    /// Steps done.
    pub steps: u64,
    /// Positions seen.
    pub positions: u64,
    /// The mean loss of the round.
    pub loss: f64,
    /// The mean loss over the positions to check with.
    pub validation: Option<f64>,
    /// The learning rate.
    pub rate: f64,
    /// The share of the score.
    pub lambda: f64,
    /// Seconds of all rounds.
    pub seconds: f64,
    /// Positions per second of the round.
    pub speed: f64,
    /// What games after the round said.
    pub elo: Option<Rating>,
}

const NAME: &str = "log.csv";
const HEADER: &str =
    "round,steps,positions,loss,validation,rate,lambda,seconds,positions_per_second,elo,elo_error\n";

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Entry { round, steps, positions, loss, validation, rate, lambda, seconds, speed, elo } = self;
        let validation = validation.map_or_else(String::new, |loss| format!("{loss:.8}"));
        write!(f, "{round},{steps},{positions},{loss:.8},{validation},{rate:.8},{lambda:.4},")?;
        write!(f, "{seconds:.1},{speed:.0},")?;
        match elo {
            Some(Rating { elo, error: Some(error) }) => write!(f, "{elo:.2},{error:.2}"),
            Some(Rating { elo, error: None }) => write!(f, "{elo:.2},"),
            None => f.write_str(","),
        }
    }
}

impl Entry {
    fn parse(line: &str) -> Option<Entry> {
        let mut cells = line.split(',');
        let mut next = || cells.next();
        Some(Entry {
            round: next()?.parse().ok()?,
            steps: next()?.parse().ok()?,
            positions: next()?.parse().ok()?,
            loss: next()?.parse().ok()?,
            validation: match next()? {
                "" => None,
                cell => Some(cell.parse().ok()?),
            },
            rate: next()?.parse().ok()?,
            lambda: next()?.parse().ok()?,
            seconds: next()?.parse().ok()?,
            speed: next()?.parse().ok()?,
            elo: match (next()?, next()?) {
                ("", "") => None,
                (elo, error) => Some(Rating { elo: elo.parse().ok()?, error: error.parse().ok() }),
            },
        })
    }
}

/// All lines of a run's log; lines that cannot be read are passed over.
pub fn read(folder: &Folder) -> Result<Vec<Entry>, FolderError> {
    let text = if folder.has(NAME) { folder.read(NAME)? } else { String::new() };
    Ok(text.lines().filter_map(Entry::parse).collect())
}

pub(super) fn append(folder: &Folder, entry: &Entry) -> Result<(), FolderError> {
    let mut entries = read(folder)?;
    entries.push(*entry);
    write(folder, &entries)
}

/// Writes the last line anew.
pub(super) fn amend(folder: &Folder, entry: &Entry) -> Result<(), FolderError> {
    let mut entries = read(folder)?;
    entries.pop();
    entries.push(*entry);
    write(folder, &entries)
}

/// Drops lines after a number of steps, which will come again.
pub(super) fn truncate(folder: &Folder, steps: u64) -> Result<(), FolderError> {
    let mut entries = read(folder)?;
    entries.retain(|entry| entry.steps <= steps);
    write(folder, &entries)
}

/// Seconds of all rounds so far.
pub(super) fn last_seconds(folder: &Folder) -> Result<f64, FolderError> {
    Ok(read(folder)?.last().map_or(0.0, |entry| entry.seconds))
}

fn write(folder: &Folder, entries: &[Entry]) -> Result<(), FolderError> {
    let lines: String = entries.iter().map(|entry| format!("{entry}\n")).collect();
    folder.write(NAME, format!("{HEADER}{lines}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_comes_back() {
        let entry = Entry {
            round: 3,
            steps: 300,
            positions: 4_915_200,
            loss: 0.0125,
            validation: Some(0.013),
            rate: 0.0005,
            lambda: 0.75,
            seconds: 12.5,
            speed: 400_000.0,
            elo: Some(Rating { elo: -12.5, error: Some(31.0) }),
        };
        assert_eq!(Entry::parse(&entry.to_string()), Some(entry));
        let without = Entry { validation: None, elo: None, ..entry };
        assert_eq!(Entry::parse(&without.to_string()), Some(without));
        assert_eq!(Entry::parse(HEADER.trim_end()), None);
        assert_eq!(HEADER.matches(',').count(), entry.to_string().matches(',').count());
    }
}
