// SPDX-License-Identifier: GPL-3.0-or-later
//! Numbers known from elsewhere: the sizes of the thesis, and the indices of the Stockfish 12 files.

use features::chess::{FeatureSet, Features, provided, statistics};
use rules::{Color, chess::Board};

/// Name, features, classes of king squares, dead features.
///
/// Lombardo counts 16 dead features of Piece, pawns on the last rank; pawns do not stand on their own first
/// rank either, which makes 32. The others follow from the definitions: nothing but the king stands on its
/// square, pawns stand on 48 squares, and the enemy king on none of the 420 pairs of neighbouring squares.
const SETS: [(&str, usize, usize, usize); 13] = [
    ("Piece", 768, 1, 32),
    ("Compact", 192, 1, 4),
    ("HalfKP", 40_960, 64, HALF_KP_DEAD),
    ("King-Piece", 40_960, 64, HALF_KP_DEAD),
    ("HalfKP-SF12", 41_024, 64, HALF_KP_DEAD + 64),
    ("HalfKA", 49_152, 64, HALF_KP_DEAD + 64 * 63 + 64 + 420),
    ("HalfKAv2", 45_056, 64, HALF_KP_DEAD + 420),
    ("HalfKAv2-hm", 22_528, 64, (HALF_KP_DEAD + 420) / 2),
    ("HalfKAv2-hm-SF15", 22_528, 64, (HALF_KP_DEAD + 420) / 2),
    // Pawns; the own king on squares of other buckets; the enemy king near, other pieces on, all squares.
    ("HalfKA-hm8", 6_144, 16, 8 * 32 + (8 * 64 - 32) + (4 + 5 * 6) + 4 * 8),
    ("half_relativeH_king_piece", 1_200, 8, 15 * 2 * 2),
    ("RelativeV", 1_200, 8, 8 * 2 * 2),
    ("RelativeHV", 2_250, 64, 15 * 2 * 2 + 10),
];

/// Ten kinds of pieces on the king's square, pawns on 16 squares; the latter hold 16 kings too.
const HALF_KP_DEAD: usize = 64 * (10 + 2 * 16) - 16 * 2;

#[test]
fn sizes_classes_and_dead_features() {
    for (name, size, classes, dead) in SETS {
        let set = FeatureSet::parse(name).expect(name);
        assert_eq!((set.size(), set.classes(), set.dead().len()), (size, classes, dead), "{name}");
    }
}

#[test]
fn names_are_shorthands() {
    for set in provided() {
        let compiled = FeatureSet::parse(set.name).expect(set.name);
        assert_eq!(compiled.name(), Some(set.name));
        assert_eq!(compiled.text(), set.text);
        assert_eq!(FeatureSet::parse(set.text).expect(set.text), compiled);
        assert!(set.alias.is_none_or(|alias| FeatureSet::parse(alias).expect(alias) == compiled));
    }
    assert_eq!(FeatureSet::parse("Piece ⊕ File").expect("a set").name(), None);
}

/// The indices of the start position, in rising order.
fn start_position(set: &FeatureSet, view: Color) -> Vec<u32> {
    let mut indices = Vec::new();
    set.active(&Board::start(), view, &mut indices);
    indices.sort_unstable();
    indices
}

#[test]
fn the_layout_of_the_stockfish_12_files() {
    let set = FeatureSet::parse("HalfKP-SF12").expect("a provided set");
    // White: king e1 = 4, so the indices start at 4 * 641; the last is the queen on d8.
    let white = start_position(&set, Color::White);
    assert_eq!((white.len(), white[0], white[29]), (30, 2573, 3200));
    assert_eq!(white[..8], [2573, 2574, 2575, 2576, 2577, 2578, 2579, 2580]);
    // Black: the king on e8 is seen on d1 = 3.
    let black = start_position(&set, Color::Black);
    assert_eq!((black.len(), black[0], black[29]), (30, 1932, 2560));
    assert_eq!(black[..8], [1932, 1933, 1934, 1935, 1936, 1937, 1938, 1939]);
    assert_eq!(set.describe(2573), "king e1, pawn, own, a2");
    assert_eq!(set.describe(2564), "king e1, unused");
    assert_eq!(set.max_active(), 30);
}

