// SPDX-License-Identifier: GPL-3.0-or-later
//! A teacher: another network judges positions instead of the scores of the files.
//!
//! A network that needs few positions can teach one that needs many, and it has something to say to any position at all;
//! so the pupil may learn from far more of them than were ever searched.

use std::path::{Path, PathBuf};

use nnue::{Level, Network, file};
use rules::{Checksum, Color};

use super::DataError;
use crate::Record;

/// A network that judges.
#[derive(Debug)]
pub(crate) struct Teacher {
    network: Network,
    path: PathBuf,
    checksum: u64,
}

/// No larger score is given, in centipawns: what is decided is decided.
const MOST: i32 = 30_000;

impl Teacher {
    /// The network of a file, of any format that the engine plays with.
    pub(crate) fn open(path: &Path) -> Result<Teacher, DataError> {
        let failed = |cause| DataError::Teacher { path: path.to_owned(), cause };
        let bytes = std::fs::read(path).map_err(|cause| DataError::Io { path: path.to_owned(), cause })?;
        let network = Network::new(file::read(&bytes).map_err(failed)?, Level::best()).map_err(failed)?;
        Ok(Teacher { network, path: path.to_owned(), checksum: Checksum::new().and(&bytes).value() })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A checksum of its file.
    pub(crate) fn checksum(&self) -> u64 {
        self.checksum
    }

    /// The same position with the score it deserves. Records are told by the side to move, as if it were White.
    pub(super) fn judge(&self, record: Record) -> Record {
        let pieces: Vec<_> = record.pieces().collect();
        let raw = self.network.evaluate_pieces(&pieces, Color::White).unwrap_or(0);
        record.with_score(self.network.centipawns(raw).clamp(-MOST, MOST) as i16)
    }
}
