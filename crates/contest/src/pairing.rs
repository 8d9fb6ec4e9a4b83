// SPDX-License-Identifier: GPL-3.0-or-later
//! Who plays whom, when and from which opening: `game number -> fixture`.
//!
//! A schedule is computed, not stored: any game can be asked for by its number, so an interrupted match
//! goes on by skipping the numbers that are done. Two players meet once in every cycle, from the opening
//! with the number of the cycle: everybody gets the same openings. A meeting is a pair of games with
//! colours reversed; which player begins with White changes from cycle to cycle.

use std::{error::Error, fmt};

/// Who meets whom in a cycle.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// Everybody meets everybody.
    RoundRobin,
    /// Each of the first players meets each of the others.
    Gauntlet {
        /// How many players run the gauntlet.
        challengers: usize,
    },
}

/// All games of a tournament in their order.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pairing: Pairing,
    players: usize,
    cycles: usize,
}

/// One game to be played; all numbers begin with 0.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// The number of the game.
    pub game: usize,
    /// The number of the pair of games; games `2 pair` and `2 pair + 1` belong to it.
    pub pair: usize,
    /// The number of the opening.
    pub opening: usize,
    /// Who has White.
    pub white: usize,
    /// Who has Black.
    pub black: usize,
}

/// Players who cannot be paired.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PairingError {
    /// Nobody has an opponent.
    TooFewPlayers(usize),
    /// There are no challengers, or nobody else.
    Challengers {
        /// How many run the gauntlet.
        challengers: usize,
        /// How many players there are.
        players: usize,
    },
}

impl fmt::Display for PairingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PairingError::TooFewPlayers(1) => f.write_str("1 player, expected at least two"),
            PairingError::TooFewPlayers(players) => write!(f, "{players} players, expected at least two"),
            PairingError::Challengers { challengers, players } => {
                write!(f, "{challengers} challengers among {players} players, expected some and not all")
            }
        }
    }
}

impl Error for PairingError {}

/// A meeting within a cycle.
struct Meeting {
    round: usize,
    table: usize,
    players: [usize; 2],
}

impl Schedule {
    /// A schedule of so many cycles.
    pub fn new(pairing: Pairing, players: usize, cycles: usize) -> Result<Schedule, PairingError> {
        if players < 2 {
            return Err(PairingError::TooFewPlayers(players));
        }
        match pairing {
            Pairing::Gauntlet { challengers } if challengers == 0 || challengers >= players => {
                Err(PairingError::Challengers { challengers, players })
            }
            _ => Ok(Schedule { pairing, players, cycles }),
        }
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.cycles.saturating_mul(2 * self.meetings_per_cycle())
    }

    /// How many openings are asked for: one in each cycle.
    pub fn openings(&self) -> usize {
        self.cycles
    }

    /// A game by its number.
    ///
    /// # Panics
    /// If there are fewer games.
    pub fn game(&self, game: usize) -> Fixture {
        assert!(game < self.games(), "game {game} of {}", self.games());
        let pair = game / 2;
        let (cycle, number) = (pair / self.meetings_per_cycle(), pair % self.meetings_per_cycle());
        let Meeting { round, table, players: [first, second] } = self.meeting(number);
        let reversed = (game + cycle + round + table) % 2 == 1;
        let (white, black) = if reversed { (second, first) } else { (first, second) };
        Fixture { game, pair, opening: cycle, white, black }
    }

    fn meetings_per_cycle(&self) -> usize {
        match self.pairing {
            Pairing::RoundRobin => self.players * (self.players - 1) / 2,
            Pairing::Gauntlet { challengers } => challengers * (self.players - challengers),
        }
    }

    /// How many players move round the circle: all but one of an even number; of an odd number all, and
    /// each has a round off.
    fn ring(&self) -> usize {
        self.players - 1 + self.players % 2
    }

