// SPDX-License-Identifier: GPL-3.0-or-later
//! The transposition table: what is already known about positions, shared by all threads.
//!
//! A cluster of 32 bytes holds three entries of 64 bits and, in its fourth word, 16 bits of each
//! entry's key. Words are read and written with relaxed atomics and no lock: two threads may mix their
//! entries, so a move from the table is checked for legality before it is played, and a wrong score is
//! rare enough to drown in the search.
#![allow(unsafe_code, reason = "fresh memory as empty clusters")]

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use nnue::pages::{self, Pages, Zeroed};
use rules::chess::Move;

use super::score::NO_EVAL;

/// What the score of an entry says about the true one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Flag {
    /// Nothing: only the evaluation is known.
    None = 0,
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// The true score.
    Exact = 3,
}

impl Flag {
    const ALL: [Flag; 4] = [Flag::None, Flag::Upper, Flag::Lower, Flag::Exact];

    /// Whether the score is a lower bound or exact.
    pub(crate) fn is_lower(self) -> bool {
        self as u8 & 2 != 0
    }

    /// Whether the score is an upper bound or exact.
    pub(crate) fn is_upper(self) -> bool {
        self as u8 & 1 != 0
    }

    /// Whether an entry with this flag decides a null window at `bound`.
    pub(crate) fn decides(self, score: i32, bound: i32) -> bool {
        if score >= bound { self.is_lower() } else { self.is_upper() }
    }
}

/// What the table knows about a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) m: Move,
    pub(crate) score: i32,
    pub(crate) eval: i32,
    pub(crate) depth: i32,
    pub(crate) flag: Flag,
    pub(crate) pv: bool,
}

/// Depths are stored from here on, so that quiescence depths fit into a byte.
const DEPTH_OFFSET: i32 = 8;
const AGES: u8 = 32;

/// Bits of a word: move 0-15, score 16-31, evaluation 32-47, depth 48-55, flag 56-57, pv 58, age 59-63.
fn pack(entry: &Entry, age: u8) -> u64 {
    u64::from(entry.m.to_bits())
        | u64::from(entry.score as i16 as u16) << 16
        | u64::from(entry.eval as i16 as u16) << 32
        | u64::from((entry.depth + DEPTH_OFFSET).clamp(1, 255) as u8) << 48
        | (entry.flag as u64) << 56
        | u64::from(entry.pv) << 58
        | u64::from(age) << 59
}

fn unpack(word: u64) -> Entry {
    Entry {
        m: Move::from_bits(word as u16),
        score: i32::from((word >> 16) as i16),
        eval: i32::from((word >> 32) as i16),
        depth: depth_of(word),
        flag: Flag::ALL[(word >> 56 & 3) as usize],
        pv: word >> 58 & 1 != 0,
    }
}

fn depth_of(word: u64) -> i32 {
    i32::from((word >> 48) as u8) - DEPTH_OFFSET
}

fn age_of(word: u64) -> u8 {
    (word >> 59) as u8
}

const ENTRIES: usize = 3;

#[repr(align(32))]
struct Cluster {
    entries: [AtomicU64; ENTRIES],
    keys: AtomicU64,
}

// SAFETY: nothing but atomic numbers.
unsafe impl Zeroed for Cluster {}

impl Cluster {
    fn key_of(keys: u64, slot: usize) -> u16 {
        (keys >> (16 * slot)) as u16
    }
}

/// The table.
pub(crate) struct TranspositionTable {
    clusters: Pages<Cluster>,
    age: AtomicU8,
}

impl TranspositionTable {
    /// An empty table of this size, or none if the memory is not to be had.
    pub(crate) fn new(megabytes: usize) -> Option<TranspositionTable> {
        let count = megabytes.max(1).checked_mul(1 << 20)? / size_of::<Cluster>();
        Some(TranspositionTable { clusters: Pages::zeroed(count)?, age: AtomicU8::new(0) })
    }

    /// Forgets everything, with several threads.
    pub(crate) fn clear(&self, threads: usize) {
        let clusters = &*self.clusters;
        let part = clusters.len().div_ceil(threads.max(1)).max(1);
        std::thread::scope(|scope| {
            for chunk in clusters.chunks(part) {
                scope.spawn(move || {
                    for cluster in chunk {
                        cluster.entries.iter().for_each(|entry| entry.store(0, Relaxed));
                        cluster.keys.store(0, Relaxed);
                    }
                });
            }
        });
        self.age.store(0, Relaxed);
    }

