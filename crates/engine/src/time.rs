// SPDX-License-Identifier: GPL-3.0-or-later
//! How long to think: a soft limit for starting another iteration, a hard one for going on at all.

use std::time::{Duration, Instant};

use crate::{Clock, Limits, params::timing::*};

/// The time of one move.
#[derive(Debug)]
pub(crate) struct TimeManager {
    start: Instant,
    /// Soft limit before the course of the search stretches or shrinks it.
    soft: Option<Duration>,
    hard: Option<Duration>,
}

/// What the finished iterations say about how settled the choice is.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Course {
    /// Share of all nodes that went into the best move, 0 to 1.
    pub(crate) effort: f64,
    /// Iterations in a row with the same best move.
    pub(crate) stable_for: u32,
    /// How far the score fell below the recent average, in centipawns.
    pub(crate) drop: i32,
}

impl TimeManager {
    pub(crate) fn new(limits: &Limits, overhead: Duration, lag: Lag) -> TimeManager {
        let start = limits.since.unwrap_or_else(Instant::now);
        if let Some(movetime) = limits.movetime {
            let time = movetime.saturating_sub(overhead).max(Duration::from_millis(1));
            return TimeManager { start, soft: None, hard: Some(time) };
        }
        match &limits.clock {
            None => TimeManager { start, soft: None, hard: None },
            Some(clock) => {
                let (soft, hard) = share(clock, overhead, lag);
                TimeManager { start, soft: Some(soft), hard: Some(hard) }
            }
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// How far the search ran over its hard limit; nothing without a clock.
    pub(crate) fn overrun(&self) -> Duration {
        let over = |hard| self.elapsed().saturating_sub(hard);
        self.soft.and(self.hard).map_or(Duration::ZERO, over)
    }

    /// Whether no more node may be searched.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Whether another iteration is not worth starting.
    pub(crate) fn is_enough(&self, course: Course) -> bool {
        let Some(soft) = self.soft else { return self.is_exhausted() };
        let effort = (percent(effort_base()) - percent(effort_factor()) * course.effort).max(0.5);
        let stability = (percent(stability_base())
            - percent(stability_factor()) * f64::from(course.stable_for.min(10)))
        .max(0.6);
        let trend = (1.0 + percent(trend_percent()) * f64::from(course.drop)).clamp(0.75, 1.6);
        let scaled = soft.mul_f64((effort * stability * trend).min(4.0));
        self.elapsed() >= self.hard.map_or(scaled, |hard| scaled.min(hard))
    }
}

/// How much longer than allowed recent searches took: what the machine stole while the engine was thinking.
///
/// A busy machine stops a program for a tenth of a second now and then, and mostly several times in a row.
#[derive(Copy, Clone, Default, Debug)]
pub(crate) struct Lag(Duration);

impl Lag {
    /// Takes note of a search; an older, larger overrun fades slowly.
    pub(crate) fn note(&mut self, overrun: Duration) {
        self.0 = overrun.max(self.0 * 31 / 32);
    }
}

/// A clock should settle no lower than here, in seconds: some pauses of a busy machine.
const FLOOR: f64 = 0.65;

/// So many pauses like the worst one seen are kept in reserve too.
const PAUSES: f64 = 4.0;

/// Soft and hard limit for one move of a clock.
///
/// The time of the coming moves is counted together: what is left, the increments they bring, less the
/// overhead that each of them costs and a reserve for pauses of the machine, so that they do not lose a
/// game on time.
fn share(clock: &Clock, overhead: Duration, lag: Lag) -> (Duration, Duration) {
    let remaining = clock.remaining.as_secs_f64();
    let increment = clock.increment.as_secs_f64();
    let moves = clock.moves_to_go.map_or(moves_left(), |moves| (moves as i32).clamp(1, moves_left()));
    let moves = f64::from(moves);
    // A clock settles where its share equals the increment; a long one needs no help to stay above the floor.
    let reserve = (FLOOR - moves * increment).max(0.0) + PAUSES * lag.0.as_secs_f64();
    let budget = remaining + increment * (moves - 1.0) - overhead.as_secs_f64() * (moves + 2.0) - reserve;
    // A large overhead must not make the engine play at once while there is plenty of time.
    let soft = budget.max(remaining / 8.0) / moves;

    let usable = (clock.remaining.saturating_sub(overhead)).as_secs_f64();
    let usable = (usable - reserve).max(usable / 8.0).max(0.001);
    let most = if clock.moves_to_go == Some(1) { 80 } else { hard_share_percent() };
    let hard = (soft * percent(hard_percent())).min(usable * percent(most));
    (Duration::from_secs_f64(soft.min(hard)), Duration::from_secs_f64(hard))
}

fn percent(value: i32) -> f64 {
    f64::from(value) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Clock {
        Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        }
    }

    #[test]
    fn hard_limit_never_exceeds_the_clock() {
        for remaining in [0, 1, 5, 20, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 10, 100, 5_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40)] {
                    let overhead = Duration::from_millis(10);
                    let clock = clock(remaining, increment, moves_to_go);
                    let (soft, hard) = share(&clock, overhead, Lag::default());
                    assert!(soft <= hard);
                    let left = clock.remaining.saturating_sub(overhead).max(Duration::from_millis(1));
                    assert!(hard <= left, "{clock:?}: {hard:?}");
                }
            }
        }
    }

    #[test]
    fn longer_clocks_give_longer_moves() {
        let overhead = Duration::from_millis(10);
        let short = share(&clock(5_000, 50, None), overhead, Lag::default()).0;
        let long = share(&clock(60_000, 600, None), overhead, Lag::default()).0;
        assert!(long > 5 * short);
    }

    #[test]
    fn a_short_clock_keeps_a_reserve() {
        let overhead = Duration::from_millis(10);
        let mut left = clock(1_000, 10, None);
        for _ in 0..200 {
            let (soft, _) = share(&left, overhead, Lag::default());
            left.remaining = left.remaining - soft + left.increment;
        }
        assert!(left.remaining > Duration::from_millis(600), "{:?}", left.remaining);
    }

    #[test]
    fn a_machine_that_pauses_does_not_lose_on_time() {
        let overhead = Duration::from_millis(10);
        let (mut left, mut lag) = (clock(1_000, 10, None), Lag::default());
        for turn in 0..400 {
            let (soft, hard) = share(&left, overhead, lag);
            // Four pauses of a tenth of a second in a row, every eighty moves.
            let taken = if turn % 80 >= 76 { hard + Duration::from_millis(100) } else { soft };
            lag.note(taken.saturating_sub(hard));
            assert!(taken < left.remaining, "move {turn}: {taken:?} of {:?}", left.remaining);
            left.remaining = left.remaining - taken + left.increment;
        }
    }

    #[test]
    fn an_overrun_is_remembered_and_fades() {
        let mut lag = Lag::default();
        lag.note(Duration::from_millis(100));
        lag.note(Duration::ZERO);
        assert!(lag.0 > Duration::from_millis(90));
        (0..300).for_each(|_| lag.note(Duration::ZERO));
        assert!(lag.0 < Duration::from_millis(1));
    }

    #[test]
    fn an_unsettled_choice_takes_longer() {
        let limits = Limits { clock: Some(clock(2, 0, None)), ..Limits::default() };
        let time = TimeManager::new(&limits, Duration::ZERO, Lag::default());
        std::thread::sleep(Duration::from_millis(5));
        assert!(time.is_enough(Course { effort: 0.9, stable_for: 8, drop: 0 }));
        assert!(time.is_exhausted());
    }
}
