// SPDX-License-Identifier: GPL-3.0-or-later
//! Figures that others have published, computed again.

use contest::{EloModel, Pentanomial, Sprt, Tally, Trinomial};

/// Two figures agree if they differ by no more than the last printed decimal.
fn agree(ours: f64, published: f64, last_decimal: f64) -> bool {
    (ours - published).abs() <= 1.01 * last_decimal
}

fn llr<const N: usize>(model: EloModel, bounds: [f64; 2], counts: [u32; N]) -> f64 {
    Sprt::new(model, bounds, 0.05, 0.05).unwrap().llr(&Tally::new(counts))
}

/// Pairs of finished fishtest runs, as quoted in pull requests of official-stockfish/Stockfish.
/// Until 2021 bounds were in logistic Elo (written {a,b}).
#[test]
fn fishtest_runs_with_logistic_bounds() {
    let runs = [
        ("#3098, short", [-0.25, 1.25], [491, 7345, 29693, 7670, 465], 2.96),
        ("#3098, long", [0.25, 1.25], [53, 2220, 21459, 2445, 47], 2.97),
        ("#3209, short", [-0.25, 1.25], [253, 4282, 17604, 4431, 286], 2.94),
        ("#3209, long", [0.25, 1.25], [58, 3302, 33130, 3518, 84], 2.97),
        ("#2971, short", [-0.5, 1.5], [17, 253, 1042, 337, 39], 2.96),
        ("#2971, long", [0.25, 1.75], [11, 407, 3238, 513, 11], 2.93),
        ("#2951, short", [-0.5, 1.5], [59, 754, 2467, 865, 75], 2.95),
        ("#2951, long", [0.25, 1.75], [33, 1185, 8378, 1302, 50], 2.95),
        ("#3331, short", [-0.25, 1.25], [115, 2196, 11328, 2317, 136], 2.94),
        ("#3331, long", [0.25, 1.25], [14, 1030, 14318, 1163, 19], 2.93),
    ];
    for (run, bounds, counts, published) in runs {
        let ours = llr(EloModel::Logistic, bounds, counts);
        assert!(agree(ours, published, 0.01), "{run}: {ours} instead of {published}");
    }
}

/// Later ones have bounds in normalised Elo (written <a,b>).
#[test]
fn fishtest_runs_with_normalised_bounds() {
    let runs = [
        ("#4194, short", [0.0, 2.0], [371, 10263, 24989, 10642, 379], 2.95),
        ("#4194, long", [0.5, 2.5], [47, 8181, 25234, 8575, 47], 2.94),
        ("#6036, first", [0.5, 2.5], [1, 1098, 3954, 1346, 1], 2.94),
        ("#6036, second", [0.0, 2.0], [0, 1236, 4490, 1474, 1], 2.94),
        ("#6036, third", [0.5, 2.5], [4, 2290, 7932, 2562, 4], 2.95),
    ];
    for (run, bounds, counts, published) in runs {
        let ours = llr(EloModel::Normalised, bounds, counts);
        assert!(agree(ours, published, 0.01), "{run}: {ours} instead of {published}");
    }
}

/// Expectations of fastchess's own tests (Disservin/fastchess, app/tests/sprt_test.cpp, at 1 %).
#[test]
fn fastchess_log_likelihood_ratios() {
    let pairs = [
        (EloModel::Normalised, [0.0, 2.0], [365, 16618, 36229, 16974, 390], 2.25),
        (EloModel::Normalised, [-1.75, 0.25], [127, 4883, 10712, 5150, 104], 3.01),
        (EloModel::Logistic, [0.5, 2.5], [223, 9863, 21279, 10037, 246], -3.07),
        (EloModel::Logistic, [0.0, 2.0], [871, 26175, 55983, 26678, 821], -4.98),
    ];
    for (model, bounds, counts, published) in pairs {
        let ours = llr(model, bounds, counts);
        assert!(agree(ours, published, 0.01), "{counts:?}: {ours} instead of {published}");
    }
    let games = [
        (EloModel::Normalised, [0.0, 2.0], [36027, 68692, 36433], 0.92),
        (EloModel::Normalised, [-1.75, 0.25], [10650, 20431, 10871], 2.30),
        (EloModel::Logistic, [0.5, 2.5], [21184, 40708, 21404], -1.57),
        (EloModel::Logistic, [0.0, 2.0], [57030, 106593, 57433], -2.59),
    ];
    for (model, bounds, counts, published) in games {
        let ours = llr(model, bounds, counts);
        assert!(agree(ours, published, 0.01), "{counts:?}: {ours} instead of {published}");
    }
}

