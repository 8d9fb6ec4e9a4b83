// SPDX-License-Identifier: GPL-3.0-or-later
//! How a feature set fares in games: how much is active, how much a move changes, how often all of it.

use rules::{
    Color,
    chess::{Board, Move},
};

use super::{Changes, Delta, Features, Update};

/// Sums over games; both views count, so that every mean is one of a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// Games.
    pub games: u64,
    /// Positions, those before the first moves included.
    pub positions: u64,
    /// Moves.
    pub moves: u64,
    /// Moves that refresh the view of the side that plays them.
    pub own_refreshes: u64,
    /// Moves that refresh the view of the other side.
    pub other_refreshes: u64,
    /// The most active indices of a view.
    pub most_active: usize,
    active: u64,
    increments: u64,
    added: u64,
    removed: u64,
    seen: Vec<bool>,
}

/// The statistics of a set over games, each given by where it starts and its legal moves.
pub fn statistics<G, M>(set: &dyn Features, games: G) -> Statistics
where
    G: IntoIterator<Item = (Board, M)>,
    M: IntoIterator<Item = Move>,
{
    let mut statistics = Statistics::new(set);
    for (start, moves) in games {
        statistics.add_game(set, &start, moves);
    }
    statistics
}

impl Statistics {
    /// No game yet.
    pub fn new(set: &dyn Features) -> Statistics {
        Statistics {
            games: 0,
            positions: 0,
            moves: 0,
            own_refreshes: 0,
            other_refreshes: 0,
            most_active: 0,
            active: 0,
            increments: 0,
            added: 0,
            removed: 0,
            seen: vec![false; set.size()],
        }
    }

    /// Adds a game; the set must be the one that the statistics were begun with.
    pub fn add_game(&mut self, set: &dyn Features, start: &Board, moves: impl IntoIterator<Item = Move>) {
        let (mut board, mut indices, mut changes) = (*start, Vec::new(), Changes::default());
        self.games += 1;
        self.add_position(set, &board, &mut indices);
        for m in moves {
            let before = board;
            let delta = Delta::play(&mut board, m);
            self.add_position(set, &board, &mut indices);
            self.moves += 1;
            for view in Color::ALL {
                changes.clear();
                match set.changed(&before, &board, &delta, view, &mut changes) {
                    Update::Refresh if view == before.turn() => self.own_refreshes += 1,
                    Update::Refresh => self.other_refreshes += 1,
                    Update::Increment => {
                        self.increments += 1;
                        self.added += changes.added.len() as u64;
                        self.removed += changes.removed.len() as u64;
                    }
                }
            }
        }
    }

    fn add_position(&mut self, set: &dyn Features, board: &Board, indices: &mut Vec<u32>) {
        self.positions += 1;
        for view in Color::ALL {
            indices.clear();
            set.active(board, view, indices);
            self.active += indices.len() as u64;
            self.most_active = self.most_active.max(indices.len());
            for &index in &*indices {
                self.seen[index as usize] = true;
            }
        }
    }

    /// Active indices of a view.
    pub fn mean_active(&self) -> f64 {
        mean(self.active, 2 * self.positions)
    }

    /// Indices that a move adds to a view, where it needs no refresh.
    pub fn mean_added(&self) -> f64 {
        mean(self.added, self.increments)
    }

    /// Indices that a move removes from a view, where it needs no refresh.
    pub fn mean_removed(&self) -> f64 {
        mean(self.removed, self.increments)
    }

    /// Refreshed views for each move.
    pub fn mean_refreshes(&self) -> f64 {
        mean(self.own_refreshes + self.other_refreshes, self.moves)
    }

    /// How many indices no position of either view had.
    pub fn never_seen(&self) -> usize {
        self.seen.iter().filter(|&&seen| !seen).count()
    }
}

fn mean(sum: u64, count: u64) -> f64 {
    if count == 0 { 0.0 } else { sum as f64 / count as f64 }
}
