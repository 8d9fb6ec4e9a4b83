// SPDX-License-Identifier: GPL-3.0-or-later
//! How fast a page may talk: a bucket of tokens that fills up again at a steady rate.

use std::time::{Duration, Instant};

/// The bucket.
pub(super) struct Pace {
    burst: f64,
    rate: f64,
    tokens: f64,
    at: Instant,
}

impl Pace {
    /// A full bucket of `burst` tokens, filled up by `rate` a second.
    pub(super) fn new(burst: u32, rate: u32, now: Instant) -> Pace {
        Pace { burst: burst.into(), rate: rate.into(), tokens: burst.into(), at: now }
    }

    /// Takes a token; how long to wait before the message may be served.
    pub(super) fn take(&mut self, now: Instant) -> Duration {
        let elapsed = now.saturating_duration_since(self.at).as_secs_f64();
        self.tokens = (self.tokens + elapsed * self.rate).min(self.burst) - 1.0;
        self.at = now;
        Duration::from_secs_f64((-self.tokens / self.rate).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_free_and_the_rest_waits_its_turn() {
        let begin = Instant::now();
        let mut pace = Pace::new(10, 5, begin);
        assert!((0..10).all(|_| pace.take(begin).is_zero()));
        assert_eq!(pace.take(begin), Duration::from_millis(200));
        assert_eq!(pace.take(begin), Duration::from_millis(400));
        assert!(pace.take(begin + Duration::from_secs(60)).is_zero());
    }
}
