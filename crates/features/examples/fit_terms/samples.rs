// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions as sparse vectors of counts, with what is known of their worth.

use features::chess::terms::{self, COUNT, FULL_PHASE, Group, Sink, Term};
use rules::{Color, chess::Board};

/// One entry of a position: index and count, White's less Black's.
#[derive(Copy, Clone)]
pub(crate) struct Entry {
    pub(crate) index: u16,
    pub(crate) count: i16,
}

/// What is known of a position besides its counts.
#[derive(Copy, Clone)]
pub(crate) struct Facts {
    start: usize,
    linear: u16,
    white_danger: u8,
    black_danger: u8,
    /// The share of the middlegame, 0 to 1.
    pub(crate) phase: f32,
    /// The scale class if White, if Black is ahead.
    pub(crate) classes: [u8; 2],
    /// White's score in centipawns.
    pub(crate) score: f32,
    /// White's result.
    pub(crate) result: f32,
}

/// Many positions.
#[derive(Default)]
pub(crate) struct Samples {
    pub(crate) facts: Vec<Facts>,
    entries: Vec<Entry>,
}

/// The counts of one position: those that simply add up, and the dangers each side makes.
pub(crate) struct Counts<'a> {
    pub(crate) linear: &'a [Entry],
    pub(crate) danger: [&'a [Entry]; 2],
}

impl Samples {
    pub(crate) fn len(&self) -> usize {
        self.facts.len()
    }

    pub(crate) fn mean_entries(&self) -> usize {
        self.entries.len() / self.len().max(1)
    }

    pub(crate) fn counts(&self, facts: &Facts) -> Counts<'_> {
        let linear = facts.start + usize::from(facts.linear);
        let white = linear + usize::from(facts.white_danger);
        let black = white + usize::from(facts.black_danger);
        Counts {
            linear: &self.entries[facts.start..linear],
            danger: [&self.entries[linear..white], &self.entries[white..black]],
        }
    }

    pub(crate) fn push(&mut self, board: &Board, score: f32, result: f32, collector: &mut Collector) {
        let start = self.entries.len();
        terms::count(board, collector);
        let linear = collector.drain_linear(&mut self.entries);
        let [white_danger, black_danger] = collector.drain_danger(&mut self.entries);
        self.facts.push(Facts {
            start,
            linear: linear as u16,
            white_danger: white_danger as u8,
            black_danger: black_danger as u8,
            phase: terms::phase(board) as f32 / FULL_PHASE as f32,
            classes: Color::ALL.map(|strong| terms::scale_class(board, strong) as u8),
            score,
            result,
        });
    }

    pub(crate) fn append(&mut self, mut other: Samples) {
        let shift = self.entries.len();
        self.facts.extend(other.facts.drain(..).map(|facts| Facts { start: facts.start + shift, ..facts }));
        self.entries.append(&mut other.entries);
    }
}

/// Adds up the counts of one position.
pub(crate) struct Collector {
    linear: Vec<i16>,
    touched: Vec<u16>,
    danger: [Vec<Entry>; 2],
}

impl Collector {
    pub(crate) fn new() -> Collector {
        Collector { linear: vec![0; COUNT], touched: Vec::new(), danger: [Vec::new(), Vec::new()] }
    }

    fn drain_linear(&mut self, entries: &mut Vec<Entry>) -> usize {
        let before = entries.len();
        self.touched.sort_unstable();
        for index in self.touched.drain(..) {
            let count = std::mem::take(&mut self.linear[usize::from(index)]);
            if count != 0 {
                entries.push(Entry { index, count });
            }
        }
        entries.len() - before
    }

    fn drain_danger(&mut self, entries: &mut Vec<Entry>) -> [usize; 2] {
        self.danger.each_mut().map(|list| {
            let len = list.len();
            entries.append(list);
            len
        })
    }
}

impl Sink for Collector {
    fn add(&mut self, side: Color, term: Term, entry: usize, n: i32) {
        assert!(entry < term.entries(), "{} has no entry {entry}", term.name());
        if n == 0 {
            return;
        }
        let index = term.offset() + entry;
        if term.group() == Group::Danger {
            self.danger[side.index()].push(Entry { index: index as u16, count: n as i16 });
        } else {
            self.touched.push(index as u16);
            self.linear[index] += if side == Color::White { n as i16 } else { -n as i16 };
        }
    }
}
