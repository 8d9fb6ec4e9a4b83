// SPDX-License-Identifier: GPL-3.0-or-later
//! Where a match stands: `results -> counts for each engine`.

use std::{collections::BTreeMap, time::Duration};

use contest::{Pentanomial, Trinomial, half_points, pairing::Fixture};
use rules::Color;

use crate::{Fault, FaultCounts, GameResult, Overhead, Termination};

/// The results of one engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Its games.
    pub games: Trinomial,
    /// Its finished pairs of games.
    pub pairs: Pentanomial,
    /// What it did wrong.
    pub faults: FaultCounts,
}

/// The results of a match so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standings {
    rows: Vec<Row>,
    games: usize,
    adjudicated: usize,
    plies: usize,
    thinking: Duration,
    overhead: Overhead,
    /// Half points that the first engine of a pair has from its first game.
    open_pairs: BTreeMap<usize, usize>,
}

impl Standings {
    /// The standings before the first game.
    pub fn new(engines: usize) -> Standings {
        Standings {
            rows: vec![Row::default(); engines],
            games: 0,
            adjudicated: 0,
            plies: 0,
            thinking: Duration::ZERO,
            overhead: Overhead::default(),
            open_pairs: BTreeMap::new(),
        }
    }

    /// Counts a game.
    pub fn add(&mut self, fixture: &Fixture, result: &GameResult) {
        let engines = [fixture.white, fixture.black];
        let points = Color::ALL.map(|color| half_points(result.ending.outcome, color));
        for (engine, points) in engines.into_iter().zip(points) {
            self.rows[engine].games.add(points);
        }
        let first = fixture.white.min(fixture.black);
        let own = points[usize::from(fixture.white != first)];
        match self.open_pairs.remove(&fixture.pair) {
            None => {
                self.open_pairs.insert(fixture.pair, own);
            }
            Some(before) => {
                for engine in engines {
                    let both = before + own;
                    self.rows[engine].pairs.add(if engine == first { both } else { 4 - both });
                }
            }
        }
        match result.ending.termination {
            Termination::Fault(color, fault) => self.rows[engines[color.index()]].faults.add(fault),
            Termination::Adjudication => self.adjudicated += 1,
            Termination::Normal => {}
        }
        for color in Color::ALL.into_iter().filter(|color| result.restarted[color.index()]) {
            self.rows[engines[color.index()]].faults.add(Fault::Crash);
        }
        self.games += 1;
        self.plies += result.plies;
        self.thinking += result.thinking.iter().sum::<Duration>();
        self.overhead.merge(&result.overhead);
    }

    /// The results of each engine, in the order of the match.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Games finished.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Games that the referee ended.
    pub fn adjudicated(&self) -> usize {
        self.adjudicated
    }

    /// Half-moves of all games.
    pub fn plies(&self) -> usize {
        self.plies
    }

    /// How long all players thought in all games: the time that the clocks alone would take.
    pub fn thinking(&self) -> Duration {
        self.thinking
    }

    /// The referee's own time between moves.
    pub fn overhead(&self) -> &Overhead {
        &self.overhead
    }
}

#[cfg(test)]
mod tests {
    use contest::pairing::{Pairing, Schedule};
    use rules::Outcome;

    use super::*;
    use crate::result::tests::result;

    #[test]
    fn pairs_are_counted_for_both() {
        let schedule = Schedule::new(Pairing::RoundRobin, 2, 2).unwrap();
        let mut standings = Standings::new(2);
        // The first engine wins both games of the first pair, whatever its colour.
        for game in [0, 2, 1] {
            let fixture = schedule.game(game);
            let color = if fixture.white == 0 { Color::White } else { Color::Black };
            let outcome = if game == 2 { Outcome::Draw } else { Outcome::Win(color) };
            standings.add(&fixture, &result(game, outcome, Termination::Normal));
        }
        let [first, second] = standings.rows() else { panic!("two engines") };
        assert_eq!(first.games.counts(), [0, 1, 2]);
        assert_eq!(second.games.counts(), [2, 1, 0]);
        assert_eq!(first.pairs.counts(), [0, 0, 0, 0, 1]);
        assert_eq!(second.pairs.counts(), [1, 0, 0, 0, 0]);
        assert_eq!((standings.games(), standings.plies()), (3, 3 * 77));
        assert_eq!(standings.overhead().count(), 6);
    }

    #[test]
    fn faults_go_to_who_committed_them() {
        let schedule = Schedule::new(Pairing::RoundRobin, 2, 1).unwrap();
        let mut standings = Standings::new(2);
        for game in [0, 1] {
            let fixture = schedule.game(game);
            let guilty = if fixture.white == 1 { Color::White } else { Color::Black };
            let termination = Termination::Fault(guilty, Fault::Crash);
            let result = result(game, Outcome::Win(!guilty), termination);
            standings.add(&fixture, &GameResult { restarted: [false; 2], ..result });
        }
        assert_eq!(standings.rows()[0].faults.total(), 0);
        assert_eq!(standings.rows()[1].faults.of(Fault::Crash), 2);
        assert_eq!(standings.rows()[1].pairs.counts(), [1, 0, 0, 0, 0]);
    }

    #[test]
    fn who_was_started_again_has_crashed() {
        let schedule = Schedule::new(Pairing::RoundRobin, 2, 1).unwrap();
        let mut standings = Standings::new(2);
        let result = result(0, Outcome::Draw, Termination::Normal);
        assert_eq!(result.restarted, [false, true]);
        standings.add(&schedule.game(0), &result);
        let crashes: Vec<u32> = standings.rows().iter().map(|row| row.faults.of(Fault::Crash)).collect();
        assert_eq!(crashes, [0, 1], "the second engine has Black");
    }
}
