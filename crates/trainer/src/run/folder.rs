// SPDX-License-Identifier: GPL-3.0-or-later
//! The folder of a run. Every file is written beside its place and moved there: whoever looks, or is killed, finds
//! the old one or the new one.
//!
//! ```text
//! config.toml · base.txt · manifest.csv · log.csv · loss.svg · ledger.md · checkpoints/ · nets/
//! check.bullet · records.bullet, if data do not fit into memory or were costly to make · lock
//! ```

use std::{
    fs::{self, File, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use thiserror::Error;

use super::manifest::MANIFEST;

/// The folder of a run.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

/// A folder that belongs to one program, until this is dropped or the program ends.
#[derive(Debug)]
pub struct Claim {
    _file: File,
}

/// A folder that cannot be used.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum FolderError {
    #[error("{}: {cause}", path.display())]
    Io { path: PathBuf, cause: io::Error },
    #[error("{}: holds a run already; go on with 'nue resume', or choose another folder", .0.display())]
    Taken(PathBuf),
    #[error("{}: another program is training this run", .0.display())]
    InUse(PathBuf),
    #[error("{}: holds no run, expected config.toml", .0.display())]
    NoRun(PathBuf),
}

/// The configuration: a folder that has it holds a run.
pub(super) const CONFIG: &str = "config.toml";
/// The folder in which relative paths of the configuration begin.
const BASE: &str = "base.txt";
/// Locked by the program that trains.
const LOCK: &str = "lock";
/// How long to wait for a program that has the folder.
const PATIENCE: Duration = Duration::from_millis(500);
const CHECKPOINTS: &str = "checkpoints";
const NETS: &str = "nets";

impl Folder {
    /// A folder for a new run, with a configuration in which relative paths begin at `base`.
    pub fn create(path: &Path, base: &Path) -> Result<(Folder, Claim), FolderError> {
        if path.join(CONFIG).exists() {
            return Err(FolderError::Taken(path.to_owned()));
        }
        let folder = Folder { path: path.to_owned() };
        for name in [CHECKPOINTS, NETS] {
            let path = path.join(name);
            fs::create_dir_all(&path).map_err(|cause| FolderError::Io { path, cause })?;
        }
        let claim = folder.claim()?;
        // What a run left that did not come to begin must not be taken for the new one's.
        folder.keep_checkpoints(0)?;
        folder.remove(MANIFEST)?;
        let base = if base.as_os_str().is_empty() { Path::new(".") } else { base };
        let base = base.canonicalize().map_err(|cause| FolderError::Io { path: base.to_owned(), cause })?;
        folder.write(BASE, base.as_os_str().as_encoded_bytes())?;
        Ok((folder, claim))
    }

    /// Takes the folder for this program alone. Who was killed a moment ago may still be leaving, so this takes some patience.
    pub fn claim(&self) -> Result<Claim, FolderError> {
        let path = self.path.join(LOCK);
        let failed = |cause| FolderError::Io { path: path.clone(), cause };
        let file = File::options().write(true).create(true).truncate(false).open(&path).map_err(failed)?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Claim { _file: file }),
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    thread::sleep(Duration::from_millis(5));
                }
                Err(TryLockError::WouldBlock) => return Err(FolderError::InUse(self.path.clone())),
                Err(TryLockError::Error(cause)) => return Err(failed(cause)),
            }
        }
    }

    /// Where relative paths of the configuration begin.
    pub fn base(&self) -> Result<PathBuf, FolderError> {
        self.read(BASE).map(PathBuf::from)
    }

    /// The folder of a run.
    pub fn open(path: &Path) -> Result<Folder, FolderError> {
        match path.join(CONFIG).exists() {
            true => Ok(Folder { path: path.to_owned() }),
            false => Err(FolderError::NoRun(path.to_owned())),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it has a file.
    pub fn has(&self, name: &str) -> bool {
        self.path.join(name).exists()
    }

    /// The text of a file.
    pub fn read(&self, name: &str) -> Result<String, FolderError> {
        let path = self.path.join(name);
        fs::read_to_string(&path).map_err(|cause| FolderError::Io { path, cause })
    }

    /// Writes a file, whole or not at all.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        let path = self.path.join(name);
        write_whole(&path, bytes).map_err(|cause| FolderError::Io { path, cause })
    }

    /// Removes a file, if there is one.
    pub fn remove(&self, name: &str) -> Result<(), FolderError> {
        let path = self.path.join(name);
        match fs::remove_file(&path) {
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(FolderError::Io { path, cause }),
            _ => Ok(()),
        }
    }

    /// Where an exported network goes.
    pub fn net(&self, name: &str) -> Result<PathBuf, FolderError> {
        let folder = self.path.join(NETS);
        fs::create_dir_all(&folder).map_err(|cause| FolderError::Io { path: folder.clone(), cause })?;
        Ok(folder.join(name))
    }

    /// Writes a checkpoint and removes all but the last few.
    pub fn save_checkpoint(&self, steps: u64, bytes: &[u8], keep: usize) -> Result<(), FolderError> {
        self.write(&format!("{CHECKPOINTS}/{steps:010}.ckpt"), bytes)?;
        self.keep_checkpoints(keep.max(1))
    }

    /// Removes all checkpoints but the last few.
    fn keep_checkpoints(&self, keep: usize) -> Result<(), FolderError> {
        let mut all = self.checkpoints()?;
        let old = all.len().saturating_sub(keep);
        for path in all.drain(..old) {
            fs::remove_file(&path).map_err(|cause| FolderError::Io { path, cause })?;
        }
        Ok(())
    }

    /// The bytes of a checkpoint.
    pub fn checkpoint(&self, path: &Path) -> Result<Vec<u8>, FolderError> {
        fs::read(path).map_err(|cause| FolderError::Io { path: path.to_owned(), cause })
    }

    /// All checkpoints, oldest first.
    pub fn checkpoints(&self) -> Result<Vec<PathBuf>, FolderError> {
        let folder = self.path.join(CHECKPOINTS);
        let failed = |cause| FolderError::Io { path: folder.clone(), cause };
        let mut all = Vec::new();
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.extension().is_some_and(|ending| ending == "ckpt") {
                all.push(path);
            }
        }
        all.sort();
        Ok(all)
    }
}

fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.to_owned().into_os_string();
    name.push(".tmp");
    let temporary = PathBuf::from(name);
    let mut file = File::create(&temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    // Older checkpoints go as soon as this one is there: its name must have reached the disk, too.
    #[cfg(unix)]
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_checkpoints_stay_and_halves_do_not_count() {
        let path = std::env::temp_dir().join(format!("nue-folder-{}", std::process::id()));
        let base = std::env::temp_dir();
        let last = |folder: &Folder| {
            let path = folder.checkpoints().unwrap().pop();
            path.map(|path| folder.checkpoint(&path).unwrap())
        };
        let (folder, claim) = Folder::create(&path, &base).unwrap();
        assert!(matches!(folder.claim(), Err(FolderError::InUse(_))));
        drop(claim);
        assert_eq!(folder.base().unwrap(), base.canonicalize().unwrap());
        assert_eq!(last(&folder), None);
        for steps in [9, 10, 100] {
            folder.save_checkpoint(steps, &[steps as u8], 2).unwrap();
        }
        fs::write(path.join("checkpoints/0000000200.ckpt.tmp"), [1]).unwrap();
        assert_eq!(folder.checkpoints().unwrap().len(), 2);
        assert_eq!(last(&folder), Some(vec![100]));
        assert!(matches!(Folder::open(&path), Err(FolderError::NoRun(_))));
        assert_eq!(last(&Folder::create(&path, &base).unwrap().0), None, "of a run that never began");
        folder.write("config.toml", b"x").unwrap();
        assert!(matches!(Folder::create(&path, &base), Err(FolderError::Taken(_))));
        assert_eq!(Folder::open(&path).unwrap().read("config.toml").unwrap(), "x");
        fs::remove_dir_all(path).unwrap();
    }
}
