// SPDX-License-Identifier: GPL-3.0-or-later
//! Games or positions once only: workers name the keys of what they found, one sieve lets the first of each pass.

use std::io::Read;

use formats::{games::GameRecord, sample::Sample};

use crate::{Counts, DataError, Encoder, encode::Pieces, job::Job, seen::Seen};

/// What may be there only once.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Unique {
    /// Everything may be there any number of times.
    No,
    /// Every position once, by its key: pieces, side to move, castling rights, en passant square.
    Positions,
    /// Every game once, by start and moves.
    Games,
}

impl Unique {
    /// Its name in manifests.
    pub const fn name(self) -> &'static str {
        match self {
            Unique::No => "no",
            Unique::Positions => "positions",
            Unique::Games => "games",
        }
    }
}

/// Some bytes of a piece that stand or fall together.
#[derive(Clone, Debug)]
struct Mark {
    key: u64,
    /// How many bytes of each file.
    lengths: Vec<usize>,
    positions: u64,
}

/// What was found in a piece of input.
pub(super) struct Found {
    pieces: Pieces,
    marks: Vec<Mark>,
    counts: Counts,
    /// Games for a file that can only be written in blocks.
    games: Vec<GameRecord>,
}

impl Found {
    pub(super) fn new(files: usize) -> Found {
        Found {
            pieces: vec![Vec::new(); files],
            marks: Vec::new(),
            counts: Counts::default(),
            games: Vec::new(),
        }
    }

    /// Adds a whole game.
    pub(super) fn game(
        &mut self,
        key: u64,
        game: GameRecord,
        unique: Unique,
        encoder: Encoder,
        counts: &mut Counts,
    ) {
        if !encoder.is_piecewise() {
            return self.games.push(game);
        }
        let before = counts.positions;
        let bytes = encoder.games(&[game], counts);
        self.add(bytes, (unique == Unique::Games).then_some(key), counts.positions - before);
    }

    /// Adds positions of a game.
    pub(super) fn samples(
        &mut self,
        key: u64,
        samples: &[Sample],
        unique: Unique,
        encoder: Encoder,
        counts: &mut Counts,
    ) {
        let mut add = |samples: &[Sample], key: Option<u64>| {
            let before = counts.positions;
            let bytes = encoder.samples(samples, counts);
            self.add(bytes, key, counts.positions - before);
        };
        match unique {
            Unique::No => add(samples, None),
            Unique::Games => add(samples, Some(key)),
            Unique::Positions => samples.chunks(1).for_each(|one| add(one, Some(one[0].board.key()))),
        }
    }

    fn add(&mut self, bytes: Pieces, key: Option<u64>, positions: u64) {
        if let Some(key) = key {
            let lengths = bytes.iter().map(Vec::len).collect();
            self.marks.push(Mark { key, lengths, positions });
        }
        self.pieces.iter_mut().zip(&bytes).for_each(|(all, bytes)| all.extend_from_slice(bytes));
    }

    /// Nothing more comes.
    pub(super) fn finish(mut self, encoder: Encoder, mut counts: Counts) -> Found {
        if !self.games.is_empty() {
            self.pieces = encoder.games(&std::mem::take(&mut self.games), &mut counts);
        }
        self.counts = counts;
        self
    }
}

/// Lets the first of each key pass.
pub(super) struct Sieve {
    unique: Unique,
    seen: Option<Seen>,
    /// The number of the file that keeps the keys, so that an interrupted import remembers them.
    keys: usize,
}

impl Sieve {
    /// A sieve that remembers what an interrupted run let pass.
    pub(super) fn new(unique: Unique, memory: usize, keys: usize, job: &mut Job) -> Result<Sieve, DataError> {
        if unique == Unique::No {
            return Ok(Sieve { unique, seen: None, keys });
        }
        let mut seen = Seen::new(memory);
        let mut key = [0; 8];
        let mut reader = job.read_back(keys)?;
        while reader.read_exact(&mut key).is_ok() {
            seen.insert(u64::from_le_bytes(key));
        }
        Ok(Sieve { unique, seen: Some(seen), keys })
    }

    /// Appends what passes.
    pub(super) fn settle(&mut self, job: &mut Job, found: Found) -> Result<Counts, DataError> {
        let Found { pieces, marks, mut counts, .. } = found;
        let Some(seen) = &mut self.seen else {
            for (output, bytes) in pieces.iter().enumerate() {
                job.append(output, bytes)?;
            }
            return Ok(counts);
        };
        let mut at = vec![0; pieces.len()];
        for Mark { key, lengths, positions } in marks {
            let passes = seen.insert(key);
            for (output, length) in lengths.into_iter().enumerate() {
                let bytes = &pieces[output][at[output]..at[output] + length];
                at[output] += length;
                if passes {
                    job.append(output, bytes)?;
                }
            }
            if passes {
                job.append(self.keys, &key.to_le_bytes())?;
                continue;
            }
            counts.positions -= positions;
            if self.unique == Unique::Games {
                counts.games -= 1;
                counts.skip_game("duplicate");
            } else {
                counts.skip_positions("duplicate", positions);
            }
        }
        Ok(counts)
    }
}
