// SPDX-License-Identifier: GPL-3.0-or-later
//! Counting the positions a number of half-moves away: the proof of a move generator.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::Position;

/// How a count is made.
#[derive(Copy, Clone, Debug)]
pub struct Options {
    /// Threads that share the moves of the root.
    pub threads: usize,
    /// Size of a table of counts already made, in MiB; none if zero.
    pub hash_mb: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { threads: 1, hash_mb: 0 }
    }
}

/// How many positions are `depth` half-moves away.
pub fn count<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves(),
        2 => position.count_leaves(),
        _ => position.legal_moves().into_iter().map(|m| count(&position.after(m), depth - 1)).sum(),
    }
}

/// The count below every move of the root, in the order of generation.
pub fn divide<P>(position: &P, depth: u32, options: Options) -> Vec<(P::Move, u64)>
where
    P: Position + Sync,
    P::Move: Send + Sync,
{
    let moves = position.legal_moves();
    if depth == 0 {
        return Vec::new();
    }
    let counts: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let table = Table::new(options.hash_mb);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..options.threads.clamp(1, moves.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&m) = moves.get(index) else { break };
                    let child = position.after(m);
                    let leaves = match &table {
                        Some(table) => table.count(&child, depth - 1),
                        None => count(&child, depth - 1),
                    };
                    counts[index].store(leaves, Ordering::Relaxed);
                }
            });
        }
    });
    moves.into_iter().zip(counts.into_iter().map(AtomicU64::into_inner)).collect()
}

/// Counts already made, by position and depth; the key is XORed with the count, so that an entry two
/// threads wrote at once is recognised as torn.
struct Table {
    slots: Vec<[AtomicU64; 2]>,
}

impl Table {
    fn new(megabytes: usize) -> Option<Table> {
        let slots = megabytes * (1 << 20) / size_of::<[AtomicU64; 2]>();
        (slots > 0).then(|| Table { slots: (0..slots).map(|_| Default::default()).collect() })
    }

    fn count<P: Position>(&self, position: &P, depth: u32) -> u64 {
        if depth <= 2 {
            return count(position, depth);
        }
        let key = position.key() ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let index = ((u128::from(key) * self.slots.len() as u128) >> 64) as usize;
        let [check, leaves] = &self.slots[index];
        let known = leaves.load(Ordering::Relaxed);
        if known != 0 && check.load(Ordering::Relaxed) ^ known == key {
            return known;
        }
        let total =
            position.legal_moves().into_iter().map(|m| self.count(&position.after(m), depth - 1)).sum();
        check.store(key ^ total, Ordering::Relaxed);
        leaves.store(total, Ordering::Relaxed);
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;

    #[test]
    fn hashed_and_threaded_counts_agree_with_the_plain_one() {
        let board = Board::start();
        for options in [Options { threads: 2, hash_mb: 1 }, Options { threads: 3, hash_mb: 0 }] {
            let total: u64 = divide(&board, 5, options).iter().map(|&(_, leaves)| leaves).sum();
            assert_eq!(total, 4_865_609);
        }
        assert_eq!(count(&board, 4), 197_281);
    }
}
