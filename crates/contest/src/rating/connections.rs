// SPDX-License-Identifier: GPL-3.0-or-later
//! Which players can be compared: `games -> players without a rating`.
//!
//! Draw an arrow from every player to those who lost points to that player. Likeliest ratings exist
//! exactly for players who reach each other along arrows in both directions (Zermelo 1929, Ford 1957).
//! The largest such group is rated; the others are above it, below it or apart from it.

use super::{Games, Standing};

/// For each player the standing if it is not a rating, or `None` inside the largest group; of several
/// largest groups the one with the first player counts.
pub(super) fn outsiders(games: &Games) -> Vec<Option<Standing>> {
    let arrows = Arrows::new(games);
    let mut grouped = vec![false; games.players()];
    let (mut largest, mut outsiders) = (0, Vec::new());
    for player in 0..games.players() {
        if grouped[player] {
            continue;
        }
        let below = reachable(player, &arrows.took_from);
        let above = reachable(player, &arrows.gave_to);
        let found: Vec<Option<Standing>> = below
            .iter()
            .zip(&above)
            .map(|(&below, &above)| match (below, above) {
                (true, true) => None,
                (true, false) => Some(Standing::Below),
                (false, true) => Some(Standing::Above),
                (false, false) => Some(Standing::Apart),
            })
            .collect();
        let mut size = 0;
        for (grouped, _) in grouped.iter_mut().zip(&found).filter(|(_, outsider)| outsider.is_none()) {
            *grouped = true;
            size += 1;
        }
        if size > largest {
            (largest, outsiders) = (size, found);
        }
    }
    outsiders
}

/// For each player, from whom points were taken and to whom they were given.
struct Arrows {
    took_from: Vec<Vec<usize>>,
    gave_to: Vec<Vec<usize>>,
}

impl Arrows {
    fn new(games: &Games) -> Arrows {
        let none = vec![Vec::new(); games.players()];
        let mut arrows = Arrows { took_from: none.clone(), gave_to: none };
        for (white, black, results) in games.encounters() {
            if results.wins() + results.draws() > 0 {
                arrows.add(white, black);
            }
            if results.losses() + results.draws() > 0 {
                arrows.add(black, white);
            }
        }
        arrows
    }

    fn add(&mut self, winner: usize, loser: usize) {
        self.took_from[winner].push(loser);
        self.gave_to[loser].push(winner);
    }
}

fn reachable(start: usize, arrows: &[Vec<usize>]) -> Vec<bool> {
    let mut reached = vec![false; arrows.len()];
    let mut open = vec![start];
    reached[start] = true;
    while let Some(player) = open.pop() {
        for &next in &arrows[player] {
            if !reached[next] {
                reached[next] = true;
                open.push(next);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use rules::{Color, Outcome};

    use super::*;

    const INSIDE: Option<Standing> = None;
    const ABOVE: Option<Standing> = Some(Standing::Above);
    const BELOW: Option<Standing> = Some(Standing::Below);
    const APART: Option<Standing> = Some(Standing::Apart);

    /// Games between five players; each pair is a winner and a loser.
    fn won(results: &[(usize, usize)]) -> Games {
        let mut games = Games::new(5);
        for &(winner, loser) in results {
            games.add(winner, loser, Outcome::Win(Color::White));
        }
        games
    }

    #[test]
    fn a_circle_of_wins_is_a_group() {
        let games = won(&[(0, 1), (1, 2), (2, 0), (3, 0), (2, 4)]);
        assert_eq!(outsiders(&games), [INSIDE, INSIDE, INSIDE, ABOVE, BELOW]);
    }

    #[test]
    fn a_draw_connects_both_ways() {
        let mut games = won(&[(0, 1), (4, 3)]);
        games.add(1, 2, Outcome::Draw);
        assert_eq!(outsiders(&games), [ABOVE, INSIDE, INSIDE, APART, APART]);
    }

    #[test]
    fn winners_of_winners_are_above_too() {
        let games = won(&[(0, 1), (1, 0), (2, 0), (3, 2), (1, 4)]);
        assert_eq!(outsiders(&games), [INSIDE, INSIDE, ABOVE, ABOVE, BELOW]);
    }

    #[test]
    fn the_largest_group_counts() {
        let games = won(&[(0, 1), (1, 0), (0, 2), (2, 3), (3, 4), (4, 2)]);
        assert_eq!(outsiders(&games), [ABOVE, ABOVE, INSIDE, INSIDE, INSIDE]);
    }

    #[test]
    fn a_group_of_one_is_a_group() {
        assert_eq!(outsiders(&won(&[(0, 1)]))[..2], [INSIDE, BELOW]);
    }
}
