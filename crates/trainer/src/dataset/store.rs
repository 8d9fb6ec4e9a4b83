// SPDX-License-Identifier: GPL-3.0-or-later
//! Where records lie: in memory while they fit, in a file of the run folder otherwise.

use std::{
    fs::{self, File},
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use nnue::pages::reserve;
use rules::Checksum;

use super::{
    DataError, Part,
    intake::{Intake, Reading, Tally},
};
use crate::Record;

/// Records on their way into memory or a file.
pub(super) struct Store {
    parts: Vec<Part>,
    memory: Vec<Record>,
    /// How many records may be in memory.
    limit: u64,
    /// Where they go when they are more; without a place those that are too many are left out.
    place: Option<PathBuf>,
    file: Option<BufWriter<File>>,
    count: u64,
    checksum: Checksum,
    /// What became of all positions.
    pub(super) tally: Tally,
}

impl Store {
    pub(super) fn new(limit: u64, place: Option<PathBuf>) -> Store {
        Store {
            parts: Vec::new(),
            memory: Vec::new(),
            limit,
            place,
            file: None,
            count: 0,
            checksum: Checksum::new(),
            tally: Tally::default(),
        }
    }

    /// Takes the records of files with their weights, and returns those that are held out.
    pub(super) fn fill(
        &mut self,
        files: &[(PathBuf, f64)],
        intake: &Intake,
        reading: &mut Reading<'_>,
    ) -> Result<Vec<Record>, DataError> {
        // Positions take a byte or more in every format; what is not needed in the end is never touched.
        let bytes: u64 = files.iter().filter_map(|(path, _)| Some(path.metadata().ok()?.len())).sum();
        let copies = (1 + intake.siblings as u64) << u64::from(intake.mirror);
        self.memory = reserve(self.limit.min(copies * bytes).min(1 << 32) as usize);
        let mut held_out = Vec::new();
        let mut end = 0;
        for (path, weight) in files {
            let first = self.count;
            self.checksum = Checksum::new();
            let mut tally = self.tally;
            intake.read(path, reading, &mut tally, &mut |learn, check| {
                held_out.extend_from_slice(check);
                self.push(learn)
            })?;
            self.tally = tally;
            let len = (self.count - first) as usize;
            let group = intake.group.max(1);
            end += group as u64 * (weight * (len / group) as f64).round() as u64;
            let (first, checksum) = (first as usize, self.checksum.value());
            self.parts.push(Part { path: path.clone(), first, len, weight: *weight, end, checksum });
        }
        if let Some(file) = &mut self.file {
            let place = self.place.as_deref().unwrap_or(Path::new(""));
            file.flush().map_err(io_error(place))?;
            file.get_ref().sync_all().map_err(io_error(place))?;
        }
        self.memory.shrink_to_fit();
        match end {
            0 => Err(DataError::Empty),
            _ => Ok(held_out),
        }
    }

    fn push(&mut self, records: &[Record]) -> Result<(), DataError> {
        let room = self.limit.saturating_sub(self.count) as usize;
        let records = match (&self.place, records.len() > room) {
            (Some(place), true) if self.file.is_none() => {
                self.file = Some(begin(place, &self.memory)?);
                self.memory = Vec::new();
                records
            }
            (None, true) => &records[..room],
            _ => records,
        };
        self.checksum = with_records(self.checksum, records);
        self.count += records.len() as u64;
        match (&mut self.file, &self.place) {
            (Some(file), Some(place)) => write(file, records).map_err(io_error(place)),
            _ => {
                self.memory.extend_from_slice(records);
                Ok(())
            }
        }
    }

    /// The files that were read.
    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Whether the records lie in a file.
    pub(super) fn is_file(&self) -> bool {
        self.file.is_some()
    }

    /// The records that are in memory.
    pub(super) fn into_memory(self) -> Vec<Record> {
        self.memory
    }
}

/// Continues a checksum with records.
pub(crate) fn with_records(sum: Checksum, records: &[Record]) -> Checksum {
    records.iter().fold(sum, |sum, record| sum.and_words(&record.0))
}

/// Begins a file with some records.
fn begin(place: &Path, records: &[Record]) -> Result<BufWriter<File>, DataError> {
    let parent = place.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(parent).map_err(io_error(parent))?;
    let mut file = BufWriter::with_capacity(1 << 20, File::create(place).map_err(io_error(place))?);
    write(&mut file, records).map_err(io_error(place))?;
    Ok(file)
}

/// Writes a file of records.
pub(super) fn save(place: &Path, records: &[Record]) -> Result<(), DataError> {
    let mut file = begin(place, records)?;
    file.flush().map_err(io_error(place))?;
    file.get_ref().sync_all().map_err(io_error(place))
}

/// Reads such a file, with all that the records say beyond the format.
pub(crate) fn kept(place: &Path) -> Result<Vec<Record>, DataError> {
    let bytes = fs::read(place).map_err(io_error(place))?;
    Ok(bytes.as_chunks().0.iter().map(|&bytes| Record(bytes)).collect())
}

fn write(file: &mut BufWriter<File>, records: &[Record]) -> std::io::Result<()> {
    records.iter().try_for_each(|record| file.write_all(&record.0))
}

pub(super) fn io_error(path: &Path) -> impl Fn(std::io::Error) -> DataError {
    move |cause| DataError::Io { path: path.to_owned(), cause }
}
