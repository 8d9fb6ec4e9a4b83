// SPDX-License-Identifier: GPL-3.0-or-later
//! What moves change, added up, is what a look at the whole board finds.

use features::chess::{Changes, Counts, Delta, FeatureSet, Features, Update};
use rules::{
    Color,
    chess::{Board, Piece, Square},
};

use crate::{
    every_set,
    games::{Step, each_step},
};

fn play(board: &Board, step: &Step) -> (Board, Delta) {
    let mut after = *board;
    match *step {
        Step::Move(m) => {
            let delta = Delta::play(&mut after, m);
            assert_eq!(Delta::of(board, m), delta);
            (after, delta)
        }
        Step::Null => {
            after.play_null();
            (after, Delta::default())
        }
    }
}

fn active(set: &dyn Features, board: &Board, view: Color) -> Vec<u32> {
    let mut indices = Vec::new();
    set.active(board, view, &mut indices);
    indices.sort_unstable();
    indices
}

/// Adds before it removes: an index in both lists stays.
fn apply(changes: &Changes, indices: &mut Vec<u32>, context: &str) {
    indices.extend(&changes.added);
    for removed in &changes.removed {
        let at = indices.iter().position(|index| index == removed);
        indices.swap_remove(at.unwrap_or_else(|| panic!("{context}: {removed} was not active")));
    }
    indices.sort_unstable();
}

#[test]
fn a_delta_leads_from_one_board_to_the_next() {
    let squares = |board: &Board| -> [Option<Piece>; 64] {
        std::array::from_fn(|n| board.piece_on(Square::new(n as u8)))
    };
    each_step(|board, step| {
        let (after, delta) = play(board, step);
        let mut pieces = squares(board);
        for &(piece, square) in delta.removed() {
            assert_eq!(pieces[square.index()].take(), Some(piece), "{board}");
        }
        for &(piece, square) in delta.added() {
            assert_eq!(pieces[square.index()].replace(piece), None, "{board}");
        }
        assert_eq!(pieces, squares(&after), "{board}");
        for color in Color::ALL {
            let Step::Move(m) = *step else { continue };
            assert_eq!(delta.moves_king(color), m.from() == board.king(color), "{board}");
        }
    });
}

#[test]
fn changes_lead_from_the_features_of_one_board_to_those_of_the_next() {
    let sets = every_set();
    let mut changes = Changes::default();
    let mut refreshes = vec![0; sets.len()];
    each_step(|board, step| {
        let (after, delta) = play(board, step);
        for (set, refreshes) in sets.iter().zip(&mut refreshes) {
            for view in Color::ALL {
                changes.clear();
                let context = format!("{set}: {view} in {board}, then {after}");
                match set.changed(board, &after, &delta, view, &mut changes) {
                    Update::Refresh => {
                        *refreshes += 1;
                        assert!(delta.moves_king(view), "{context}");
                        assert_eq!(changes, Changes::default(), "{context}");
                    }
                    Update::Increment => {
                        let mut indices = active(set, board, view);
                        apply(&changes, &mut indices, &context);
                        assert_eq!(indices, active(set, &after, view), "{context}");
                    }
                }
                if matches!(step, Step::Null) {
                    assert_eq!(changes, Changes::default(), "{context}");
                }
            }
        }
    });
    for (set, refreshes) in sets.iter().zip(refreshes) {
        assert_eq!(refreshes > 0, set.classes() > 1, "{set}: {refreshes} refreshes");
    }
}

/// Counts of all pieces' rows.
fn counts(set: &FeatureSet, board: &Board, view: Color) -> Counts {
    let mut counts = Counts::new(set.size());
    for square in board.occupied() {
        let piece = board.piece_on(square).expect("an occupied square");
        for &row in set.rows(view, board.king(view), piece, square) {
            counts.add(row);
        }
    }
    counts
}

#[test]
fn counts_tell_the_same_changes() {
    let sets: Vec<FeatureSet> = every_set().into_iter().filter(FeatureSet::needs_counts).collect();
    assert!(sets.len() >= 4);
    let mut changes = Changes::default();
    each_step(|board, step| {
        let (after, delta) = play(board, step);
        for set in &sets {
            for view in Color::ALL {
                changes.clear();
                if set.changed(board, &after, &delta, view, &mut changes) == Update::Refresh {
                    continue;
                }
                let mut running = counts(set, board, view);
                let mut counted = Changes::default();
                let sight = set.seen_by(view, after.king(view));
                // Arrivals first, or an index that another piece takes over would vanish for a moment.
                for &(piece, square) in delta.added() {
                    counted.added.extend(sight.rows(piece, square).iter().filter(|&&row| running.add(row)));
                }
                for &(piece, square) in delta.removed() {
                    counted
                        .removed
                        .extend(sight.rows(piece, square).iter().filter(|&&row| running.remove(row)));
                }
                assert_eq!(running, counts(set, &after, view), "{set}: {view} in {board}, then {after}");
                let mut indices = active(set, board, view);
                apply(&counted, &mut indices, "counted");
                assert_eq!(indices, active(set, &after, view), "{set}: {view} in {board}, then {after}");
            }
        }
    });
}
