// SPDX-License-Identifier: GPL-3.0-or-later
//! Ratings of games whose truth is known.

use contest::{
    Random, elo_of_score,
    rating::{Errors, Games, Options, RatingError, Ratings, Scale, Standing, errors, fit, outcome_shares},
    score_of_elo,
};
use rules::{Color, Outcome};

const TRUE_RATINGS: [f64; 8] = [-300.0, -210.0, -100.0, -35.0, 25.0, 110.0, 220.0, 290.0];
const TRUE_ADVANTAGE: f64 = 35.0;
const TRUE_DRAW_RATE: f64 = 0.4;

/// A tournament in which everybody has White against everybody else so many times.
fn tournament(games_each: u32, seed: u64) -> Games {
    let mut random = Random::new(seed);
    let mut games = Games::new(TRUE_RATINGS.len());
    for (white, white_rating) in TRUE_RATINGS.iter().enumerate() {
        for (black, black_rating) in TRUE_RATINGS.iter().enumerate().filter(|&(black, _)| black != white) {
            let score = score_of_elo(white_rating + TRUE_ADVANTAGE - black_rating);
            let [lost, drawn, _] = outcome_shares(score, TRUE_DRAW_RATE);
            for _ in 0..games_each {
                let unit = random.unit();
                let outcome = if unit < lost {
                    Outcome::Win(Color::Black)
                } else if unit < lost + drawn {
                    Outcome::Draw
                } else {
                    Outcome::Win(Color::White)
                };
                games.add(white, black, outcome);
            }
        }
    }
    games
}

/// Games of player 0 with both colours against player 1.
fn duel(wins: u32, draws: u32, losses: u32) -> Games {
    let mut games = Games::new(2);
    for (count, points) in [(wins, 2), (draws, 1), (losses, 0)] {
        for game in 0..count {
            let first_is_white = game % 2 == 0;
            let outcome = match points {
                1 => Outcome::Draw,
                _ => Outcome::Win(if (points == 2) == first_is_white { Color::White } else { Color::Black }),
            };
            if first_is_white { games.add(0, 1, outcome) } else { games.add(1, 0, outcome) }
        }
    }
    games
}

fn numbers(ratings: &Ratings) -> Vec<f64> {
    ratings.standings.iter().map(|standing| standing.rating().unwrap()).collect()
}

#[test]
fn a_duel_has_the_elo_of_its_score() {
    let ratings = fit(&duel(60, 30, 10), &Options::default()).unwrap();
    let [first, second] = numbers(&ratings)[..] else { panic!("two players") };
    assert!((first - second - elo_of_score(0.75)).abs() < 1e-4, "{ratings:?}");
    assert!((first + second).abs() < 1e-9);
    assert!(ratings.white_advantage.abs() < 1e-4, "colours were level");
}

#[test]
fn everybody_is_expected_to_score_what_they_scored() {
    let games = tournament(20, 1);
    let ratings = fit(&games, &Options::default()).unwrap();
    let numbers = numbers(&ratings);
    for player in 0..games.players() {
        let opponents = (0..games.players()).filter(|&opponent| opponent != player);
        let expected: f64 = opponents
            .map(|opponent| {
                let difference = numbers[player] - numbers[opponent];
                20.0 * score_of_elo(difference + ratings.white_advantage)
                    + 20.0 * score_of_elo(difference - ratings.white_advantage)
            })
            .sum();
        let record = games.records()[player];
        let scored = record.score() * f64::from(record.samples());
        // White's prior, a hundredth of a draw, is all that may be missing.
        assert!((expected - scored).abs() < 1e-3, "player {player}: {expected} of {scored}");
    }
}

#[test]
fn the_truth_is_found_again() {
    let games = tournament(200, 2);
    let options = Options::default();
    let ratings = fit(&games, &options).unwrap();
    let errors = errors(&games, &options, &ratings, 300, 3);
    for ((found, error), truth) in numbers(&ratings).into_iter().zip(&errors.ratings).zip(TRUE_RATINGS) {
        let error = error.unwrap();
        assert!((found - truth).abs() < 2.0 * error, "{found} ± {error} instead of {truth}");
        assert!((4.0..20.0).contains(&error), "{error}");
    }
    let advantage = errors.white_advantage.unwrap();
    let off = (ratings.white_advantage - TRUE_ADVANTAGE).abs();
    assert!(off < 2.0 * advantage && advantage < 10.0, "{ratings:?}");
    let draw_rate = errors.draw_rate.unwrap();
    assert!((ratings.draw_rate - TRUE_DRAW_RATE).abs() < 2.0 * draw_rate && draw_rate < 0.03, "{ratings:?}");
}

#[test]
fn intervals_cover_the_truth_as_often_as_they_say() {
    let options = Options::default();
    let (mut covered, mut all) = (0, 0);
    for seed in 0..60 {
        let games = tournament(20, 100 + seed);
        let ratings = fit(&games, &options).unwrap();
        let errors = errors(&games, &options, &ratings, 100, seed);
        for ((found, error), truth) in numbers(&ratings).into_iter().zip(errors.ratings).zip(TRUE_RATINGS) {
            covered += u32::from((found - truth).abs() < error.unwrap());
            all += 1;
        }
    }
    let share = f64::from(covered) / f64::from(all);
    assert!((0.92..0.98).contains(&share), "{share}");
}

