// SPDX-License-Identifier: GPL-3.0-or-later
//! An exact shuffle of files larger than memory: `records -> buckets by random key -> sorted buckets`.
//!
//! Every record gets a random key of 64 bits, and the output is sorted by these keys. Keys are independent and
//! alike, so every order of the records is equally likely: no window, no buffer, no approximation. The first
//! pass writes records into bucket files by the upper part of their keys, the second sorts one bucket after the
//! other in memory. A key comes from the seed and the place of its record in the input, so that neither the limit
//! of memory nor the number of threads changes a byte of the output.

use std::path::PathBuf;

use formats::{
    Kind,
    pieces::{Body, Grain},
};
use rules::Random;
use serde_json::json;

use crate::{
    Counts, DataError, Effort, Encoder, Watch, flow,
    job::{Job, Manifest, Output},
    pipeline,
    raw::{Raw, count_batch},
    source::Source,
};

/// Buckets that are open at once; more would not fit the limits of usual systems.
const MOST_BUCKETS: u64 = 900;
/// Buckets that are in memory at once in the second pass, in one form or another.
const BUCKETS_IN_MEMORY: u64 = 8;
/// Small pieces, as all that are under way lie in memory.
const GRAIN: Grain = Grain { bytes: 1 << 17, records: 1 << 12 };
/// What a record may grow to when positions are taken out of games, and what compression may hide.
const UNPACKING: u64 = 16;
const DECOMPRESSION: u64 = 6;
/// Before each record in a bucket: its key and its length.
const KEY_BYTES: usize = 8;
const HEAD_BYTES: usize = KEY_BYTES + 4;

/// Tallies by which an interrupted shuffle knows where it was.
const PIECES: &str = "pieces of input";
const SCATTERED: &str = "passes over the input";

/// A shuffle.
#[derive(Clone, Debug)]
pub struct Shuffle {
    /// Where the records go: of the kind they are of, or positions of games.
    pub output: PathBuf,
    /// Mebibytes of records in memory at once.
    pub memory: usize,
    /// What the order depends on.
    pub seed: u64,
    /// Whether to replace what is there.
    pub force: bool,
}

impl Shuffle {
    /// Shuffles; goes on where an earlier run was interrupted.
    ///
    /// # Errors
    /// When files cannot be had or do not fit together, or at the first damage if that is wanted.
    pub fn run(&self, source: &Source, effort: Effort, watch: &mut Watch<'_>) -> Result<Manifest, DataError> {
        let encoder = self.check(source)?;
        let buckets = self.buckets(source, encoder);
        let mut outputs = encoder.outputs(&self.output);
        let bucket = |number| self.output.with_added_extension(format!("bucket{number:03}"));
        outputs.extend((0..buckets).map(|number| Output::scratch(&bucket(number))));
        let mut plan = source.plan("shuffle", outputs, self.force)?;
        plan.settings.set("seed", json!(self.seed));
        plan.settings.set("buckets", json!(buckets));
        flow::carry_out(plan, effort, |job| {
            // Every bucket is saved too, and there may be hundreds.
            job.save_every(effort.save_every * 10);
            if !job.counts().tallies.contains_key(SCATTERED) {
                self.scatter(job, source, encoder, buckets, effort, watch)?;
            }
            gather(job, buckets, watch)
        })
    }

    fn check(&self, source: &Source) -> Result<Encoder, DataError> {
        let encoder = Encoder::of(&self.output)?;
        if !encoder.is_piecewise() || encoder.files() > 1 {
            let (found, expected) =
                ("records that cannot be moved one by one", "records of their own, such as .nsam or .vf");
            return Err(DataError::Holds { path: self.output.clone(), found, expected });
        }
        let games = source.has_only_games();
        if encoder.writes_games() && !games {
            let path = self.output.clone();
            return Err(DataError::Holds {
                path,
                found: "games",
                expected: "positions, as the input has them",
            });
        }
        Ok(encoder)
    }

