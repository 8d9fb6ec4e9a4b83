// SPDX-License-Identifier: GPL-3.0-or-later
//! The time that the referee takes between two players: from a move's arrival to the next request.
//!
//! Times are counted in microseconds, in classes at most a sixteenth wide, so that any number of them fits
//! into little memory and the quantiles are known to about six per cent.

use std::{collections::BTreeMap, time::Duration};

const CLASSES_PER_DOUBLING: u64 = 16;

/// How often each overhead occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overhead {
    classes: BTreeMap<u16, u64>,
    worst: Duration,
}

impl Overhead {
    /// Counts a time, in whole microseconds.
    pub fn add(&mut self, time: Duration) {
        let time = Duration::from_micros(micros(time));
        *self.classes.entry(class_of(time)).or_default() += 1;
        self.worst = self.worst.max(time);
    }

    /// Counts everything that another has counted.
    pub fn merge(&mut self, other: &Overhead) {
        for (&class, &count) in &other.classes {
            *self.classes.entry(class).or_default() += count;
        }
        self.worst = self.worst.max(other.worst);
    }

    /// How many times were counted.
    pub fn count(&self) -> u64 {
        self.classes.values().sum()
    }

    /// The longest time.
    pub fn worst(&self) -> Duration {
        self.worst
    }

    /// The time that the share `part` (0 to 1) of all times does not exceed; zero if there is none.
    pub fn quantile(&self, part: f64) -> Duration {
        let wanted = (part * self.count() as f64).ceil() as u64;
        let mut passed = 0;
        let class = self.classes.iter().find(|&(_, &count)| {
            passed += count;
            passed >= wanted
        });
        class.map_or(Duration::ZERO, |(&class, _)| upper_edge(class).min(self.worst))
    }

    /// The counted classes with their counts, for files.
    pub(crate) fn classes(&self) -> impl Iterator<Item = (u16, u64)> {
        self.classes.iter().map(|(&class, &count)| (class, count))
    }

    /// What [`Overhead::classes`] and [`Overhead::worst`] told.
    pub(crate) fn from_parts(classes: impl IntoIterator<Item = (u16, u64)>, worst: Duration) -> Overhead {
        Overhead { classes: classes.into_iter().collect(), worst }
    }
}

/// A time in whole microseconds.
pub(crate) fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

fn class_of(time: Duration) -> u16 {
    let micros = micros(time);
    if micros < CLASSES_PER_DOUBLING {
        return micros as u16;
    }
    let doublings = u64::from(micros.ilog2()) - u64::from(CLASSES_PER_DOUBLING.ilog2());
    let within = (micros >> doublings) - CLASSES_PER_DOUBLING;
    (CLASSES_PER_DOUBLING * (doublings + 1) + within) as u16
}

/// The longest time of a class.
fn upper_edge(class: u16) -> Duration {
    let class = u64::from(class);
    if class < CLASSES_PER_DOUBLING {
        return Duration::from_micros(class);
    }
    let doublings = class / CLASSES_PER_DOUBLING - 1;
    let next = CLASSES_PER_DOUBLING + class % CLASSES_PER_DOUBLING + 1;
    let micros = u128::from(next) << doublings.min(64);
    Duration::from_micros(u64::try_from(micros - 1).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_narrow_and_in_order() {
        let mut last = 0;
        for micros in (0..100_000).chain([1 << 40, u64::MAX]) {
            let time = Duration::from_micros(micros);
            let class = class_of(time);
            assert!(class >= last);
            last = class;
            let edge = upper_edge(class);
            assert!(edge >= time, "{time:?} {edge:?}");
            assert!(edge.as_secs_f64() <= time.as_secs_f64() * 1.0626 + 1e-12, "{time:?} {edge:?}");
        }
    }

    #[test]
    fn quantiles_of_a_known_sample() {
        let mut overhead = Overhead::default();
        assert_eq!(overhead.quantile(0.99), Duration::ZERO);
        for micros in 1..=1000 {
            overhead.add(Duration::from_micros(micros));
        }
        let median = overhead.quantile(0.5).as_micros();
        assert!((500..=531).contains(&median), "{median}");
        let most = overhead.quantile(0.99).as_micros();
        assert!((990..=1000).contains(&most), "{most}");
        assert_eq!(overhead.quantile(1.0), overhead.worst());
        assert_eq!(overhead.worst(), Duration::from_millis(1));
    }

    #[test]
    fn parts_add_up() {
        let (mut first, mut second) = (Overhead::default(), Overhead::default());
        first.add(Duration::from_micros(7));
        second.add(Duration::from_millis(3));
        second.merge(&first);
        assert_eq!(second.count(), 2);
        assert_eq!(Overhead::from_parts(second.classes(), second.worst()), second);
    }
}