/// Expectations of fastchess's own tests (app/tests/elo_test.cpp): Elo, its error, normalised Elo, its error.
#[test]
fn fastchess_elo_of_games_and_pairs() {
    let check = |elo: contest::Estimate, normalised: contest::Estimate, published: [f64; 4]| {
        let ours = [elo.value, elo.error.unwrap(), normalised.value, normalised.error.unwrap()];
        for (ours, published) in ours.into_iter().zip(published) {
            assert!(agree(ours, published, 0.01), "{ours} instead of {published}");
        }
    };
    let games = Trinomial::new([96, 111, 136]);
    check(games.elo(), games.normalised_elo(), [40.70, 30.43, 49.77, 36.77]);
    assert!(agree(100.0 * games.los(), 99.60, 0.01));
    let games = Trinomial::new([89, 123, 76]);
    assert!(agree(games.normalised_elo().value, -20.76, 0.01));
    assert!(agree(100.0 * games.los(), 15.53, 0.01));

    let pairs = [
        ([34, 54, 63, 64, 75], [55.58, 27.65, 57.94, 28.28]),
        ([332, 433, 498, 333, 334], [-8.64, 10.33, -9.17, 10.96]),
        ([7895, 8757, 5685, 568, 9999], [-21.04, 2.95, -19.01, 2.65]),
    ];
    for (counts, published) in pairs {
        let tally = Pentanomial::new(counts);
        check(tally.elo(), tally.normalised_elo(), published);
    }
    assert!(agree(100.0 * Pentanomial::new([332, 433, 498, 333, 334]).los(), 5.05, 0.01));
}

/// Final reports of matches run with fastchess, as printed in the READMEs and test logs of several engines.
#[test]
fn fastchess_reports() {
    struct Report {
        pairs: [u32; 5],
        elo: [f64; 2],
        normalised: [f64; 2],
        los: f64,
        draw_ratio: f64,
        pairs_ratio: f64,
    }
    let reports = [
        Report {
            pairs: [84, 124, 343, 125, 164],
            elo: [33.40, 14.24],
            normalised: [39.23, 16.61],
            los: 100.00,
            draw_ratio: 40.83,
            pairs_ratio: 1.39,
        },
        Report {
            pairs: [11, 1, 32, 8, 48],
            elo: [149.26, 55.24],
            normalised: [148.57, 48.15],
            los: 100.00,
            draw_ratio: 32.00,
            pairs_ratio: 4.67,
        },
        Report {
            pairs: [12, 6, 25, 8, 9],
            elo: [-11.59, 56.66],
            normalised: [-12.83, 62.16],
            los: 34.29,
            draw_ratio: 41.67,
            pairs_ratio: 0.94,
        },
        Report {
            pairs: [307, 619, 1202, 725, 353],
            elo: [10.73, 6.70],
            normalised: [13.63, 8.50],
            los: 99.92,
            draw_ratio: 37.49,
            pairs_ratio: 1.16,
        },
        Report {
            pairs: [0, 1, 58, 3, 438],
            elo: [474.93, 44.28],
            normalised: [659.06, 21.53],
            los: 100.00,
            draw_ratio: 11.60,
            pairs_ratio: 441.00,
        },
    ];
    for report in reports {
        let tally = Pentanomial::new(report.pairs);
        let (elo, normalised) = (tally.elo(), tally.normalised_elo());
        let figures = [
            (elo.value, report.elo[0]),
            (elo.error.unwrap(), report.elo[1]),
            (normalised.value, report.normalised[0]),
            (normalised.error.unwrap(), report.normalised[1]),
            (100.0 * tally.los(), report.los),
            (100.0 * tally.draw_ratio(), report.draw_ratio),
            (tally.pairs_ratio().unwrap(), report.pairs_ratio),
        ];
        for (ours, published) in figures {
            assert!(agree(ours, published, 0.01), "{:?}: {ours} instead of {published}", report.pairs);
        }
    }
    // The ratios of two of them; the bounds are normalised.
    assert!(agree(llr(EloModel::Normalised, [0.0, 1.0], [84, 124, 343, 125, 164]), 0.54, 0.01));
    assert!(agree(llr(EloModel::Normalised, [0.0, 5.0], [307, 619, 1202, 725, 353]), 2.95, 0.01));
}
