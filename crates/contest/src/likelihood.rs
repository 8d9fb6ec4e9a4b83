// SPDX-License-Identifier: GPL-3.0-or-later
//! The likeliest distribution of results under a hypothesis: `(observed shares, hypothesis) -> shares`.
//!
//! Observed are the shares `q` of the kinds of result; wanted are the shares `p` that make them likeliest,
//! maximising `Σ q ln p`, among all for which the mean (or the mean in units of the deviation) is what the
//! hypothesis says.
//!
//! For a mean `m` the constraint is linear, `Σ p d = 0` with `d = a - m`, and the answer is
//! `p = q / (1 + x d)` where `x` solves the secular equation `Σ q d / (1 + x d) = 0` (Van den Bergh,
//! "The generalized MLE with multinomials", proposition 1.1; the multiplier of the other constraint is 1).
//!
//! For a t-value `t = (μ - 1/2) / σ` write `b = a - 1/2`. The constraint `E b = t σ` is the same as
//! `E b = r √(E b²)` with `r = t / √(1 + t²)`. For every `w > 0` is `√(E b²) <= (E b² / w + w) / 2`, with
//! equality for `w = √(E b²)`; so at the right `w` the constraint is linear again, with
//! `d = b - r (b² / w + w) / 2`. Solving with one `w` and taking the next from the solution converges in a
//! few steps, as `r` is small. Van den Bergh linearises around mean and variance instead ("Comments on
//! normalized Elo", section 4.1) and reaches the same point; with one number there is no start from which
//! a step has no solution.

/// Solutions closer than this are the same.
const TOLERANCE: f64 = 1e-14;
/// Enough for bisection alone to reach the tolerance.
const MOST_STEPS: usize = 128;
/// Far more than the three to six that occur.
const MOST_LINEARISATIONS: usize = 64;

/// The likeliest shares with the given mean, which lies between 0 and 1.
pub(crate) fn with_mean<const N: usize>(observed: &[f64; N], mean: f64) -> [f64; N] {
    centred(observed, &points().map(|point| point - mean))
}

/// The likeliest shares with the given `(mean - 1/2) / deviation`.
pub(crate) fn with_t_value<const N: usize>(observed: &[f64; N], t: f64) -> [f64; N] {
    if t == 0.0 {
        return with_mean(observed, 0.5);
    }
    if t < 0.0 {
        return mirrored(&with_t_value(&mirrored(observed), -t));
    }
    let ratio = t / (1.0 + t * t).sqrt();
    let leads = points::<N>().map(|point| point - 0.5);
    let spread_of = |shares: &[f64; N]| {
        shares.iter().zip(leads).map(|(share, lead)| share * lead * lead).sum::<f64>().sqrt()
    };
    let deviations = |spread: f64| leads.map(|lead| lead - ratio * (lead * lead / spread + spread) / 2.0);

    // The observed spread, unless it is so small that no distribution satisfies the line through it;
    // through the widest spread one always does, as 1/2 - r/2 > 0.
    let mut spread = spread_of(observed);
    if !deviations(spread).iter().any(|&deviation| deviation > 0.0) {
        spread = 0.5;
    }
    let mut likeliest = *observed;
    for _ in 0..MOST_LINEARISATIONS {
        likeliest = centred(observed, &deviations(spread));
        let next = spread_of(&likeliest);
        let moved = (next - spread).abs();
        spread = next;
        if moved < 1e-12 {
            break;
        }
    }
    likeliest
}

/// The likeliest shares for which the average deviation is zero; every share must be positive.
fn centred<const N: usize>(observed: &[f64; N], deviations: &[f64; N]) -> [f64; N] {
    let largest = deviations.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let smallest = deviations.iter().copied().fold(f64::INFINITY, f64::min);
    debug_assert!(smallest < 0.0 && largest > 0.0, "{deviations:?} cannot average zero");

    // The equation falls from plus to minus infinity between its poles: Newton, kept inside by bisection.
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    let mut x = 0.0;
    for _ in 0..MOST_STEPS {
        let (mut value, mut fall) = (0.0, 0.0);
        for (share, deviation) in observed.iter().zip(deviations) {
            let term = deviation / (1.0 + x * deviation);
            value += share * term;
            fall += share * term * term;
        }
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x + value / fall;
        let next = if (low..=high).contains(&newton) { newton } else { (low + high) / 2.0 };
        let moved = (next - x).abs();
        x = next;
        if moved < TOLERANCE {
            break;
        }
    }
    let mut likeliest = *observed;
    for (share, deviation) in likeliest.iter_mut().zip(deviations) {
        *share /= 1.0 + x * deviation;
    }
    likeliest
}

/// The points per game of each kind of result, from 0 to 1.
fn points<const N: usize>() -> [f64; N] {
    std::array::from_fn(|kind| kind as f64 / (N as f64 - 1.0))
}

