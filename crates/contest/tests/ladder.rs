// SPDX-License-Identifier: GPL-3.0-or-later
//! Ratings of real games, compared with what `data/independent_fit.py` found for them by other means.

use std::collections::BTreeMap;

use contest::rating::{Games, Options, errors, fit};
use rules::{Color, Outcome};

/// Lines that are no comment, in words.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(' ').collect())
}

#[test]
fn an_independent_fit_agrees() {
    let mut numbers = BTreeMap::new();
    let mut games = Games::default();
    for row in rows(include_str!("data/ladder.games")) {
        let [white, black] = [row[0], row[1]].map(|name| {
            let next = numbers.len();
            *numbers.entry(name).or_insert(next)
        });
        let outcomes = [Outcome::Win(Color::Black), Outcome::Draw, Outcome::Win(Color::White)];
        for (outcome, count) in outcomes.into_iter().zip(&row[2..]) {
            (0..count.parse::<u32>().unwrap()).for_each(|_| games.add(white, black, outcome));
        }
    }
    assert!(games.players() >= 8 && games.count() >= 2_000, "{} games", games.count());

    let options = Options::default();
    let ratings = fit(&games, &options).unwrap();
    let errors = errors(&games, &options, &ratings, 1_000, 1);
    let expected: Vec<Vec<&str>> = rows(include_str!("data/ladder.ratings")).collect();
    assert_eq!(expected.len(), games.players() + 1);
    for row in expected {
        let [rating, error] = [row[1], row[2]].map(|number| number.parse::<f64>().unwrap());
        let (found, found_error) = match numbers.get(row[0]) {
            Some(&player) => (ratings.standings[player].rating().unwrap(), errors.ratings[player].unwrap()),
            None => (ratings.white_advantage, errors.white_advantage.unwrap()),
        };
        assert!((found - rating).abs() < 0.05, "{}: {found}, expected {rating}", row[0]);
        assert!((found_error / error - 1.0).abs() < 0.2, "{}: ± {found_error}, expected {error}", row[0]);
    }
}
