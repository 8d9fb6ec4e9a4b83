// SPDX-License-Identifier: GPL-3.0-or-later
//! The positions of a run: `files -> intake -> store -> supply`, and which of them each sample is.
//!
//! The [`intake`] reads, filters and holds out, the [`store`] keeps the records in memory or in a file, the [`supply`]
//! hands them to the backends, all at once or one window after the other.

pub(crate) mod hindsight;
pub(crate) mod intake;
mod siblings;
pub(crate) mod store;
mod stretch;
pub(crate) mod supply;
pub(crate) mod teacher;

use std::{
    io,
    path::{Path, PathBuf},
};

use formats::ReadError;
use nnue::NetError;
use thiserror::Error;

use self::{
    intake::{Intake, Reading},
    store::Store,
};
use crate::{Permutation, Record};

/// A file of records and how often it is seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Where it is.
    pub path: PathBuf,
    /// Its first record in memory.
    pub first: usize,
    /// How many records of it are used.
    pub len: usize,
    /// How often each is seen per epoch.
    pub weight: f64,
    /// Where its samples end within an epoch.
    pub end: u64,
    /// A checksum of these records.
    pub checksum: u64,
}

/// The records of a run.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    records: Vec<Record>,
    parts: Vec<Part>,
    seed: u64,
    /// Records that belong together and stay so.
    group: usize,
}

/// Files that hold no data.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum DataError {
    #[error("{}: {cause}", path.display())]
    Io { path: PathBuf, cause: io::Error },
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{}: {found}, expected {expected}", path.display())]
    Kind { path: PathBuf, found: &'static str, expected: &'static str },
    #[error("{}: no position with score and result is left of {read}, expected some", path.display())]
    Nothing { path: PathBuf, read: u64 },
    #[error("{}: {records} records, expected a multiple of {group}, which belong together", path.display())]
    Group { path: PathBuf, records: usize, group: usize },
    #[error("{}: {cause}", path.display())]
    Teacher { path: PathBuf, cause: NetError },
    #[error("no records are left to train with, expected some")]
    Empty,
}

impl Dataset {
    /// Records in memory, each seen once per epoch.
    pub fn from_records(records: Vec<Record>, seed: u64) -> Dataset {
        let len = records.len();
        let part = Part { path: PathBuf::new(), first: 0, len, weight: 1.0, end: len as u64, checksum: 0 };
        Dataset { records, parts: vec![part], seed, group: 1 }
    }

    /// The same records, of which every few in a row belong together.
    pub fn in_groups(self, group: usize) -> Dataset {
        Dataset { group, ..self }
    }

    /// Reads whole files into memory, without filters; a share of each is put aside and returned too. Every `group`
    /// records in a row belong together.
    pub fn load(
        files: &[(PathBuf, f64)],
        hold_out: f64,
        seed: u64,
        group: usize,
    ) -> Result<(Dataset, Vec<Record>), DataError> {
        let intake = Intake { hold_out, group, ..Intake::default() };
        let mut store = Store::new(u64::MAX, None);
        let held_out = store.fill(files, &intake, &mut Reading::default())?;
        let (parts, records) = (store.parts().to_vec(), store.into_memory());
        Ok((Dataset { records, parts, seed, group }, held_out))
    }

    /// A file to check with, in memory.
    pub(crate) fn check_with(
        path: &Path,
        intake: &Intake,
        reading: &mut Reading<'_>,
    ) -> Result<Dataset, DataError> {
        let mut store = Store::new(u64::MAX, None);
        store.fill(&[(path.to_owned(), 1.0)], intake, reading)?;
        let (parts, records) = (store.parts().to_vec(), store.into_memory());
        Ok(Dataset { records, parts, seed: 0, group: intake.group })
    }

    /// Samples of an epoch.
    pub fn samples(&self) -> u64 {
        self.parts.last().map_or(0, |part| part.end)
    }

    /// All records.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The files.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Records that belong together.
    pub fn group(&self) -> usize {
        self.group.max(1)
    }

    /// The order of an epoch, by groups.
    pub fn order(&self, epoch: u64) -> Permutation {
        Permutation::new(self.samples() / self.group() as u64, self.seed, epoch)
    }

