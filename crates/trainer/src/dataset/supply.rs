// SPDX-License-Identifier: GPL-3.0-or-later
//! The samples of a run: all records in memory, or one window of them after the other.
//!
//! Data that do not fit into memory lie in a file, in blocks of neighbouring records. An epoch brings the blocks into
//! a random order and cuts it into windows; a window is read into memory and shuffled there. Which window a step
//! needs, and which samples of it, is a function of the step's number: a run can go on anywhere.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use rules::{Checksum, Random};

use super::{
    DataError, Dataset, Part,
    intake::{Intake, Reading, Tally},
    store::{Store, io_error, save, with_records},
};
use crate::Record;

/// Neighbouring records that are read at once; a multiple of three, for triplets.
const BLOCK: usize = 6144;
/// Records that are read at once to compare their checksum.
const CHECKED_AT_ONCE: usize = 1 << 18;

/// Where the records of a run come from.
#[derive(Clone, Debug)]
pub(crate) enum Supply {
    Whole(Arc<Dataset>),
    Windows(Windows),
}

/// Records in a file, of which a window at a time is in memory.
#[derive(Clone, Debug)]
pub(crate) struct Windows {
    path: PathBuf,
    parts: Vec<Part>,
    seed: u64,
    group: usize,
    /// The parts counted in blocks: which blocks an epoch sees, and in which order.
    blocks: Dataset,
    per_epoch: u64,
    steps: u64,
}

/// How data are kept.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Keep<'a> {
    /// What memory may hold.
    pub(crate) memory_bytes: u64,
    /// Where records go that are too many; without it they are left out.
    pub(crate) place: Option<&'a Path>,
    /// Whether they go there in any case, because they were costly.
    pub(crate) always: bool,
    pub(crate) seed: u64,
    /// Positions of a step.
    pub(crate) batch: usize,
}

impl Supply {
    /// Reads files; also returns what is held out, and what became of all positions.
    pub(crate) fn read(
        files: &[(PathBuf, f64)],
        intake: &Intake,
        keep: &Keep<'_>,
        reading: &mut Reading<'_>,
    ) -> Result<(Supply, Vec<Record>, Tally), DataError> {
        let limit = keep.memory_bytes / Record::SIZE as u64;
        let mut store = Store::new(limit, keep.place.map(Path::to_owned));
        let held_out = store.fill(files, intake, reading)?;
        let (tally, parts) = (store.tally, store.parts().to_vec());
        let group = intake.group;
        if let (true, Some(place)) = (store.is_file(), keep.place) {
            return Ok((Supply::Windows(Windows::new(place, parts, group, keep)), held_out, tally));
        }
        let records = store.into_memory();
        if let (true, Some(place)) = (keep.always, keep.place) {
            save(place, &records)?;
        }
        let data = Dataset { records, parts, seed: keep.seed, group };
        Ok((Supply::Whole(Arc::new(data)), held_out, tally))
    }

    /// The records that an earlier run left at its place, with their checksums; of `parts` the path, length and weight
    /// count.
    pub(crate) fn again(
        mut parts: Vec<Part>,
        group: usize,
        keep: &Keep<'_>,
        place: &Path,
    ) -> Result<Supply, DataError> {
        let (mut first, mut end) = (0, 0);
        for part in &mut parts {
            part.first = first;
            first += part.len;
            end += group.max(1) as u64 * (part.weight * (part.len / group.max(1)) as f64).round() as u64;
            part.end = end;
        }
        let mut file = File::open(place).map_err(io_error(place))?;
        if (first * Record::SIZE) as u64 > keep.memory_bytes {
            for part in &mut parts {
                part.checksum = checksum(&mut file, place, part.first..part.first + part.len)?;
            }
            return Ok(Supply::Windows(Windows::new(place, parts, group, keep)));
        }
        let mut records = nnue::pages::reserve(first);
        append(&mut file, place, 0, first, &mut records)?;
        for part in &mut parts {
            let records = &records[part.first..][..part.len];
            part.checksum = with_records(Checksum::new(), records).value();
        }
        Ok(Supply::Whole(Arc::new(Dataset { records, parts, seed: keep.seed, group })))
    }

