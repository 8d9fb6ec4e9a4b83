// SPDX-License-Identifier: GPL-3.0-or-later
//! Glicko-2 ratings: `(rating, results of a period) -> rating`.
//!
//! After Mark Glickman, "Example of the Glicko-2 system" (2013): ratings that know how uncertain they are
//! and how much a player's strength wavers. For players who come and go; programs that never change are
//! rated all at once in [`crate::rating`].

use std::f64::consts::PI;

/// Rating points in one unit of the internal scale.
const SCALE: f64 = 173.7178;
/// The rating at the origin of the internal scale.
const ORIGIN: f64 = 1500.0;
/// Where the search for the volatility ends.
const TOLERANCE: f64 = 1e-6;

/// What is known about a player's strength.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Glicko {
    /// The rating.
    pub rating: f64,
    /// The standard error of the rating.
    pub deviation: f64,
    /// How much the strength wavers from one period to the next.
    pub volatility: f64,
}

impl Glicko {
    /// A player nobody has seen play.
    pub const NEW: Glicko = Glicko { rating: ORIGIN, deviation: 350.0, volatility: 0.06 };

    /// What is known after a period with these results: opponents as they were before it and the points,
    /// 0 to 1, taken from them.
    ///
    /// `tau` limits the change of the volatility; Glickman recommends 0.3 to 1.2.
    pub fn after(self, results: &[(Glicko, f64)], tau: f64) -> Glicko {
        let (mu, phi) = (self.mu(), self.phi());
        let (mut information, mut surprise) = (0.0, 0.0);
        for &(opponent, points) in results {
            let weight = opponent.weight();
            let expected = 1.0 / (1.0 + (-weight * (mu - opponent.mu())).exp());
            information += weight * weight * expected * (1.0 - expected);
            surprise += weight * (points - expected);
        }
        if information == 0.0 {
            return Glicko::from_scale(mu, phi.hypot(self.volatility), self.volatility);
        }
        let variance = 1.0 / information;
        let volatility = self.next_volatility(variance, variance * surprise, tau);
        let before = phi.hypot(volatility);
        let after = 1.0 / (1.0 / (before * before) + information).sqrt();
        Glicko::from_scale(mu + after * after * surprise, after, volatility)
    }

    /// Step 5 of the paper: the root of a falling function of ln σ², by the Illinois method.
    fn next_volatility(&self, variance: f64, improvement: f64, tau: f64) -> f64 {
        let phi2 = self.phi() * self.phi();
        let start = (self.volatility * self.volatility).ln();
        let f = |x: f64| {
            let total = phi2 + variance + x.exp();
            x.exp() * (improvement * improvement - total) / (2.0 * total * total) - (x - start) / (tau * tau)
        };
        let (mut a, mut b) = (start, (improvement * improvement - phi2 - variance).ln());
        if b.is_nan() || b == f64::NEG_INFINITY {
            b = start - tau;
            while f(b) < 0.0 {
                b -= tau;
            }
        }
        let (mut fa, mut fb) = (f(a), f(b));
        while (b - a).abs() > TOLERANCE {
            let c = a + (a - b) * fa / (fb - fa);
            let fc = f(c);
            if fc * fb <= 0.0 {
                (a, fa) = (b, fb);
            } else {
                fa /= 2.0;
            }
            (b, fb) = (c, fc);
        }
        (a / 2.0).exp()
    }

    fn mu(&self) -> f64 {
        (self.rating - ORIGIN) / SCALE
    }

    fn phi(&self) -> f64 {
        self.deviation / SCALE
    }

    /// How much a result against this player counts: less, the less is known about the player.
    fn weight(&self) -> f64 {
        1.0 / (1.0 + 3.0 * (self.phi() / PI).powi(2)).sqrt()
    }

    fn from_scale(mu: f64, phi: f64, volatility: f64) -> Glicko {
        Glicko { rating: ORIGIN + SCALE * mu, deviation: SCALE * phi, volatility }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(rating: f64, deviation: f64) -> Glicko {
        Glicko { rating, deviation, volatility: 0.06 }
    }

    #[test]
    fn the_example_of_the_paper() {
        // Glickman, "Example of the Glicko-2 system", the example calculation, with τ = 0.5.
        let opponents = [player(1400.0, 30.0), player(1550.0, 100.0), player(1700.0, 300.0)];
        let results = [(opponents[0], 1.0), (opponents[1], 0.0), (opponents[2], 0.0)];
        let after = player(1500.0, 200.0).after(&results, 0.5);
        assert!((after.rating - 1464.06).abs() < 0.01, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.05999).abs() < 0.00001, "{after:?}");
    }

    #[test]
    fn rest_makes_uncertain_and_nothing_else() {
        let before = player(1500.0, 200.0);
        let after = before.after(&[], 0.5);
        assert_eq!((after.rating, after.volatility), (before.rating, before.volatility));
        // √(200² + (0.06 · 173.7178)²)
        assert!((after.deviation - 200.2714).abs() < 0.001, "{after:?}");
    }

    #[test]
    fn a_great_surprise_raises_the_volatility() {
        let strong = [(player(2200.0, 30.0), 1.0); 10];
        let after = player(1500.0, 50.0).after(&strong, 0.5);
        assert!(after.volatility > 0.0605 && after.rating > 1600.0, "{after:?}");
    }

    #[test]
    fn points_decide_the_direction() {
        let opponent = player(1500.0, 100.0);
        let after = |points| Glicko::NEW.after(&[(opponent, points)], 0.5).rating;
        assert!(after(0.0) < 1500.0 && (after(0.5) - 1500.0).abs() < 1e-9 && after(1.0) > 1500.0);
        assert!(((after(1.0) - 1500.0) + (after(0.0) - 1500.0)).abs() < 1e-6);
    }
}
