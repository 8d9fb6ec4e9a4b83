// SPDX-License-Identifier: GPL-3.0-or-later
//! Which games and positions are taken: pure decisions, each with its reason.

use std::ops::{Range, RangeInclusive};

use formats::pgn::bulk::{BulkTags, TimeControl};
use rules::{Outcome, Random};
use serde_json::{Value, json};

/// The rules of an import.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// What both ratings must be; games without ratings are refused unless everything is allowed.
    pub ratings: RangeInclusive<u16>,
    /// So many random positions of each game; all without a number.
    pub per_game: Option<usize>,
    /// Half-moves at the beginning whose positions are not taken.
    pub skip_plies: usize,
    /// Games with fewer half-moves are refused.
    pub min_plies: usize,
    /// Positions are not taken in which the mover has fewer seconds left.
    pub min_clock: Option<u32>,
    /// Games are refused that are expected to be over in fewer seconds.
    pub min_duration: Option<u32>,
    /// Whether games that ended otherwise than on the board or by agreement are refused.
    pub no_forfeits: bool,
    /// Whether games without a result are taken.
    pub unfinished: bool,
    /// Which part of all games is taken, by their keys: from 0 to 1.
    pub part: Range<f64>,
    /// Whether positions get another move, drawn at random.
    pub triplets: bool,
}

impl Default for Rules {
    /// Everything in games that have an end.
    fn default() -> Rules {
        Rules {
            ratings: 0..=u16::MAX,
            per_game: None,
            skip_plies: 0,
            min_plies: 1,
            min_clock: None,
            min_duration: None,
            no_forfeits: false,
            unfinished: false,
            part: 0.0..1.0,
            triplets: false,
        }
    }
}

/// A game of this many moves by each side is what time controls are compared by.
const USUAL_MOVES: u32 = 40;

impl Rules {
    /// Blume: both players rated above 1700, ten random positions of each game.
    pub fn blume() -> Rules {
        Rules { ratings: 1701..=u16::MAX, per_game: Some(10), ..Rules::default() }
    }

    /// Lombardo: one random position of each game, none of the first twenty half-moves.
    pub fn lombardo() -> Rules {
        Rules { per_game: Some(1), skip_plies: 20, ..Rules::default() }
    }

    /// Why a game is refused by its tags alone; its moves need not be read then.
    pub fn refuses_tags(&self, tags: &BulkTags) -> Option<&'static str> {
        let rated = |rating: Option<u16>| match rating {
            Some(rating) => self.ratings.contains(&rating),
            None => self.ratings == (0..=u16::MAX),
        };
        if !rated(tags.white_rating) || !rated(tags.black_rating) {
            return Some("rating");
        }
        if let Some(least) = self.min_duration
            && tags.time_control.is_none_or(|control| duration(control) < least)
        {
            return Some("time control");
        }
        if self.no_forfeits && tags.get("Termination").is_some_and(|text| !is_played_out(text)) {
            return Some("forfeit");
        }
        None
    }

    /// Why a game is refused once its end is known; the tag and the end of the moves may contradict each other.
    pub fn refuses_end(
        &self,
        plies: usize,
        outcome: Option<Outcome>,
        tag: Option<Outcome>,
    ) -> Option<&'static str> {
        if outcome.is_none() && !self.unfinished {
            return Some("no result");
        }
        if outcome.is_some() && tag.is_some() && outcome != tag {
            return Some("two results");
        }
        if plies < self.min_plies.max(1) {
            return Some("too short");
        }
        None
    }

    /// The positions that are taken, by the number of half-moves before them, in ascending order.
    ///
    /// `clock` tells the seconds left to the mover, where that is known.
    pub fn choose(
        &self,
        plies: usize,
        clock: impl Fn(usize) -> Option<u32>,
        random: &mut Random,
    ) -> Vec<usize> {
        let in_time = |ply: usize| match self.min_clock {
            None => true,
            Some(least) => clock(ply).is_some_and(|left| left >= least),
        };
        let mut candidates: Vec<usize> = (self.skip_plies..plies).filter(|&ply| in_time(ply)).collect();
        if let Some(count) = self.per_game
            && count < candidates.len()
        {
            // The first steps of a shuffle draw without putting back.
            for place in 0..count {
                let other = place + random.below(candidates.len() - place);
                candidates.swap(place, other);
            }
            candidates.truncate(count);
            candidates.sort_unstable();
        }
        candidates
    }

    /// The rules as a manifest has them.
    pub fn to_json(&self) -> Value {
        json!({
            "ratings": [self.ratings.start(), self.ratings.end()],
            "per_game": self.per_game,
            "skip_plies": self.skip_plies,
            "min_plies": self.min_plies,
            "min_clock": self.min_clock,
            "min_duration": self.min_duration,
            "no_forfeits": self.no_forfeits,
            "unfinished": self.unfinished,
            "part": [self.part.start, self.part.end],
            "triplets": self.triplets,
        })
    }
}

/// How long one player's clock is expected to run, in seconds.
fn duration(control: TimeControl) -> u32 {
    control.base.saturating_add(control.increment.saturating_mul(USUAL_MOVES))
}

/// Whether the tag `Termination` speaks of a game that was played to an end.
fn is_played_out(text: &str) -> bool {
    text.eq_ignore_ascii_case("normal") || text == "?"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no_clock(_: usize) -> Option<u32> {
        None
    }

    #[test]
    fn as_many_positions_as_asked_for_each_once() {
        let rules = Rules { per_game: Some(10), skip_plies: 20, ..Rules::default() };
        let mut random = Random::new(1);
        for plies in [0, 20, 21, 29, 30, 31, 200] {
            let chosen = rules.choose(plies, no_clock, &mut random);
            assert_eq!(chosen.len(), plies.saturating_sub(20).min(10), "{plies}");
            assert!(chosen.is_sorted_by(|a, b| a < b) && chosen.iter().all(|ply| (20..plies).contains(ply)));
        }
    }

    #[test]
    fn every_position_is_equally_likely() {
        let rules = Rules { per_game: Some(3), ..Rules::default() };
        let mut hits = [0_u32; 12];
        let mut random = Random::new(5);
        for _ in 0..40_000 {
            rules.choose(12, no_clock, &mut random).into_iter().for_each(|ply| hits[ply] += 1);
        }
        // A quarter each; the deviation of 40,000 draws is 87.
        assert!(hits.iter().all(|&hit| hit.abs_diff(10_000) < 400), "{hits:?}");
    }

    #[test]
    fn time_trouble_is_left_out() {
        let rules = Rules { min_clock: Some(30), ..Rules::default() };
        let clock = |ply: usize| [Some(31), Some(30), Some(29), None].get(ply).copied().flatten();
        assert_eq!(rules.choose(4, clock, &mut Random::new(1)), [0, 1]);
    }

    #[test]
    fn time_controls_are_compared_by_their_duration() {
        assert_eq!(duration(TimeControl { base: 60, increment: 0 }), 60);
        assert_eq!(duration(TimeControl { base: 120, increment: 1 }), 160);
        assert_eq!(duration(TimeControl { base: 180, increment: 2 }), 260);
    }
}