    fn meeting(&self, number: usize) -> Meeting {
        match self.pairing {
            Pairing::RoundRobin => {
                let (tables, ring) = (self.players / 2, self.ring());
                let (round, table) = (number / tables, number % tables);
                // The circle: players at the same distance on both sides of the round's own player meet;
                // that player meets the one who does not move, or nobody.
                let distance = table + self.players % 2;
                let players = match distance {
                    0 => [round, self.players - 1],
                    _ => [(round + distance) % ring, (round + ring - distance) % ring],
                };
                Meeting { round, table, players }
            }
            Pairing::Gauntlet { challengers } => {
                let others = self.players - challengers;
                let (round, table) = (number / challengers, number % challengers);
                Meeting { round, table, players: [table, challengers + (round + table) % others] }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn round_robin(players: usize, cycles: usize) -> Schedule {
        Schedule::new(Pairing::RoundRobin, players, cycles).unwrap()
    }

    fn games(schedule: Schedule) -> impl Iterator<Item = Fixture> {
        (0..schedule.games()).map(move |game| schedule.game(game))
    }

    #[test]
    fn everybody_meets_everybody_from_every_opening_with_both_colours() {
        for players in 2..=9 {
            let schedule = round_robin(players, 3);
            let seen: BTreeSet<_> = games(schedule).map(|f| (f.opening, f.white, f.black)).collect();
            assert_eq!(seen.len(), schedule.games(), "{players} players: a game is repeated");
            assert_eq!(seen.len(), 3 * players * (players - 1));
            assert!(seen.iter().all(|&(opening, white, black)| {
                opening < 3 && white < players && black < players && white != black
            }));
        }
    }

    #[test]
    fn nobody_plays_twice_in_a_round() {
        for players in 2..=9 {
            let mut rounds: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            let schedule = round_robin(players, 1);
            for number in 0..schedule.meetings_per_cycle() {
                let Meeting { round, players, .. } = schedule.meeting(number);
                rounds.entry(round).or_default().extend(players);
            }
            assert_eq!(rounds.len(), players - 1 + players % 2);
            for (round, playing) in rounds {
                let different: BTreeSet<_> = playing.iter().collect();
                assert_eq!(different.len(), playing.len(), "round {round} of {players} players");
                assert_eq!(playing.len(), players - players % 2);
            }
        }
    }

    #[test]
    fn pairs_are_neighbours_with_colours_reversed() {
        for pairing in [Pairing::RoundRobin, Pairing::Gauntlet { challengers: 2 }] {
            let all: Vec<_> = games(Schedule::new(pairing, 5, 3).unwrap()).collect();
            for (number, pair) in all.chunks(2).enumerate() {
                let (first, second) = (pair[0], pair[1]);
                assert_eq!((first.game, second.game), (2 * number, 2 * number + 1));
                assert_eq!((first.pair, second.pair), (number, number));
                assert_eq!(first.opening, second.opening);
                assert_eq!((first.white, first.black), (second.black, second.white));
            }
        }
    }

    #[test]
    fn the_first_white_alternates() {
        let whites: Vec<_> = games(round_robin(2, 4)).step_by(2).map(|f| f.white).collect();
        assert_eq!(whites, [0, 1, 0, 1]);
    }

    #[test]
    fn challengers_meet_all_others_and_not_each_other() {
        for (players, challengers) in [(2, 1), (5, 1), (5, 2), (5, 4), (6, 3)] {
            let schedule = Schedule::new(Pairing::Gauntlet { challengers }, players, 2).unwrap();
            let seen: BTreeSet<_> = games(schedule).map(|f| (f.opening, f.white, f.black)).collect();
            assert_eq!(seen.len(), schedule.games());
            assert_eq!(seen.len(), 2 * 2 * challengers * (players - challengers));
            assert!(seen.iter().all(|&(_, white, black)| (white < challengers) != (black < challengers)));
        }
    }

    #[test]
    fn refuses_players_without_opponents() {
        let refused = |pairing, players| Schedule::new(pairing, players, 1).unwrap_err();
        assert_eq!(refused(Pairing::RoundRobin, 1), PairingError::TooFewPlayers(1));
        let gauntlet = Pairing::Gauntlet { challengers: 3 };
        assert_eq!(refused(gauntlet, 3), PairingError::Challengers { challengers: 3, players: 3 });
        assert_eq!(refused(Pairing::RoundRobin, 0).to_string(), "0 players, expected at least two");
        assert_eq!(refused(Pairing::RoundRobin, 1).to_string(), "1 player, expected at least two");
    }

    #[test]
    fn a_schedule_may_be_longer_than_any_match() {
        let endless = round_robin(2, usize::MAX);
        assert_eq!((endless.games(), endless.openings()), (usize::MAX, usize::MAX));
        assert_eq!(endless.game(1_000_000).opening, 500_000);
    }
}
