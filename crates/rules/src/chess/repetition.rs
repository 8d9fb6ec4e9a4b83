// SPDX-License-Identifier: GPL-3.0-or-later
//! Repetitions: found from the keys of past positions, and one move ahead by a cuckoo table.
//!
//! Callers keep a list of position keys, the current one last. `reversible` is how many of the last
//! moves could be undone: nothing further back can repeat.

use super::{Bitboard, Board, Piece, Role, Square, attacks, zobrist};

/// Whether the current position repeats one that is less than `ply` half-moves away, or repeats twice.
///
/// A search treats the first repetition inside its own tree (below its root) as a draw, since whoever wanted something
/// else could have played it the first time.
#[inline]
pub fn is_repetition(keys: &[u64], reversible: usize, ply: usize) -> bool {
    let Some((&current, past)) = keys.split_last() else { return false };
    let mut seen_before_root = false;
    let mut back = 4;
    while back <= reversible && back <= past.len() {
        if past[past.len() - back] == current {
            if back < ply || seen_before_root {
                return true;
            }
            seen_before_root = true;
        }
        back += 2;
    }
    false
}

const SLOTS: usize = 8192;

#[derive(Copy, Clone)]
struct Step {
    key: u64,
    from: Square,
    to: Square,
}

/// Every reversible move, found by how it changes the position key.
static STEPS: [Step; SLOTS] = fill();

const fn first_slot(key: u64) -> usize {
    key as usize % SLOTS
}

const fn second_slot(key: u64) -> usize {
    (key >> 16) as usize % SLOTS
}

const fn fill() -> [Step; SLOTS] {
    let nothing = Step { key: 0, from: Square::A1, to: Square::A1 };
    let mut table = [nothing; SLOTS];
    let mut index = Piece::WhiteKnight.index();
    while index < Piece::COUNT {
        let piece = Piece::ALL[index];
        let mut from = 0;
        while from < 64 {
            let mut to = from + 1;
            while to < 64 {
                let (a, b) = (Square::new(from), Square::new(to));
                if is_step(piece.role(), a, b) {
                    insert(&mut table, Step { key: zobrist::step(piece, a, b), from: a, to: b });
                }
                to += 1;
            }
            from += 1;
        }
        index += 1;
    }
    table
}

/// Whether a piece can go from one square to the other on the empty board.
const fn is_step(role: Role, from: Square, to: Square) -> bool {
    let files = from.file().abs_diff(to.file());
    let ranks = from.rank().abs_diff(to.rank());
    let (straight, diagonal) = (files == 0 || ranks == 0, files == ranks);
    match role {
        Role::Pawn => false,
        Role::Knight => files * ranks == 2,
        Role::Bishop => diagonal,
        Role::Rook => straight,
        Role::Queen => straight || diagonal,
        Role::King => files <= 1 && ranks <= 1,
    }
}

/// Cuckoo insertion: a newcomer evicts the occupant, which moves to its other slot, and so on.
const fn insert(table: &mut [Step; SLOTS], step: Step) {
    let mut homeless = step;
    let mut slot = first_slot(step.key);
    loop {
        let evicted = table[slot];
        table[slot] = homeless;
        if evicted.key == 0 {
            return;
        }
        homeless = evicted;
        slot = if slot == first_slot(homeless.key) {
            second_slot(homeless.key)
        } else {
            first_slot(homeless.key)
        };
    }
}

/// Whether the side to move has a move that repeats an earlier position.
///
/// As in [`is_repetition`], a repetition of a position from before the last `ply` ones counts only if
/// that position had itself been repeated.
pub fn has_upcoming_repetition(board: &Board, keys: &[u64], reversible: usize, ply: usize) -> bool {
    let Some((&current, past)) = keys.split_last() else { return false };
    let reach = reversible.min(past.len());
    let mut back = 3;
    while back <= reach {
        let earlier = past.len() - back;
        let change = current ^ past[earlier];
        if let Some(step) = find(change)
            && (attacks::between(step.from, step.to) & board.occupied()).is_empty()
            && is_own_piece(board, step)
            && (back < ply || occurred_before(past, earlier))
        {
            return true;
        }
        back += 2;
    }
    false
}

#[inline]
fn find(change: u64) -> Option<Step> {
    [STEPS[first_slot(change)], STEPS[second_slot(change)]].into_iter().find(|step| step.key == change)
}

/// Of the two squares of a step one holds the piece; it must belong to the side to move.
#[inline]
fn is_own_piece(board: &Board, step: Step) -> bool {
    !(board.color(board.turn()) & Bitboard::of(step.from).with(step.to)).is_empty()
}

/// Whether the position at `index` had occurred earlier still.
fn occurred_before(past: &[u64], index: usize) -> bool {
    past[..index].contains(&past[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_holds_every_reversible_move() {
        let filled = STEPS.iter().filter(|step| step.key != 0).count();
        assert_eq!(filled, 3668);
        for step in STEPS.iter().filter(|step| step.key != 0) {
            let found = find(step.key).expect("every step is in one of its two slots");
            assert_eq!((found.from, found.to), (step.from, step.to));
        }
    }
}
