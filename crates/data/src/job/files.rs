// SPDX-License-Identifier: GPL-3.0-or-later
//! Files that grow, files that are replaced, and their names.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, BufReader, BufWriter, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::DataError;

/// The file of this ending beside another: `x.vf` and `part` give `x.vf.part`.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// Removes a file if it is there.
pub(super) fn remove(path: &Path) -> Result<(), DataError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(DataError::io(path)(error)),
        _ => Ok(()),
    }
}

/// Gives a file another name.
pub(super) fn rename(from: &Path, to: &Path) -> Result<(), DataError> {
    fs::rename(from, to).map_err(DataError::io(to))
}

/// The JSON of a file; nothing if there is no file.
pub(super) fn read_json(path: &Path) -> Result<Option<Value>, DataError> {
    match fs::read(path) {
        Ok(bytes) => match serde_json::from_slice(&bytes) {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(DataError::State(path.to_owned())),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(DataError::io(path)(error)),
    }
}

/// Writes a file beside its place and moves it there: whoever looks sees the old one or the new one.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), DataError> {
    let temporary = beside(path, "tmp");
    File::create(&temporary)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_data()))
        .and_then(|()| fs::rename(&temporary, path))
        .map_err(DataError::io(path))
}

/// A file that grows at its end and belongs to us alone.
pub(super) struct PartFile {
    path: PathBuf,
    file: BufWriter<File>,
    length: u64,
    synced: u64,
}

impl PartFile {
    /// Opens the unfinished form of a file.
    pub(super) fn open(target: &Path) -> Result<PartFile, DataError> {
        let path = beside(target, "part");
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let file = file.map_err(DataError::io(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(DataError::InUse(path)),
            Err(TryLockError::Error(error)) => return Err(DataError::io(&path)(error)),
        }
        let length = file.metadata().map_err(DataError::io(&path))?.len();
        let file = BufWriter::with_capacity(1 << 15, file);
        Ok(PartFile { path, file, length, synced: length })
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Forgets everything behind a length.
    pub(super) fn cut(&mut self, length: u64) -> Result<(), DataError> {
        if self.length < length {
            return Err(DataError::Cut { path: self.path.clone(), length: self.length, expected: length });
        }
        let cut = |file: &mut File| {
            file.set_len(length)?;
            file.seek(SeekFrom::Start(length))
        };
        cut(self.file.get_mut()).map_err(DataError::io(&self.path))?;
        (self.length, self.synced) = (length, length);
        Ok(())
    }

    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), DataError> {
        self.file.write_all(bytes).map_err(DataError::io(&self.path))?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Writes over the beginning.
    pub(super) fn overwrite(&mut self, bytes: &[u8]) -> Result<(), DataError> {
        let length = self.length;
        let mut write = || {
            self.file.flush()?;
            let file = self.file.get_mut();
            file.seek(SeekFrom::Start(0))?;
            file.write_all(bytes)?;
            file.seek(SeekFrom::Start(length))?;
            file.sync_data()
        };
        write().map_err(DataError::io(&self.path))
    }

    /// Reads from the beginning.
    pub(super) fn reader(&mut self) -> Result<BufReader<File>, DataError> {
        let file = self.file.flush().and_then(|()| File::open(&self.path));
        file.map(BufReader::new).map_err(DataError::io(&self.path))
    }

    /// Waits until everything is on the disk.
    pub(super) fn sync(&mut self) -> Result<(), DataError> {
        if self.synced < self.length {
            let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_data());
            synced.map_err(DataError::io(&self.path))?;
            self.synced = self.length;
        }
        Ok(())
    }
}
