// SPDX-License-Identifier: GPL-3.0-or-later
//! Thousands of simulated matches: the sequential test errs no more often than it promises.

use contest::{EloModel, NORMALISED_ELO_PER_T, Pentanomial, Random, Sprt, Verdict, score_of_elo};

/// The shares of pairs with 0 to 4 half points when the score per game exceeds one half by `lead`.
fn shares(lead: f64) -> [f64; 5] {
    [0.05 - lead, 0.2, 0.5, 0.2, 0.05 + lead]
}

/// The lead that a difference stands for; the variance of a pair with [`shares`] is 0.05 - lead².
fn lead(model: EloModel, elo: f64) -> f64 {
    match model {
        EloModel::Logistic => score_of_elo(elo) - 0.5,
        EloModel::Normalised => {
            let t = elo / NORMALISED_ELO_PER_T;
            t * (0.1 / (1.0 + 2.0 * t * t)).sqrt()
        }
    }
}

struct Simulated {
    /// The share of matches in which H1 was accepted.
    accepted: f64,
    /// The average length of a match in pairs.
    pairs: f64,
}

/// Plays matches to their end, looking after every `batch` pairs.
fn simulate(sprt: &Sprt, lead: f64, matches: u32, batch: u32, seed: u64) -> Simulated {
    let shares = shares(lead);
    let (mut accepted, mut pairs) = (0, 0);
    for number in 0..matches {
        let mut random = Random::stream(seed, u64::from(number));
        let mut tally = Pentanomial::default();
        let verdict = loop {
            for _ in 0..batch {
                let mut rest = random.unit();
                let pair = shares.iter().take(4).take_while(|&&share| {
                    let beyond = rest >= share;
                    rest -= share;
                    beyond
                });
                tally.add(pair.count());
            }
            match sprt.verdict(&tally) {
                Verdict::Continue => assert!(tally.samples() < 100_000, "{tally:?}"),
                verdict => break verdict,
            }
        };
        accepted += u32::from(verdict == Verdict::AcceptH1);
        pairs += tally.samples();
    }
    let per_match = |sum: u32| f64::from(sum) / f64::from(matches);
    Simulated { accepted: per_match(accepted), pairs: per_match(pairs) }
}

/// Both error rates must lie below the promised ones, give or take the chance of the simulation itself, and
/// not so far below that games are wasted.
fn check(model: EloModel, hypotheses: [f64; 2], [alpha, beta]: [f64; 2], matches: u32, batch: u32) {
    let sprt = Sprt::new(model, hypotheses, alpha, beta).unwrap();
    let [under0, under1] = hypotheses.map(|elo| simulate(&sprt, lead(model, elo), matches, batch, 1));
    let errors = [(under0.accepted, alpha, under0.pairs), (1.0 - under1.accepted, beta, under1.pairs)];
    for (found, promised, pairs) in errors {
        let chance = 3.0 * (promised * (1.0 - promised) / f64::from(matches)).sqrt();
        let told = format!("{model} {hypotheses:?}: {found} of {promised} wrong, {pairs:.0} pairs a match");
        assert!(found <= promised + chance, "{told}");
        assert!(found >= promised / 2.0 - chance, "{told}");
    }
}

#[test]
fn logistic_errors_are_as_promised() {
    check(EloModel::Logistic, [0.0, 20.0], [0.05, 0.05], 3_000, 1);
}

#[test]
fn unequal_error_rates_are_not_exchanged() {
    check(EloModel::Logistic, [-10.0, 10.0], [0.15, 0.02], 3_000, 1);
}

#[test]
fn normalised_errors_are_as_promised() {
    check(EloModel::Normalised, [0.0, 30.0], [0.05, 0.05], 2_000, 2);
}

#[test]
fn a_difference_beyond_the_bounds_ends_soon() {
    let sprt = Sprt::new(EloModel::Logistic, [0.0, 10.0], 0.05, 0.05).unwrap();
    let clear = simulate(&sprt, score_of_elo(30.0) - 0.5, 400, 1, 2);
    assert!(clear.accepted > 0.99 && clear.pairs < 400.0, "{} in {} pairs", clear.accepted, clear.pairs);
    let hopeless = simulate(&sprt, score_of_elo(-30.0) - 0.5, 400, 1, 3);
    assert!(hopeless.accepted < 0.01 && hopeless.pairs < 400.0);
}
