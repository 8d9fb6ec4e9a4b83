// SPDX-License-Identifier: GPL-3.0-or-later
//! What the tables say: indices in range, the same for both sides, classes that mean what they say.

use std::collections::HashSet;

use features::chess::{FeatureSet, Features};
use rules::{
    Color,
    chess::{Board, Piece, Setup, Square},
};

use crate::{every_set, games::each_step};

/// Calls with every view, square of the own king, piece and square.
fn each_entry(mut visit: impl FnMut(Color, Square, Piece, Square)) {
    for view in Color::ALL {
        for king in Square::all() {
            for piece in Piece::ALL {
                for square in Square::all() {
                    visit(view, king, piece, square);
                }
            }
        }
    }
}

#[test]
fn indices_are_in_range_and_distinct() {
    for set in every_set() {
        let mut most = 0;
        each_entry(|view, king, piece, square| {
            let rows = set.rows(view, king, piece, square);
            most = most.max(rows.len());
            assert!(rows.iter().all(|&row| (row as usize) < set.size()), "{set}: {rows:?}");
            assert!(rows.iter().enumerate().all(|(n, row)| !rows[..n].contains(row)), "{set}: {rows:?}");
        });
        assert_eq!(most, set.max_rows(), "{set}");
    }
}

#[test]
fn every_index_that_is_not_dead_occurs_in_some_entry() {
    for set in every_set() {
        let mut occurs: HashSet<u32> = HashSet::new();
        each_entry(|view, king, piece, square| occurs.extend(set.rows(view, king, piece, square)));
        let dead: HashSet<u32> = set.dead().into_iter().collect();
        assert!(
            (0..set.size() as u32).all(|index| occurs.contains(&index) || dead.contains(&index)),
            "{set}"
        );
    }
}

/// The position with the colours exchanged and the squares as the other side sees them.
fn exchanged(board: &Board, set: &FeatureSet) -> Board {
    let mask = set.expression().frame.view.mask(Color::Black);
    let mut setup = Setup { turn: !board.turn(), ..Setup::EMPTY };
    for square in board.occupied() {
        let piece = board.piece_on(square).expect("an occupied square");
        setup.squares[square.index() ^ usize::from(mask)] = Some(Piece::new(!piece.color(), piece.role()));
    }
    Board::from_setup(&setup).unwrap_or_else(|error| panic!("{board}: {error}"))
}

#[test]
fn both_sides_see_the_same_with_colours_exchanged() {
    let sets = every_set();
    each_step(|board, _| {
        for set in &sets {
            let other = exchanged(board, set);
            for view in Color::ALL {
                let (mut here, mut there) = (Vec::new(), Vec::new());
                set.active(board, view, &mut here);
                set.active(&other, !view, &mut there);
                here.sort_unstable();
                there.sort_unstable();
                assert_eq!(here, there, "{set}: {view} in {board}");
                assert_eq!(set.class(view, board.king(view)), set.class(!view, other.king(!view)), "{set}");
            }
        }
    });
}

#[test]
fn a_folded_board_looks_the_same_mirrored() {
    let folded: Vec<FeatureSet> =
        every_set().into_iter().filter(|set| set.expression().frame.fold.is_some()).collect();
    assert!(folded.len() >= 4);
    for set in folded {
        each_entry(|view, king, piece, square| {
            let mirrored = set.rows(view, king.mirrored(), piece, square.mirrored());
            assert_eq!(set.rows(view, king, piece, square), mirrored, "{set}");
        });
    }
}

#[test]
fn a_class_is_the_squares_of_the_king_with_the_same_rows() {
    for set in every_set() {
        for view in Color::ALL {
            let rows = |king| {
                let sight = set.seen_by(view, king);
                let of = move |piece| Square::all().map(move |square| sight.rows(piece, square));
                Piece::ALL.into_iter().flat_map(of).collect::<Vec<_>>()
            };
            let all: Vec<_> = Square::all().map(rows).collect();
            for one in Square::all() {
                assert!(set.class(view, one) < set.classes(), "{set}");
                for two in Square::all() {
                    let same = set.class(view, one) == set.class(view, two);
                    assert_eq!(same, all[one.index()] == all[two.index()], "{set}: {view} king {one}, {two}");
                }
            }
        }
    }
}

#[test]
fn positions_keep_to_what_the_set_promises() {
    let sets = every_set();
    let dead: Vec<HashSet<u32>> = sets.iter().map(|set| set.dead().into_iter().collect()).collect();
    let mut shared = vec![false; sets.len()];
    each_step(|board, _| {
        for (number, set) in sets.iter().enumerate() {
            for view in Color::ALL {
                let mut indices = Vec::new();
                set.active(board, view, &mut indices);
                assert!(indices.len() <= set.max_active(), "{set}: {board}");
                assert!(indices.iter().all(|index| !dead[number].contains(index)), "{set}: {board}");
                let distinct: HashSet<u32> = indices.iter().copied().collect();
                assert!(set.is_counted() || distinct.len() == indices.len(), "{set}: {board}");

                let sight = set.seen_by(view, board.king(view));
                let pieces = board.occupied().into_iter();
                let all: usize = pieces
                    .map(|square| sight.rows(board.piece_on(square).expect("a piece"), square).len())
                    .sum();
                assert!(!set.is_counted() || all == indices.len(), "{set}: {board}");
                shared[number] |= all > distinct.len();
            }
        }
    });
    for (set, shared) in sets.iter().zip(shared) {
        assert_eq!(set.shares(), shared, "{set}");
    }
}
