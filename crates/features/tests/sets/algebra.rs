// SPDX-License-Identifier: GPL-3.0-or-later
//! Laws of products and sums, tried on random expressions.

use features::chess::{ExpressionError, FeatureSet};
use rules::{
    Color, Random,
    chess::{Piece, Square},
};

const BASIC: [&str; 18] = [
    "File",
    "rank",
    "Square",
    "Diagonal",
    "Antidiagonal",
    "Role",
    "Role5",
    "Role[PK]",
    "Colour",
    "color",
    "Own",
    "Enemy",
    "King",
    "KingFile",
    "KingRank",
    "RelativeFile",
    "RelativeRank",
    "Unused",
];
const TIMES: [&str; 4] = ["×", "*", " x ", " × "];
const PLUS: [&str; 3] = ["⊕", "+", " ⊕ "];

/// A random expression without modifiers.
pub(crate) fn random_text(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.one_in(4) {
        return random.pick(&BASIC).to_owned();
    }
    let sign = if random.one_in(2) { random.pick(&TIMES) } else { random.pick(&PLUS) };
    let parts: Vec<String> = (0..2 + random.below(2))
        .map(|_| {
            let part = random_text(random, depth - 1);
            if random.one_in(2) { format!("({part})") } else { part }
        })
        .collect();
    parts.join(sign)
}

/// A random set that is small enough to be tried often.
fn random_set(random: &mut Random, modifiers: &str) -> (String, FeatureSet) {
    loop {
        let text = random_text(random, 2);
        match FeatureSet::parse(&format!("{text}{modifiers}")) {
            Ok(set) if set.size() <= 4096 => return (text, set),
            Ok(_) | Err(ExpressionError::TooLarge { .. } | ExpressionError::TooMany { .. }) => {}
            Err(error) => panic!("{text}: {error}"),
        }
    }
}

#[test]
fn products_multiply_and_sums_add() {
    let mut random = Random::new(3);
    for round in 0..24 {
        let modifiers = ["", ", rotate", ", fold a-d", ", fold e-h, rotate", ", counted"][round % 5];
        let (left, a) = random_set(&mut random, modifiers);
        let (right, b) = random_set(&mut random, modifiers);
        let product = FeatureSet::parse(&format!("({left}) × ({right}){modifiers}"));
        let sum = FeatureSet::parse(&format!("({left}) ⊕ ({right}){modifiers}")).expect("a small set");
        assert_eq!(sum.size(), a.size() + b.size(), "{sum}");
        if let Ok(product) = &product {
            assert_eq!(product.size(), a.size() * b.size(), "{product}");
        }
        for _ in 0..4000 {
            let view = random.pick(&Color::ALL);
            let (king, piece) = (Square::new(random.below(64) as u8), random.pick(&Piece::ALL));
            let square = Square::new(random.below(64) as u8);
            let rows = |set: &FeatureSet| set.rows(view, king, piece, square).to_vec();
            let (of_a, of_b) = (rows(&a), rows(&b));
            let shifted = of_b.iter().map(|&index| a.size() as u32 + index);
            assert_eq!(rows(&sum), of_a.iter().copied().chain(shifted).collect::<Vec<_>>(), "{sum}");
            if let Ok(product) = &product {
                let stride = b.size() as u32;
                let pairs = of_a.iter().flat_map(|&i| of_b.iter().map(move |&j| i * stride + j));
                assert_eq!(rows(product), pairs.collect::<Vec<_>>(), "{product}");
            }
        }
    }
}
