// SPDX-License-Identifier: GPL-3.0-or-later
//! Teachers: other networks judge positions instead of the scores of the files.
//!
//! A network that needs few positions can teach one that needs many, and it has something to say to any position at all;
//! so the pupil may learn from far more of them than were ever searched. Several teachers err in different places: their
//! mean is better than each of them.

use std::path::{Path, PathBuf};

use nnue::{Level, Network, Room, file};
use rules::{Checksum, Color};

use super::DataError;
use crate::Record;

/// Networks that judge together; nobody by default.
#[derive(Debug, Default)]
pub(crate) struct Teachers {
    /// Each with its weight in the mean.
    networks: Vec<(Network, f64)>,
    /// Of their files.
    checksums: Vec<u64>,
}

/// No larger score is given, in centipawns: what is decided is decided.
const MOST: f64 = 30_000.0;

impl Teachers {
    /// The networks of files, of any format that the engine plays with.
    pub(crate) fn open(files: &[(PathBuf, f64)]) -> Result<Teachers, DataError> {
        let mut teachers = Teachers::default();
        for (path, weight) in files {
            let (network, checksum) = read(path)?;
            teachers.networks.push((network, *weight));
            teachers.checksums.push(checksum);
        }
        Ok(teachers)
    }

    /// A checksum of each file.
    pub(crate) fn checksums(&self) -> &[u64] {
        &self.checksums
    }

    /// Whether there is nobody.
    pub(super) fn is_empty(&self) -> bool {
        self.networks.is_empty()
    }

    /// Whether one of them needs to know what the hand-crafted evaluation says.
    pub(crate) fn ask_by_hand(&self) -> bool {
        self.networks.iter().any(|(network, _)| network.arch().hand_crafted > 0)
    }

    /// Gives positions the scores they deserve, the mean of what the networks say in centipawns; without any they keep
    /// theirs.
    pub(super) fn judge(&self, records: &mut [&mut Record]) {
        if self.is_empty() {
            return;
        }
        let (mut room, mut pieces) = (Room::new(), Vec::new());
        let mut sums = vec![0.0; records.len()];
        // One network after the other: the rows of all would not stay close to the CPU.
        for (network, weight) in &self.networks {
            for (record, sum) in records.iter().zip(&mut sums) {
                pieces.clear();
                pieces.extend(record.pieces());
                // Records are told by the side to move, as if it were White.
                let raw = network.evaluate_pieces_in(&mut room, &pieces, Color::White).unwrap_or(0);
                *sum += weight * f64::from(network.value(raw, || record.by_hand().into()));
            }
        }
        let all: f64 = self.networks.iter().map(|(_, weight)| weight).sum();
        for (record, sum) in records.iter_mut().zip(sums) {
            let mean = (sum / all).round();
            **record = record.with_score(mean.clamp(-MOST, MOST) as i16);
        }
    }
}

fn read(path: &Path) -> Result<(Network, u64), DataError> {
    let failed = |cause| DataError::Teacher { path: path.to_owned(), cause };
    let bytes = std::fs::read(path).map_err(|cause| DataError::Io { path: path.to_owned(), cause })?;
    let network = Network::new(file::read(&bytes).map_err(failed)?, Level::best()).map_err(failed)?;
    Ok((network, Checksum::new().and(&bytes).value()))
}
