// SPDX-License-Identifier: GPL-3.0-or-later
//! The games that ratings come from, counted by who had White against whom.

use std::collections::BTreeMap;

use rules::{Color, Outcome};

use crate::{Trinomial, half_points};

/// Counted games between players with the numbers from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Games {
    players: usize,
    /// White's results by the numbers of White and Black.
    encounters: BTreeMap<(usize, usize), Trinomial>,
}

impl Games {
    /// No games, between so many players.
    pub fn new(players: usize) -> Games {
        Games { players, encounters: BTreeMap::new() }
    }

    /// Counts a game; a player not seen before is one more player.
    pub fn add(&mut self, white: usize, black: usize, outcome: Outcome) {
        self.players = self.players.max(white + 1).max(black + 1);
        self.encounters.entry((white, black)).or_default().add(half_points(outcome, Color::White));
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.players
    }

    /// How many games there are.
    pub fn count(&self) -> u64 {
        self.encounters.values().map(|results| u64::from(results.samples())).sum()
    }

    /// The results of each player against everybody.
    pub fn records(&self) -> Vec<Trinomial> {
        let mut records = vec![[0; 3]; self.players];
        let mut count = |player: usize, counts: [u32; 3]| {
            records[player].iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        };
        for (white, black, results) in self.encounters() {
            let [lost, drawn, won] = results.counts();
            count(white, [lost, drawn, won]);
            count(black, [won, drawn, lost]);
        }
        records.into_iter().map(Trinomial::new).collect()
    }

    /// White, Black and White's results.
    pub(super) fn encounters(&self) -> impl Iterator<Item = (usize, usize, Trinomial)> {
        self.encounters.iter().map(|(&(white, black), &results)| (white, black, results))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_from_the_players_side() {
        let mut games = Games::new(2);
        games.add(0, 1, Outcome::Win(Color::White));
        games.add(1, 0, Outcome::Win(Color::White));
        games.add(1, 0, Outcome::Win(Color::White));
        games.add(0, 2, Outcome::Draw);
        assert_eq!((games.players(), games.count()), (3, 4));
        assert_eq!(games.records(), [[2, 1, 1], [1, 0, 2], [0, 1, 0]].map(Trinomial::new));
    }
}
