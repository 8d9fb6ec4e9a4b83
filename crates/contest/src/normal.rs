// SPDX-License-Identifier: GPL-3.0-or-later
//! The normal distribution, as far as results need it.

/// Between plus and minus this lie 95 % of a standard normal distribution.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// The share of a standard normal distribution below `x`.
///
/// The Taylor series around 0 of Marsaglia, "Evaluating the Normal Distribution" (2004).
pub(crate) fn share_below(x: f64) -> f64 {
    if x.abs() > 8.0 {
        return if x > 0.0 { 1.0 } else { 0.0 }; // less than 1e-15 is missing
    }
    let (mut sum, mut term, mut divisor) = (x, x, 1.0);
    while term.abs() > 1e-17 * sum.abs() {
        divisor += 2.0;
        term *= x * x / divisor;
        sum += term;
    }
    0.5 + sum * (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_shares() {
        let cases = [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-1.0, 0.158_655_253_931_457),
            (Z95, 0.975),
            (-3.0, 0.001_349_898_031_630),
            (6.0, 0.999_999_999_013_412),
            (9.0, 1.0),
            (f64::NEG_INFINITY, 0.0),
        ];
        for (x, share) in cases {
            assert!((share_below(x) - share).abs() < 1e-12, "{x}: {}", share_below(x));
        }
    }
}
