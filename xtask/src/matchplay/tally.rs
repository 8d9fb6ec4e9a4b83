// SPDX-License-Identifier: GPL-3.0-or-later
//! Counting results: wins, pairs, faults, and the Elo difference they stand for.

use rules::{Color, Outcome};

/// What an engine did wrong to lose a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The move came after the time had run out.
    Late,
    /// The move never came.
    Stall,
    /// The move is against the rules.
    Illegal,
    /// The process ended.
    Crash,
}

/// How often one engine committed each fault.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Faults {
    /// Losses on time, stalls not included.
    pub(crate) late: u32,
    /// Moves that never came.
    pub(crate) stalls: u32,
    /// Moves against the rules.
    pub(crate) illegal: u32,
    /// Ended processes.
    pub(crate) crashes: u32,
}

/// Wins, draws and losses of one engine.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    /// Games won.
    pub(crate) wins: u32,
    /// Games drawn.
    pub(crate) draws: u32,
    /// Games lost.
    pub(crate) losses: u32,
}

impl Record {
    /// Games played.
    pub(crate) fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points per game, one half before the first.
    pub(crate) fn score(&self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(self.games())
    }

    fn add(&mut self, half_points: u8) {
        match half_points {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
    }
}

/// The running count of a match, from the first engine's side.
pub(crate) struct Tally {
    /// All games of the first engine.
    pub(crate) record: Record,
    /// Faults of both engines.
    pub(crate) faults: [Faults; 2],
    /// For each engine its games without those that the other lost on time.
    pub(crate) earned: [Record; 2],
    /// Finished pairs by the first engine's half points, 0 to 4.
    pub(crate) pairs: [u32; 5],
    /// Half points of pairs whose second game is still missing.
    open_pairs: Vec<Option<u8>>,
}

impl Tally {
    /// An empty count for this many pairs of games.
    pub(crate) fn new(pairs: usize) -> Tally {
        Tally {
            record: Record::default(),
            faults: Default::default(),
            earned: Default::default(),
            pairs: [0; 5],
            open_pairs: vec![None; pairs],
        }
    }

    /// Counts a game of pair `pair`; `white` is the index of the engine that had White.
    pub(crate) fn add(&mut self, pair: usize, white: usize, outcome: Outcome, fault: Option<Fault>) {
        let half_points = match outcome {
            Outcome::Draw => 1,
            Outcome::Win(color) if engine_of(color, white) == 0 => 2,
            Outcome::Win(_) => 0,
        };
        self.record.add(half_points);
        match self.open_pairs[pair].take() {
            None => self.open_pairs[pair] = Some(half_points),
            Some(first) => self.pairs[usize::from(first + half_points)] += 1,
        }

        let on_time = matches!(fault, Some(Fault::Late | Fault::Stall));
        for (engine, earned) in self.earned.iter_mut().enumerate() {
            let own = if engine == 0 { half_points } else { 2 - half_points };
            if !(on_time && own == 2) {
                earned.add(own);
            }
        }
        if let (Some(fault), Outcome::Win(color)) = (fault, outcome) {
            let faults = &mut self.faults[engine_of(!color, white)];
            match fault {
                Fault::Late => faults.late += 1,
                Fault::Stall => faults.stalls += 1,
                Fault::Illegal => faults.illegal += 1,
                Fault::Crash => faults.crashes += 1,
            }
        }
    }

    /// The Elo difference and the half-width of its 95 % interval, as far as they can be known.
    ///
    /// The error comes from pairs, not games: the two games of an opening are not independent.
    pub(crate) fn elo(&self) -> (f64, Option<f64>) {
        let elo = elo_of(self.record.score());
        let count = f64::from(self.pairs.iter().sum::<u32>());
        let points = |index: usize| index as f64 / 4.0;
        let moment = |centre: f64, power: i32| -> f64 {
            let terms = self.pairs.iter().enumerate();
            terms.map(|(i, &n)| f64::from(n) * (points(i) - centre).powi(power)).sum::<f64>() / count
        };
        let mean = moment(0.0, 1);
        let error = 1.959_964 * (moment(mean, 2) / count).sqrt();
        let half_width = (elo_of(mean + error) - elo_of(mean - error)) / 2.0;
        (elo, (count >= 2.0 && half_width.is_finite()).then_some(half_width))
    }
}

fn engine_of(color: Color, white: usize) -> usize {
    if color == Color::White { white } else { 1 - white }
}

/// Infinite when one side has won everything; not a number beyond that.
fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_pairs_from_the_first_engine() {
        let mut tally = Tally::new(2);
        tally.add(0, 0, Outcome::Win(Color::White), None); // first wins with White
        tally.add(1, 0, Outcome::Draw, None);
        tally.add(0, 1, Outcome::Win(Color::White), None); // second wins with White
        tally.add(1, 1, Outcome::Win(Color::Black), None); // first wins with Black
        assert_eq!(tally.record, Record { wins: 2, draws: 1, losses: 1 });
        assert_eq!(tally.pairs, [0, 0, 1, 1, 0]);
    }

    #[test]
    fn earned_score_leaves_out_the_opponents_time_losses() {
        let mut tally = Tally::new(2);
        tally.add(0, 0, Outcome::Win(Color::White), Some(Fault::Late)); // second is late
        tally.add(0, 1, Outcome::Win(Color::White), Some(Fault::Stall)); // first stalls
        tally.add(1, 0, Outcome::Win(Color::White), Some(Fault::Crash)); // second crashes
        assert_eq!(tally.earned[0], Record { wins: 1, draws: 0, losses: 1 });
        assert_eq!(tally.earned[1], Record { wins: 0, draws: 0, losses: 2 });
        assert_eq!(tally.faults[0], Faults { stalls: 1, ..Faults::default() });
        assert_eq!(tally.faults[1], Faults { late: 1, crashes: 1, ..Faults::default() });
    }

    #[test]
    fn elo_of_known_scores() {
        assert!(elo_of(0.5).abs() < 1e-9);
        assert!((elo_of(0.75) - 190.848).abs() < 0.001);
        assert!((elo_of(0.25) + 190.848).abs() < 0.001);
        assert_eq!(elo_of(1.0), f64::INFINITY);
    }

    #[test]
    fn a_clean_sweep_has_no_error() {
        let mut tally = Tally::new(2);
        for (pair, white, winner) in
            [(0, 0, Color::White), (0, 1, Color::Black), (1, 0, Color::White), (1, 1, Color::Black)]
        {
            tally.add(pair, white, Outcome::Win(winner), None);
        }
        assert_eq!(tally.elo(), (f64::INFINITY, None));
    }

    #[test]
    fn error_of_a_hand_counted_match() {
        // 100 pairs: 25 of 0.25, 50 of 0.5, 25 of 0.75: variance 1/32, standard error 0.017678.
        let mut tally = Tally::new(0);
        tally.pairs = [0, 25, 50, 25, 0];
        let (_, error) = tally.elo();
        let expected = elo_of(0.5 + 1.959_964 * 0.017_677_67);
        assert!((error.unwrap() - expected).abs() < 1e-3);
    }
}