/// `index = 641 * king + 1 + 64 * slot + square`, as the description of the files has it.
#[test]
fn every_index_of_the_stockfish_12_files() {
    use rules::chess::{Piece, Role, Square};
    let set = FeatureSet::parse("HalfKP-SF12").expect("a provided set");
    for view in Color::ALL {
        let turn = if view == Color::White { 0 } else { 63 };
        for king in Square::all() {
            for piece in Piece::ALL {
                for square in Square::all() {
                    let slot = 2 * piece.role().index() + usize::from(piece.color() != view);
                    let index = 641 * (king.index() ^ turn) + 1 + 64 * slot + (square.index() ^ turn);
                    let expected: &[u32] = if piece.role() == Role::King { &[] } else { &[index as u32] };
                    assert_eq!(set.rows(view, king, piece, square), expected);
                }
            }
        }
    }
}

/// `index = 704 * bucket + 64 * plane + square` on a board that is turned so that the own king is below and on e to h,
/// buckets counted from the king on h8 on.
#[test]
fn every_index_of_the_stockfish_15_files() {
    use rules::chess::{Piece, Role, Square};
    let set = FeatureSet::parse("HalfKAv2-hm-SF15").expect("a provided set");
    for view in Color::ALL {
        for king in Square::all() {
            let turn = if view == Color::White { 0 } else { 56 } ^ if king.index() % 8 < 4 { 7 } else { 0 };
            let seen = king.index() ^ turn;
            let bucket = 4 * (7 - seen / 8) + 7 - seen % 8;
            for piece in Piece::ALL {
                for square in Square::all() {
                    let plane = match piece.role() {
                        Role::King => 10,
                        role => 2 * role.index() + usize::from(piece.color() != view),
                    };
                    let index = 704 * bucket + 64 * plane + (square.index() ^ turn);
                    assert_eq!(set.rows(view, king, piece, square), [index as u32]);
                }
            }
        }
    }
}

#[test]
fn pieces_that_share_an_index_count_once_or_each() {
    let binary = FeatureSet::parse("Compact").expect("a provided set");
    // Each side has pawns on eight files and pieces on eight, pawns on one rank and five roles on another.
    assert_eq!(start_position(&binary, Color::White).len(), 2 * (8 + 8 + 1 + 5));
    let counted = FeatureSet::parse("Compact, counted").expect("a set");
    assert_eq!(start_position(&counted, Color::White).len(), 2 * 32);
    assert_eq!((binary.needs_counts(), counted.needs_counts()), (true, false));
}

#[test]
fn statistics_of_a_short_game() {
    let set = FeatureSet::parse("HalfKP").expect("a provided set");
    let board = Board::start();
    let moves = ["e2e4", "d7d5", "e4d5", "e8d7"];
    let mut after = board;
    let moves = moves.map(|text| {
        let m = after.parse_uci(text).expect(text);
        after.play(m);
        m
    });
    let found = statistics(&set, [(board, moves)]);
    assert_eq!((found.games, found.positions, found.moves), (1, 5, 4));
    assert_eq!((found.own_refreshes, found.other_refreshes, found.most_active), (1, 0, 30));
    assert_eq!(found.mean_active(), (30.0 * 3.0 + 29.0 * 2.0) / 5.0);
    // Seven views change by increments: two moves in both, the capture in both, the king's move in White's.
    assert_eq!(found.mean_added(), 6.0 / 7.0);
    assert_eq!(found.mean_removed(), 8.0 / 7.0);
    assert_eq!(found.mean_refreshes(), 0.25);
    assert!(found.never_seen() > 40_000 && found.never_seen() < 40_960 - 60);
}
