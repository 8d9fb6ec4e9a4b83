// SPDX-License-Identifier: GPL-3.0-or-later
//! The folder of a run. Every file is written beside its place and moved there: whoever looks, or is killed, finds
//! the old one or the new one.
//!
//! ```text
//! config.toml · manifest.csv · log.csv · loss.svg · ledger.md · checkpoints/ · nets/
//! records.bullet · check.bullet, if data do not fit into memory or were costly to make
//! ```

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use thiserror::Error;

/// The folder of a run.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

/// A folder that cannot be used.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum FolderError {
    #[error("{}: {cause}", path.display())]
    Io { path: PathBuf, cause: io::Error },
    #[error("{}: holds a run already; go on with 'nue resume', or choose another folder", .0.display())]
    Taken(PathBuf),
    #[error("{}: holds no run, expected config.toml", .0.display())]
    NoRun(PathBuf),
}

const CHECKPOINTS: &str = "checkpoints";
const NETS: &str = "nets";

impl Folder {
    /// Fails if a folder holds a run.
    pub fn check_free(path: &Path) -> Result<(), FolderError> {
        match path.join("config.toml").exists() {
            true => Err(FolderError::Taken(path.to_owned())),
            false => Ok(()),
        }
    }

    /// A folder for a new run.
    pub fn create(path: &Path) -> Result<Folder, FolderError> {
        Folder::check_free(path)?;
        let folder = Folder { path: path.to_owned() };
        for name in [CHECKPOINTS, NETS] {
            let path = path.join(name);
            fs::create_dir_all(&path).map_err(|cause| FolderError::Io { path, cause })?;
        }
        // What a run left that was killed before it began must not be taken for the new one's.
        folder.keep_checkpoints(0)?;
        Ok(folder)
    }

    /// The folder of a run.
    pub fn open(path: &Path) -> Result<Folder, FolderError> {
        match path.join("config.toml").exists() {
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

    /// The bytes of the last checkpoint.
    pub fn last_checkpoint(&self) -> Result<Option<Vec<u8>>, FolderError> {
        let Some(path) = self.checkpoints()?.pop() else { return Ok(None) };
        fs::read(&path).map(Some).map_err(|cause| FolderError::Io { path, cause })
    }

    /// All checkpoints, oldest first.
    fn checkpoints(&self) -> Result<Vec<PathBuf>, FolderError> {
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
    fs::rename(&temporary, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_checkpoints_stay_and_halves_do_not_count() {
        let path = std::env::temp_dir().join(format!("nue-folder-{}", std::process::id()));
        let folder = Folder::create(&path).unwrap();
        assert_eq!(folder.last_checkpoint().unwrap(), None);
        for steps in [9, 10, 100] {
            folder.save_checkpoint(steps, &[steps as u8], 2).unwrap();
        }
        fs::write(path.join("checkpoints/0000000200.ckpt.tmp"), [1]).unwrap();
        assert_eq!(folder.checkpoints().unwrap().len(), 2);
        assert_eq!(folder.last_checkpoint().unwrap(), Some(vec![100]));
        assert!(matches!(Folder::open(&path), Err(FolderError::NoRun(_))));
        assert_eq!(
            Folder::create(&path).unwrap().last_checkpoint().unwrap(),
            None,
            "of a run that never began"
        );
        folder.write("config.toml", b"x").unwrap();
        assert!(matches!(Folder::create(&path), Err(FolderError::Taken(_))));
        assert_eq!(Folder::open(&path).unwrap().read("config.toml").unwrap(), "x");
        fs::remove_dir_all(path).unwrap();
    }
}
