// SPDX-License-Identifier: GPL-3.0-or-later
//! Input of any kind: `files -> numbered raw pieces -> games or samples`.
//!
//! Cutting files into pieces is quick and done by one thread; decoding the pieces is the work of all others.
//! The pieces depend on the files alone, so that piece 712 is the same in every run: interrupted work goes on
//! there.

use std::{
    fs::File,
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

pub use formats::pieces::Grain;
use formats::{
    Kind,
    pieces::{Body, Input, pieces},
};

use crate::{
    DataError,
    job::{Output, Plan, Settings},
    raw::Raw,
};

/// Endings of names that can be read.
const READABLE: &str =
    ".pgn, .vf, .nga, .binpack, .bullet, .marlin, .nsam, .txt, .epd, .plain or .csv, perhaps compressed";

/// Files to read, one after the other.
#[derive(Clone, Debug)]
pub struct Source {
    files: Vec<(Arc<Path>, Kind)>,
    bytes: u64,
    read: Arc<AtomicU64>,
}

impl Source {
    /// Looks what the files are.
    ///
    /// # Errors
    /// When a file cannot be read, or is of an unknown kind.
    pub fn open(paths: &[PathBuf]) -> Result<Source, DataError> {
        if paths.is_empty() {
            return Err(DataError::NoInput);
        }
        let mut source = Source { files: Vec::new(), bytes: 0, read: Arc::default() };
        for path in paths {
            let kind = Kind::of_file(path).map_err(DataError::io(path))?.filter(|kind| *kind != Kind::Npy);
            let kind = kind.ok_or_else(|| DataError::Kind { path: path.clone(), expected: READABLE })?;
            source.bytes += path.metadata().map_err(DataError::io(path))?.len();
            source.files.push((path.as_path().into(), kind));
        }
        Ok(source)
    }

    /// What the files are, with their names.
    pub fn kinds(&self) -> impl Iterator<Item = (&Path, Kind)> {
        self.files.iter().map(|(path, kind)| (&**path, *kind))
    }

    /// A plan for work on these files; settings of its own are still to be added.
    ///
    /// # Errors
    /// When a file cannot be read, or would be written at the same time.
    pub fn plan(&self, command: &'static str, outputs: Vec<Output>, force: bool) -> Result<Plan, DataError> {
        let inputs: Vec<PathBuf> = self.files.iter().map(|(path, _)| path.to_path_buf()).collect();
        for output in &outputs {
            let place = output.path.canonicalize().ok();
            if place.is_some() && inputs.iter().any(|input| input.canonicalize().ok() == place) {
                return Err(DataError::SameFile(output.path.clone()));
            }
        }
        Ok(Plan { command, settings: Settings::new(command, &inputs)?, outputs, force })
    }

    /// Whether all files hold whole games.
    pub fn has_only_games(&self) -> bool {
        self.files.iter().all(|(_, kind)| kind.holds_games())
    }

    /// The bytes of all files as they lie on the disk.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many of them have been read, for those who watch; it moves as pieces are drawn.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.read)
    }

    /// All pieces in their order. Input that cannot be read any further is a piece too.
    pub fn pieces(&self, grain: Grain) -> impl Iterator<Item = Raw> + Send + use<> {
        let read = Arc::clone(&self.read);
        self.files.clone().into_iter().flat_map(move |(path, kind)| {
            let bodies: Box<dyn Iterator<Item = Result<Body, DataError>> + Send> =
                match open(&path, Arc::clone(&read)) {
                    Ok(input) => Box::new(pieces(input, kind, grain).map(Ok)),
                    Err(cause) => Box::new(std::iter::once(Err(DataError::io(&path)(cause)))),
                };
            bodies.map(move |body| Raw { file: Arc::clone(&path), kind, body })
        })
    }
}

/// Counts what is read from the disk.
struct Metered {
    file: File,
    read: Arc<AtomicU64>,
}

impl Read for Metered {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.read.fetch_add(count as u64, Relaxed);
        Ok(count)
    }
}

fn open(path: &Path, read: Arc<AtomicU64>) -> io::Result<Input> {
    formats::decompressed(BufReader::with_capacity(1 << 16, Metered { file: File::open(path)?, read }))
}