    /// How many buckets keep within the memory, at a generous guess of what is to come.
    fn buckets(&self, source: &Source, encoder: Encoder) -> u64 {
        let guess = |(path, kind): (&std::path::Path, Kind)| {
            let compressed = Kind::of(&path.with_extension("")).is_some();
            let unpacked = kind.holds_games() && !encoder.writes_games();
            let bytes = path.metadata().map_or(0, |data| data.len());
            bytes * if compressed { DECOMPRESSION } else { 1 } * if unpacked { UNPACKING } else { 2 }
        };
        let bytes: u64 = source.kinds().map(guess).sum();
        let memory = (self.memory.max(1) as u64) << 20;
        (bytes * BUCKETS_IN_MEMORY / 2).div_ceil(memory).clamp(1, MOST_BUCKETS)
    }

    /// The first pass: every record into the bucket of its key.
    fn scatter(
        &self,
        job: &mut Job,
        source: &Source,
        encoder: Encoder,
        buckets: u64,
        effort: Effort,
        watch: &mut Watch<'_>,
    ) -> Result<(), DataError> {
        let work = |(): &mut (), (number, raw): (u64, Raw)| {
            let units = Units::of(raw, encoder, effort.strict)?;
            let mut scattered = vec![Vec::new(); buckets as usize];
            for (index, unit) in units.iter().enumerate() {
                let key = Random::stream(self.seed, number << 32 | index as u64).bits();
                let bucket = &mut scattered[bucket_of(key, buckets)];
                bucket.extend(key.to_le_bytes());
                bucket.extend((unit.len() as u32).to_le_bytes());
                bucket.extend(unit);
            }
            Ok((scattered, units.counts))
        };
        let settle = |job: &mut Job, (scattered, mut counts): (Vec<Vec<u8>>, Counts)| {
            for (number, bytes) in scattered.iter().enumerate() {
                job.append(1 + number, bytes)?;
            }
            counts.tally(PIECES, 1);
            Ok(counts)
        };
        let pieces = (0..).zip(source.pieces(GRAIN));
        flow::run_settling(job, pieces, effort.threads, || (), work, settle, watch)?;
        let mut end = Counts::default();
        end.tally(SCATTERED, 1);
        job.task_done(&end)?;
        job.save()
    }
}

/// The bucket of a key: buckets follow each other as their keys do.
fn bucket_of(key: u64, buckets: u64) -> usize {
    ((u128::from(key) * u128::from(buckets)) >> 64) as usize
}

/// The second pass: the records of one bucket after the other, sorted by their keys.
fn gather(job: &mut Job, buckets: u64, watch: &mut Watch<'_>) -> Result<(), DataError> {
    let pieces = job.counts().tallies.get(PIECES).copied().unwrap_or(0);
    let first = job.tasks().saturating_sub(pieces + 1);
    // What was in the buckets is on the disk; they are only read from here on.
    let mut readers = Vec::new();
    for bucket in first..buckets {
        readers.push(job.part_path(1 + bucket as usize));
    }
    let sorted = |(): &mut (), path: PathBuf| {
        std::fs::read(&path).map(|bytes| in_order_of_keys(&bytes)).map_err(DataError::io(&path))
    };
    pipeline::ordered(
        readers.into_iter(),
        1,
        || (),
        sorted,
        |bytes| {
            job.append(0, &bytes?)?;
            job.task_done(&Counts::default())?;
            watch(job.counts());
            Ok(())
        },
    )
}

/// The records of a bucket, without their heads.
fn in_order_of_keys(bucket: &[u8]) -> Vec<u8> {
    let mut records = Vec::new();
    let mut at = 0;
    while let Some(head) = bucket.get(at..at + HEAD_BYTES) {
        let key = u64::from_le_bytes(head[..KEY_BYTES].try_into().expect("8 bytes"));
        let length = u32::from_le_bytes(head[KEY_BYTES..].try_into().expect("4 bytes")) as usize;
        at += HEAD_BYTES;
        records.push((key, at, length));
        at += length;
    }
    // Equal keys are not to be expected; if they come, the place in the input decides.
    records.sort_unstable();
    let mut sorted = Vec::with_capacity(bucket.len());
    for (_, at, length) in records {
        sorted.extend_from_slice(&bucket[at..at + length]);
    }
    sorted
}