    /// Which record a place of an epoch is.
    #[inline]
    pub fn locate(&self, order: &Permutation, epoch: u64, place: u64) -> usize {
        let sample = match self.group() as u64 {
            1 => order.at(place),
            group => order.at(place / group) * group + place % group,
        };
        let mut start = 0;
        for part in &self.parts {
            if sample < part.end {
                // A part of which only some records are seen goes on where the last epoch ended.
                let count = part.end - start;
                return part.first + ((sample - start + epoch * count) % part.len as u64) as usize;
            }
            start = part.end;
        }
        0
    }
}

/// All positions of a file that have score and result, in their order; with what is said of them by hand if there is an
/// engine to ask.
pub fn read_records(path: &Path, reading: &mut Reading<'_>) -> Result<Vec<Record>, DataError> {
    let intake = Intake { group: 1, by_hand: reading.insight.is_some(), ..Intake::default() };
    Ok(Dataset::check_with(path, &intake, reading)?.records)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rules::chess::Board;

    use super::*;

    fn records(count: i16) -> Vec<Record> {
        (0..count).map(|score| Record::new(&Board::start(), score, 1)).collect()
    }

    fn write(name: &str, records: &[Record]) -> PathBuf {
        let path = std::env::temp_dir().join(format!("nue-dataset-{}-{name}", std::process::id()));
        fs::write(&path, records.iter().flat_map(|record| record.0).collect::<Vec<u8>>()).unwrap();
        path
    }

    fn epoch(data: &Dataset, epoch: u64) -> Vec<i16> {
        let order = data.order(epoch);
        let record = |place| data.records()[data.locate(&order, epoch, place)];
        (0..data.samples()).map(|place| record(place).score()).collect()
    }

    #[test]
    fn an_epoch_sees_every_record_as_often_as_its_weight_says() {
        let (a, b) = (write("a", &records(100)), write("b", &records(40)));
        let (data, held_out) = Dataset::load(&[(a.clone(), 0.5), (b.clone(), 2.0)], 0.1, 5, 1).unwrap();
        assert_eq!((data.samples(), held_out.len()), (45 + 72, 14));
        assert!(held_out[..10].iter().map(Record::score).eq(90..100));
        // Two epochs see each of the 90 once and each of the 36 four times.
        let mut seen = epoch(&data, 0);
        seen.extend(epoch(&data, 1));
        let count = |score| seen.iter().filter(|&&s| s == score).count();
        assert!((0..36).all(|score| count(score) == 5) && (36..90).all(|score| count(score) == 1));
        assert_ne!(epoch(&data, 0), epoch(&data, 1));
        fs::remove_file(a).unwrap();
        fs::remove_file(b).unwrap();
    }

    #[test]
    fn what_belongs_together_stays_together() {
        let path = write("groups", &records(99));
        let (data, held_out) = Dataset::load(&[(path.clone(), 2.0)], 0.1, 5, 3).unwrap();
        assert_eq!((data.samples(), held_out.len()), (180, 9));
        for (seen, together) in
            [epoch(&data, 0), epoch(&data, 1)].iter().flat_map(|seen| seen.chunks_exact(3)).enumerate()
        {
            assert!(together[0] % 3 == 0, "{seen}");
            assert!(together.iter().copied().eq(together[0]..together[0] + 3), "{together:?}");
        }
        let error = Dataset::load(&[(path.clone(), 1.0)], 0.0, 5, 2).unwrap_err().to_string();
        assert!(error.ends_with("99 records, expected a multiple of 2, which belong together"), "{error}");
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn damaged_files_are_named_with_the_place() {
        let mut bad = records(3);
        bad[2].0[26] = 9;
        let path = write("bad", &bad);
        let error = read_records(&path, &mut Reading::default()).unwrap_err().to_string();
        assert!(error.ends_with("byte 64: result 9, expected 0, 1 or 2"), "{error}");
        fs::write(&path, [0; 33]).unwrap();
        assert!(read_records(&path, &mut Reading::default()).is_err());
        fs::write(&path, []).unwrap();
        let error = read_records(&path, &mut Reading::default()).unwrap_err().to_string();
        assert!(error.ends_with("no position with score and result is left of 0, expected some"), "{error}");
        fs::remove_file(path).unwrap();
    }
}