    /// The files.
    pub(crate) fn parts(&self) -> &[Part] {
        match self {
            Supply::Whole(data) => data.parts(),
            Supply::Windows(windows) => &windows.parts,
        }
    }

    /// Samples of an epoch.
    pub(crate) fn samples(&self) -> u64 {
        self.parts().last().map_or(0, |part| part.end)
    }

    /// Windows of an epoch.
    pub(crate) fn windows(&self) -> u64 {
        match self {
            Supply::Whole(_) => 1,
            Supply::Windows(windows) => windows.per_epoch,
        }
    }

    /// The number of the window that a step needs; counted on from epoch to epoch.
    pub(crate) fn window_of(&self, step: u64) -> u64 {
        match self {
            Supply::Whole(_) => 0,
            Supply::Windows(windows) => step / windows.steps,
        }
    }

    /// Which step of its window a step is.
    pub(crate) fn step_within(&self, step: u64) -> u64 {
        match self {
            Supply::Whole(_) => step,
            Supply::Windows(windows) => step % windows.steps,
        }
    }

    /// The records of a window.
    pub(crate) fn window(&self, number: u64) -> Result<Arc<Dataset>, DataError> {
        match self {
            Supply::Whole(data) => Ok(data.clone()),
            Supply::Windows(windows) => windows.read(number).map(Arc::new),
        }
    }
}

impl Windows {
    fn new(path: &Path, parts: Vec<Part>, group: usize, keep: &Keep<'_>) -> Windows {
        let (mut first, mut end) = (0, 0);
        let in_blocks = |part: &Part| {
            let len = part.len.div_ceil(BLOCK);
            end += ((part.weight * len as f64).round() as u64).max(u64::from(len > 0));
            let blocks = Part { first, len, end, ..part.clone() };
            first += len;
            blocks
        };
        let block_parts: Vec<Part> = parts.iter().map(in_blocks).collect();
        let blocks = Dataset { records: Vec::new(), parts: block_parts, seed: keep.seed, group: 1 };
        let fit = (keep.memory_bytes / (BLOCK * Record::SIZE) as u64).max(1);
        let per_epoch = blocks.samples().div_ceil(fit);
        let largest = blocks.samples().div_ceil(per_epoch) * BLOCK as u64;
        let steps = largest.div_ceil(keep.batch as u64);
        Windows { path: path.to_owned(), parts, seed: keep.seed, group, blocks, per_epoch, steps }
    }

    fn read(&self, number: u64) -> Result<Dataset, DataError> {
        let (epoch, window) = (number / self.per_epoch, number % self.per_epoch);
        let (order, total) = (self.blocks.order(epoch), self.blocks.samples());
        let mut chosen: Vec<usize> = (window * total / self.per_epoch..(window + 1) * total / self.per_epoch)
            .map(|place| self.blocks.locate(&order, epoch, place))
            .collect();
        // The order within a window does not matter, and the disk likes to go forward.
        chosen.sort_unstable();
        let mut file = File::open(&self.path).map_err(io_error(&self.path))?;
        let mut records = nnue::pages::reserve(chosen.len() * BLOCK);
        for block in chosen {
            let (part, blocks) = self
                .parts
                .iter()
                .zip(self.blocks.parts())
                .rfind(|(_, blocks)| blocks.first <= block)
                .ok_or(DataError::Empty)?;
            let from = BLOCK * (block - blocks.first);
            append(&mut file, &self.path, part.first + from, BLOCK.min(part.len - from), &mut records)?;
        }
        let len = records.len();
        let whole =
            Part { path: self.path.clone(), first: 0, len, weight: 1.0, end: len as u64, checksum: 0 };
        let seed = Random::stream(self.seed, number).bits();
        Ok(Dataset { records, parts: vec![whole], seed, group: self.group })
    }
}

/// The checksum of some records of a file, of which a block at a time is in memory.
fn checksum(file: &mut File, place: &Path, records: Range<usize>) -> Result<u64, DataError> {
    let (mut sum, mut some) = (Checksum::new(), Vec::new());
    for first in records.clone().step_by(CHECKED_AT_ONCE) {
        some.clear();
        append(file, place, first, CHECKED_AT_ONCE.min(records.end - first), &mut some)?;
        sum = with_records(sum, &some);
    }
    Ok(sum.value())
}