/// The records of a piece, one after the other.
struct Units {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    counts: Counts,
}

impl Units {
    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, &end)| &self.bytes[begin..end])
    }

    /// Records that stay what they are are not looked into; others are decoded and encoded anew.
    fn of(raw: Raw, encoder: Encoder, strict: bool) -> Result<Units, DataError> {
        let mut counts = Counts::default();
        if raw.kind == encoder.kind()
            && let Ok(Body::Records { bytes, broken: None, .. }) = &raw.body
            && let Some(size) = encoder.record_bytes()
            && bytes.len().is_multiple_of(size)
        {
            let Ok(Body::Records { bytes, .. }) = raw.body else { unreachable!("it was looked at") };
            counts.positions = (bytes.len() / size) as u64;
            return Ok(Units {
                ends: (1..=bytes.len() / size).map(|number| number * size).collect(),
                bytes,
                counts,
            });
        }
        let mut batch = raw.decode()?;
        count_batch(&mut batch, &mut counts, strict)?;
        let mut units = Units { bytes: Vec::new(), ends: Vec::new(), counts };
        if encoder.writes_games() {
            for game in &batch.games {
                let pieces = encoder.games(std::slice::from_ref(game), &mut units.counts);
                units.push(&pieces[0]);
            }
        } else {
            let of_games = batch.games.iter().flat_map(|game| game.samples());
            for sample in of_games.chain(batch.samples.iter().copied()) {
                let pieces = encoder.samples(&[sample], &mut units.counts);
                units.push(&pieces[0]);
            }
        }
        units.counts.games += batch.games.len() as u64;
        Ok(units)
    }

    fn push(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.bytes.extend_from_slice(bytes);
            self.ends.push(self.bytes.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Orders of a few records by their keys, as both passes make them.
    fn shuffled(count: u64, seed: u64, buckets: u64) -> Vec<u8> {
        let mut files = vec![Vec::new(); buckets as usize];
        for index in 0..count {
            let key = Random::stream(seed, index).bits();
            let file = &mut files[bucket_of(key, buckets)];
            file.extend(key.to_le_bytes());
            file.extend(1_u32.to_le_bytes());
            file.push(index as u8);
        }
        files.iter().flat_map(|file| in_order_of_keys(file)).collect()
    }

    #[test]
    fn every_order_is_equally_likely() {
        let mut orders = BTreeMap::new();
        let trials = 24_000;
        for seed in 0..trials {
            *orders.entry(shuffled(4, seed, 3)).or_insert(0_u32) += 1;
        }
        assert_eq!(orders.len(), 24);
        // Pearson's test with 23 degrees of freedom: 49.7 is exceeded once in a thousand times.
        let expected = f64::from(trials as u32) / 24.0;
        let chi_squared: f64 = orders.values().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
        assert!(chi_squared < 49.7, "{chi_squared} for {orders:?}");
    }

    #[test]
    fn every_place_is_equally_likely_for_every_record() {
        let (count, trials) = (10_u64, 20_000_u64);
        let mut hits = vec![vec![0_u32; count as usize]; count as usize];
        for seed in 0..trials {
            for (place, record) in shuffled(count, seed, 4).into_iter().enumerate() {
                hits[record as usize][place] += 1;
            }
        }
        // Two thousand each, with a deviation of 42.
        assert!(hits.iter().flatten().all(|&hit| hit.abs_diff(2000) < 215), "{hits:?}");
    }

    #[test]
    fn the_number_of_buckets_does_not_matter() {
        for buckets in [1, 2, 7, 64] {
            assert_eq!(shuffled(200, 5, buckets), shuffled(200, 5, 1), "{buckets}");
        }
        assert_ne!(shuffled(200, 5, 3), shuffled(200, 6, 3));
    }
}
