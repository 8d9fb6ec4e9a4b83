// SPDX-License-Identifier: GPL-3.0-or-later
//! What changes in the course of a run: the learning rate, and the share of the score in the target.

use std::f64::consts::PI;

use serde::Deserialize;

/// How the learning rate goes from the first sample to the last.
#[derive(Copy, Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// The course after the warm-up.
    #[serde(default)]
    pub kind: Kind,
    /// The highest rate.
    pub rate: f64,
    /// The last rate, of `cosine`, `linear` and `one-cycle`.
    #[serde(default)]
    pub last: f64,
    /// Positions of a linear rise from nothing.
    #[serde(default)]
    pub warm_up: u64,
    /// Of `step`: after how many positions the rate changes.
    #[serde(default)]
    pub every: u64,
    /// Of `step`: what it is multiplied with.
    #[serde(default = "tenth")]
    pub factor: f64,
    /// Of `one-cycle`: the share of the run in which the rate rises.
    #[serde(default = "third")]
    pub rise: f64,
}

fn tenth() -> f64 {
    0.1
}

fn third() -> f64 {
    0.3
}

/// The courses.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Always the same.
    Constant,
    /// Multiplied every so many positions.
    Step,
    /// Along half a cosine down to the last rate.
    #[default]
    Cosine,
    /// Along a straight line down to the last rate.
    Linear,
    /// Up along half a cosine from a 25th of the rate, then down to the last (Smith and Topin, 2017).
    OneCycle,
}

impl Schedule {
    /// The rate after `seen` of `total` positions.
    pub fn rate(&self, seen: u64, total: u64) -> f64 {
        if seen < self.warm_up {
            return self.rate * (seen + 1) as f64 / self.warm_up as f64;
        }
        let (seen, total) = (seen - self.warm_up, total.saturating_sub(self.warm_up).max(1));
        let done = (seen as f64 / total as f64).min(1.0);
        match self.kind {
            Kind::Constant => self.rate,
            Kind::Step => self.rate * self.factor.powi((seen / self.every.max(1)) as i32),
            Kind::Cosine => between(self.rate, self.last, wave(done)),
            Kind::Linear => between(self.rate, self.last, done),
            Kind::OneCycle if done < self.rise => {
                between(self.rate / 25.0, self.rate, wave(done / self.rise))
            }
            Kind::OneCycle => between(self.rate, self.last, wave((done - self.rise) / (1.0 - self.rise))),
        }
    }
}

fn between(from: f64, to: f64, share: f64) -> f64 {
    from + (to - from) * share
}

/// From 0 to 1 along half a cosine.
fn wave(share: f64) -> f64 {
    (1.0 - (PI * share).cos()) / 2.0
}

/// A number that may change in a straight line from the first sample to the last.
#[derive(Copy, Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "expected a number, or { start = NUMBER, end = NUMBER }")]
pub enum Course {
    /// The same all the time.
    Constant(f64),
    /// From start to end.
    #[allow(missing_docs, reason = "the names say it")]
    Linear { start: f64, end: f64 },
}

impl Course {
    /// The number after `seen` of `total` positions.
    pub fn at(&self, seen: u64, total: u64) -> f64 {
        match *self {
            Course::Constant(value) => value,
            Course::Linear { start, end } => {
                between(start, end, (seen as f64 / total.max(1) as f64).min(1.0))
            }
        }
    }

    /// The number at the end of the run.
    pub fn end(&self) -> f64 {
        match *self {
            Course::Constant(value) | Course::Linear { end: value, .. } => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(kind: Kind) -> Schedule {
        Schedule { kind, rate: 1.0, last: 0.1, warm_up: 0, every: 30, factor: 0.5, rise: 0.25 }
    }

    #[test]
    fn every_course_begins_and_ends_where_it_should() {
        let rates = |kind| [0, 25, 50, 100].map(|seen| (1e4 * schedule(kind).rate(seen, 100)).round() / 1e4);
        assert_eq!(rates(Kind::Constant), [1.0, 1.0, 1.0, 1.0]);
        assert_eq!(rates(Kind::Step), [1.0, 1.0, 0.5, 0.125]);
        assert_eq!(rates(Kind::Cosine), [1.0, 0.8682, 0.55, 0.1]);
        assert_eq!(rates(Kind::Linear), [1.0, 0.775, 0.55, 0.1]);
        assert_eq!(rates(Kind::OneCycle), [0.04, 1.0, 0.775, 0.1]);
    }

    #[test]
    fn a_warm_up_rises_and_the_course_follows() {
        let warm = Schedule { warm_up: 50, ..schedule(Kind::Linear) };
        assert_eq!(warm.rate(0, 150), 0.02);
        assert_eq!(warm.rate(49, 150), 1.0);
        assert_eq!(warm.rate(100, 150), 0.55);
    }

    #[test]
    fn a_linear_number_runs_from_start_to_end() {
        let course = Course::Linear { start: 1.0, end: 0.5 };
        assert_eq!([0, 50, 100, 200].map(|seen| course.at(seen, 100)), [1.0, 0.75, 0.5, 0.5]);
        assert_eq!((course.end(), Course::Constant(0.3).at(5, 10)), (0.5, 0.3));
    }
}