fn mirrored<const N: usize>(shares: &[f64; N]) -> [f64; N] {
    let mut mirrored = *shares;
    mirrored.reverse();
    mirrored
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments<const N: usize>(shares: &[f64; N]) -> (f64, f64) {
        let average = |value: &dyn Fn(f64) -> f64| -> f64 {
            shares.iter().zip(points::<N>()).map(|(share, point)| share * value(point)).sum()
        };
        let mean = average(&|point| point);
        (mean, average(&|point| (point - mean) * (point - mean)).sqrt())
    }

    fn likelihood<const N: usize>(observed: &[f64; N], shares: &[f64; N]) -> f64 {
        observed.iter().zip(shares).map(|(q, p)| q * p.ln()).sum()
    }

    const OBSERVED: [[f64; 5]; 6] = [
        [0.05, 0.2, 0.5, 0.2, 0.05],
        [0.01, 0.2, 0.5, 0.28, 0.01],
        [0.3, 0.3, 0.2, 0.1, 0.1],
        [1e-7, 1e-7, 1.0 - 4e-7, 1e-7, 1e-7],
        [1e-7, 1e-7, 1e-7, 1e-7, 1.0 - 4e-7],
        [0.499_999, 1e-6 / 3.0, 1e-6 / 3.0, 1e-6 / 3.0, 0.5],
    ];

    #[test]
    fn the_mean_is_met() {
        for observed in &OBSERVED {
            for mean in [0.3, 0.499, 0.5, 0.514, 0.7] {
                let shares = with_mean(observed, mean);
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{observed:?} {mean}: {shares:?}");
                assert!((moments(&shares).0 - mean).abs() < 1e-6, "{observed:?} {mean}: {shares:?}");
                assert!(shares.iter().all(|&share| share > 0.0));
            }
        }
    }

    #[test]
    fn the_t_value_is_met() {
        for observed in &OBSERVED {
            for t in [-0.3, -0.05, -0.001, 0.0, 0.001, 0.02, 0.05, 0.3] {
                let shares = with_t_value(observed, t);
                let (mean, deviation) = moments(&shares);
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{observed:?} {t}: {shares:?}");
                assert!(((mean - 0.5) / deviation - t).abs() < 1e-6, "{observed:?} {t}: {shares:?}");
            }
        }
    }

    #[test]
    fn what_was_observed_is_likeliest_under_its_own_hypothesis() {
        for observed in &OBSERVED[..3] {
            let (mean, deviation) = moments(observed);
            for shares in [with_mean(observed, mean), with_t_value(observed, (mean - 0.5) / deviation)] {
                for (found, expected) in shares.iter().zip(observed) {
                    assert!((found - expected).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn no_neighbour_with_the_same_mean_is_likelier() {
        // Each move keeps the sum and the mean.
        let moves: [[f64; 5]; 3] =
            [[1.0, -2.0, 1.0, 0.0, 0.0], [0.0, 1.0, -2.0, 1.0, 0.0], [0.0, 0.0, 1.0, -2.0, 1.0]];
        for observed in &OBSERVED[..3] {
            let shares = with_mean(observed, 0.514);
            let best = likelihood(observed, &shares);
            for (direction, size) in moves.iter().flat_map(|m| [(m, 1e-4), (m, -1e-4)]) {
                let mut moved = shares;
                moved.iter_mut().zip(direction).for_each(|(share, by)| *share += size * by);
                assert!(likelihood(observed, &moved) < best);
            }
        }
    }

    #[test]
    fn no_distribution_with_the_same_t_value_is_likelier() {
        // Scan a grid of symmetric-plus-lead distributions scaled to the same t-value by mixing with the
        // level result, which scales mean and second moment alike.
        let observed = &OBSERVED[1];
        let t: f64 = 0.05;
        let best = likelihood(observed, &with_t_value(observed, t));
        let ratio = t / (1.0 + t * t).sqrt();
        for step in 0..4_000 {
            let part = |digit: u32| f64::from(step / digit % 10) / 9.0 + 0.05;
            let weights = [0.1, part(1), 0.0, part(10) + 0.2, 0.1 * part(100)];
            let sum: f64 = weights.iter().sum();
            let outer = weights.map(|weight| weight / sum);
            let first: f64 = outer.iter().zip(points::<5>()).map(|(w, a)| w * (a - 0.5)).sum();
            let second: f64 = outer.iter().zip(points::<5>()).map(|(w, a)| w * (a - 0.5) * (a - 0.5)).sum();
            if first <= 0.0 {
                continue;
            }
            // first · k = ratio · √(second · k)
            let share = ratio * ratio * second / (first * first);
            if share < 1.0 {
                let mut shares = outer.map(|weight| weight * share);
                shares[2] += 1.0 - share;
                assert!(likelihood(observed, &shares) <= best + 1e-12);
            }
        }
    }
}