    /// Marks the start of a search: what earlier ones stored may be replaced sooner.
    pub(crate) fn new_search(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    fn cluster(&self, key: u64) -> &Cluster {
        let clusters = &*self.clusters;
        // The high half of a wide product spreads keys evenly over any number of clusters.
        let index = ((u128::from(key) * clusters.len() as u128) >> 64) as usize;
        &clusters[index]
    }

    /// Asks the CPU to fetch the cluster of a key, which will be needed soon.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        pages::prefetch(self.cluster(key));
    }

    /// What is known about a position.
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        let cluster = self.cluster(key);
        let keys = cluster.keys.load(Relaxed);
        for (slot, entry) in cluster.entries.iter().enumerate() {
            if Cluster::key_of(keys, slot) == key as u16 {
                let word = entry.load(Relaxed);
                if word != 0 {
                    return Some(unpack(word));
                }
            }
        }
        None
    }

    /// Stores what was found about a position, in place of what is worth least.
    pub(crate) fn store(&self, key: u64, mut entry: Entry) {
        let cluster = self.cluster(key);
        let age = self.age.load(Relaxed);
        let keys = cluster.keys.load(Relaxed);
        let short = key as u16;

        let mut slot = 0;
        let mut least = i32::MAX;
        for (index, candidate) in cluster.entries.iter().enumerate() {
            let word = candidate.load(Relaxed);
            if word == 0 || Cluster::key_of(keys, index) == short {
                slot = index;
                break;
            }
            let older = i32::from((AGES + age - age_of(word)) % AGES);
            let worth = depth_of(word) - 8 * older;
            if worth < least {
                (least, slot) = (worth, index);
            }
        }

        let old = cluster.entries[slot].load(Relaxed);
        if old != 0 && Cluster::key_of(keys, slot) == short {
            if entry.m == Move::NONE {
                entry.m = Move::from_bits(old as u16);
            }
            let deep_enough = entry.depth + 4 + 2 * i32::from(entry.pv) > depth_of(old);
            if entry.flag != Flag::Exact && !deep_enough && age_of(old) == age {
                return;
            }
        }
        let shift = 16 * slot;
        cluster.entries[slot].store(pack(&entry, age), Relaxed);
        cluster.keys.store(keys & !(0xFFFF << shift) | u64::from(short) << shift, Relaxed);
    }

    /// Stores an evaluation alone, so that nobody has to compute it again.
    pub(crate) fn store_eval(&self, key: u64, eval: i32, pv: bool) {
        let depth = 1 - DEPTH_OFFSET;
        self.store(key, Entry { m: Move::NONE, score: NO_EVAL, eval, depth, flag: Flag::None, pv });
    }

    /// Permille of a sample of the table that the current search has filled.
    pub(crate) fn hashfull(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = self.clusters.iter().take(1000);
        let entries = sample.flat_map(|cluster| &cluster.entries);
        let full = entries.map(|entry| entry.load(Relaxed)).filter(|&word| word != 0 && age_of(word) == age);
        (full.count() / ENTRIES) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32, score: i32) -> Entry {
        Entry { m: Move::from_bits(0x1234), score, eval: -77, depth, flag: Flag::Lower, pv: true }
    }

    #[test]
    fn entries_come_back_as_stored() {
        let table = TranspositionTable::new(1).expect("a mebibyte");
        assert_eq!(table.probe(99), None);
        for (key, depth, score) in [(1 << 60 | 5, 9, 31_990), (7 << 50 | 6, -3, -31_990), (3, 200, 0)] {
            table.store(key, entry(depth, score));
            assert_eq!(table.probe(key), Some(entry(depth, score)));
        }
        table.clear(2);
        assert_eq!(table.probe(3), None);
    }

    #[test]
    fn a_move_is_not_lost_to_an_entry_without_one() {
        let table = TranspositionTable::new(1).expect("a mebibyte");
        table.store(42, entry(5, 10));
        table.store(42, Entry { m: Move::NONE, ..entry(6, 20) });
        assert_eq!(table.probe(42).map(|found| (found.m, found.score)), Some((Move::from_bits(0x1234), 20)));
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let table = TranspositionTable::new(1).expect("a mebibyte");
        // Keys with equal high bits share a cluster; their low 16 bits tell them apart.
        for (low, depth) in [(1, 10), (2, 3), (3, 12)] {
            table.store(low, entry(depth, 0));
        }
        table.store(4, entry(1, 0));
        assert_eq!(table.probe(2), None);
        assert!(table.probe(1).is_some() && table.probe(3).is_some() && table.probe(4).is_some());
    }
}