/// Appends `count` records of a file, from number `first` on.
fn append(
    file: &mut File,
    path: &Path,
    first: usize,
    count: usize,
    records: &mut Vec<Record>,
) -> Result<(), DataError> {
    file.seek(SeekFrom::Start((first * Record::SIZE) as u64)).map_err(io_error(path))?;
    let mut buffer = vec![0; BLOCK * Record::SIZE];
    let mut left = count * Record::SIZE;
    while left > 0 {
        let size = left.min(buffer.len());
        file.read_exact(&mut buffer[..size]).map_err(io_error(path))?;
        records.extend(buffer[..size].as_chunks().0.iter().map(|&bytes| Record(bytes)));
        left -= size;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rules::chess::Board;

    use super::*;

    /// A file of records that differ in their scores, and a place beside it.
    fn files(name: &str, count: i16) -> (PathBuf, PathBuf) {
        let path = std::env::temp_dir().join(format!("nue-supply-{}-{name}", std::process::id()));
        let records: Vec<Record> = (0..count).map(|score| Record::new(&Board::start(), score, 1)).collect();
        save(&path, &records).unwrap();
        (path.clone(), path.with_extension("kept"))
    }

    fn keep(memory_blocks: usize, place: &Path) -> Keep<'_> {
        let memory_bytes = (memory_blocks * BLOCK * Record::SIZE) as u64;
        Keep { memory_bytes, place: Some(place), always: false, seed: 3, batch: 1000 }
    }

    fn scores(data: &Dataset) -> Vec<i16> {
        data.records().iter().map(Record::score).collect()
    }

    #[test]
    fn an_epoch_of_windows_sees_everything_once() {
        let (path, place) = files("epoch", 30_000);
        let keep = keep(2, &place);
        let intake = Intake { group: 1, ..Intake::default() };
        let (supply, _, tally) =
            Supply::read(&[(path.clone(), 1.0)], &intake, &keep, &mut Reading::default()).unwrap();
        assert_eq!((tally.read, tally.learn, supply.windows()), (30_000, 30_000, 3));
        let epoch = |number: u64| -> Vec<Vec<i16>> {
            (0..3).map(|window| scores(&supply.window(3 * number + window).unwrap())).collect()
        };
        let windows = epoch(0);
        assert!(windows.iter().all(|window| window.len() <= 2 * BLOCK));
        let mut all: Vec<i16> = windows.concat();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..30_000));
        assert!(windows == epoch(0) && windows != epoch(1));

        // Steps find their windows, and a later run finds the same.
        assert_eq!([0, 12, 13, 38, 39].map(|step| supply.window_of(step)), [0, 0, 1, 2, 3]);
        assert_eq!([0, 12, 13, 40].map(|step| supply.step_within(step)), [0, 12, 0, 1]);
        let again = Supply::again(supply.parts().to_vec(), 1, &keep, &place).unwrap();
        assert_eq!(scores(&again.window(5).unwrap()), scores(&supply.window(5).unwrap()));
        fs::remove_file(path).unwrap();
        fs::remove_file(place).unwrap();
    }

    #[test]
    fn what_fits_stays_in_memory() {
        let (path, place) = files("whole", 300);
        let files = [(path.clone(), 2.0)];
        let intake = Intake { group: 1, ..Intake::default() };
        let read = |keep: &Keep<'_>| Supply::read(&files, &intake, keep, &mut Reading::default()).unwrap().0;
        let supply = read(&keep(1, &place));
        assert!(matches!(supply, Supply::Whole(_)) && supply.samples() == 600 && !place.exists());
        // What was costly is kept all the same, and comes back.
        let supply = read(&Keep { always: true, ..keep(1, &place) });
        let again = Supply::again(supply.parts().to_vec(), 1, &keep(1, &place), &place).unwrap();
        assert_eq!(supply.parts(), again.parts());
        assert_eq!(scores(&again.window(0).unwrap()), scores(&supply.window(0).unwrap()));
        // Without a place, what is too much is left out.
        let supply = read(&Keep { memory_bytes: 3200, place: None, ..keep(1, &place) });
        assert_eq!(supply.samples(), 200);
        fs::remove_file(path).unwrap();
        fs::remove_file(place).unwrap();
    }
}
