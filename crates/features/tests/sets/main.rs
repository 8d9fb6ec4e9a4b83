// SPDX-License-Identifier: GPL-3.0-or-later
//! Laws that every feature set obeys, the provided ones and any other that can be written down.

mod algebra;
mod games;
mod increments;
mod known;
mod tables;
mod text;

use features::chess::{FeatureSet, provided};

/// Sets without a name that use what the provided ones do not.
const OTHERS: [&str; 12] = [
    "Piece ⊕ File × Role × Colour",
    "Diagonal × Role × Colour ⊕ Antidiagonal × Role × Colour",
    "Own × File ⊕ Enemy × File",
    "Own × File ⊕ Enemy × File, counted",
    "Compact, counted, rotate",
    "KingFile × Piece, fold a-d",
    "Rank × Role × Colour, fold e-h, rotate",
    "KingRank × RelativeFile × Role[PK] ⊕ Unused",
    "Bucket[0 0 0 1 1 2 2 2/3 3 3 3 4 4 4 4/5 5 5 5 5 5 5 5] × Compact",
    "Bucket[0 1 2 3/4 4 4 4] × (Piece ⊕ Rank × Role[RQ]), fold e-h, rotate",
    "King × Role[K]",
    "Square",
];

/// Every set that the laws are tried on.
fn every_set() -> Vec<FeatureSet> {
    let texts = provided().iter().map(|set| set.text).chain(OTHERS);
    let sets: Vec<FeatureSet> =
        texts.map(|text| FeatureSet::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))).collect();
    assert!(sets.len() >= 20);
    sets
}