#[test]
fn errors_of_a_duel_are_those_of_the_formula() {
    // Without draws the variance of the difference is 1 / (n s (1 - s)) on the curve's scale; around the
    // mean each of the two moves half of it, around an anchor the other moves all.
    let games = duel(600, 0, 400);
    let formula = 1.96 * 400.0 / 10f64.ln() / (1000.0f64 * 0.6 * 0.4).sqrt();
    let options = Options { white_advantage: Some(0.0), ..Options::default() };
    let ratings = fit(&games, &options).unwrap();
    let found = errors(&games, &options, &ratings, 2_000, 1);
    for error in &found.ratings {
        assert!((error.unwrap() / (formula / 2.0) - 1.0).abs() < 0.06, "{error:?} of {}", formula / 2.0);
    }
    assert_eq!(found.white_advantage, None);

    let options = Options { scale: Scale::Anchor { player: 1, rating: 2800.0 }, ..options };
    let ratings = fit(&games, &options).unwrap();
    assert!((numbers(&ratings)[1] - 2800.0).abs() < 1e-9);
    assert!((numbers(&ratings)[0] - 2800.0 - elo_of_score(0.6)).abs() < 1e-4);
    let found = errors(&games, &options, &ratings, 2_000, 1);
    assert!((found.ratings[0].unwrap() / formula - 1.0).abs() < 0.06);
    assert_eq!(found.ratings[1], Some(0.0));
}

#[test]
fn the_same_seed_gives_the_same_errors() {
    let (games, options) = (tournament(5, 4), Options::default());
    let ratings = fit(&games, &options).unwrap();
    assert_eq!(errors(&games, &options, &ratings, 20, 1), errors(&games, &options, &ratings, 20, 1));
    assert_ne!(errors(&games, &options, &ratings, 20, 1), errors(&games, &options, &ratings, 20, 2));
    let none = errors(&games, &options, &ratings, 0, 1);
    assert_eq!(none, Errors { ratings: vec![None; 8], white_advantage: None, draw_rate: None });
}

#[test]
fn a_clean_score_is_reported_not_rated() {
    let mut games = tournament(20, 5);
    for player in 0..8 {
        games.add(8, player, Outcome::Win(Color::White));
        games.add(player, 9, Outcome::Win(Color::White));
    }
    games.add(10, 11, Outcome::Draw);
    let alone = fit(&tournament(20, 5), &Options::default()).unwrap();
    let ratings = fit(&games, &Options::default()).unwrap();
    assert_eq!(ratings.standings[..8], alone.standings[..]);
    let outside = [Standing::Above, Standing::Below, Standing::Apart, Standing::Apart];
    assert_eq!(ratings.standings[8..], outside);
    let found = errors(&games, &Options::default(), &ratings, 10, 1);
    assert!(found.ratings[..8].iter().all(Option::is_some) && found.ratings[8..] == [None; 4]);
}

#[test]
fn a_prior_rates_everybody() {
    let games = duel(10, 0, 0);
    let options = Options { prior: 1.0, ..Options::default() };
    let ratings = fit(&games, &options).unwrap();
    let [first, second] = numbers(&ratings)[..] else { panic!("two players") };
    assert!(first > 100.0 && second < -100.0 && first.is_finite(), "{ratings:?}");
    assert!((first + second).abs() < 1e-6);
}

#[test]
fn a_prior_hardly_moves_who_played_much() {
    let games = tournament(200, 2);
    let without = fit(&games, &Options::default()).unwrap();
    let with = fit(&games, &Options { prior: 1.0, ..Options::default() }).unwrap();
    for (with, without) in numbers(&with).into_iter().zip(numbers(&without)) {
        assert!((with - without).abs() < 1.0, "{with} {without}");
    }
}

#[test]
fn a_game_that_white_always_wins_has_a_finite_advantage() {
    let mut games = Games::new(2);
    for _ in 0..50 {
        games.add(0, 1, Outcome::Win(Color::White));
        games.add(1, 0, Outcome::Win(Color::White));
    }
    let ratings = fit(&games, &Options::default()).unwrap();
    assert!(ratings.white_advantage > 500.0 && ratings.white_advantage.is_finite(), "{ratings:?}");
    assert!(numbers(&ratings).iter().all(|rating| rating.abs() < 1e-6));
}

#[test]
fn wide_fields_converge() {
    // A ladder of players 200 Elo apart, each playing only the neighbours.
    let mut games = Games::new(15);
    for lower in 0..14 {
        for game in 0..100u32 {
            let (white, black) = if game % 2 == 0 { (lower, lower + 1) } else { (lower + 1, lower) };
            let winner = if game < 24 { lower } else { lower + 1 };
            games.add(white, black, Outcome::Win(if winner == white { Color::White } else { Color::Black }));
        }
    }
    let ratings = fit(&games, &Options { scale: Scale::Mean(2000.0), ..Options::default() }).unwrap();
    let numbers = numbers(&ratings);
    for pair in numbers.windows(2) {
        assert!((pair[1] - pair[0] - elo_of_score(0.76)).abs() < 1e-3, "{numbers:?}");
    }
    assert!((numbers.iter().sum::<f64>() / 15.0 - 2000.0).abs() < 1e-6);
}

#[test]
fn refuses_what_cannot_be_rated() {
    assert_eq!(fit(&Games::new(3), &Options::default()), Err(RatingError::NoGames));
    let anchored = Options { scale: Scale::Anchor { player: 1, rating: 0.0 }, ..Options::default() };
    assert_eq!(fit(&duel(10, 0, 0), &anchored), Err(RatingError::Anchor { player: 1 }));
    let negative = Options { prior: -1.0, ..Options::default() };
    assert_eq!(fit(&duel(1, 1, 1), &negative), Err(RatingError::Prior(-1.0)));
}
