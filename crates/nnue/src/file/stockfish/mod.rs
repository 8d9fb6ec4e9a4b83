// SPDX-License-Identifier: GPL-3.0-or-later
//! The `.nnue` formats of Stockfish: what they have in common.
//!
//! Little-endian without padding: version, hash of the architecture, a text behind its length, the accumulator behind
//! its hash, then the layers behind theirs.

pub(super) mod v12;
pub(super) mod v15;

use features::chess::FeatureSet;

use super::{Format, reader::Reader};
use crate::{Arch, Net, NetError};

/// The versions of this family of formats: `0x7AF3_2Fxx`.
const FAMILY: u32 = 0x7AF3_2F00;
/// The longest text that is accepted.
const MAX_TEXT: u32 = 4096;

/// Which of the formats bytes are in. Those of a relative that nobody knows are left to the oldest to refuse.
pub(super) fn format_of(bytes: &[u8]) -> Option<Format> {
    let version = u32::from_le_bytes(*bytes.first_chunk()?);
    match version {
        v15::VERSION => Some(Format::Stockfish15),
        _ if version & !0xFF == FAMILY => Some(Format::Stockfish12),
        _ => None,
    }
}

/// A format: what tells its files from others.
struct Kind {
    /// Which Stockfish reads it.
    name: &'static str,
    version: u32,
    /// Hash of the accumulator: of the feature set and its outputs.
    transformer: u32,
    /// Hash of the layers behind it, each computed from the one before.
    network: u32,
    /// The set with the file's numbering of features.
    features: &'static str,
    arch: fn() -> Arch,
}

impl Kind {
    /// Reads everything before the accumulator's hash and returns the text.
    fn start<'a>(&self, reader: &mut Reader<'a>) -> Result<&'a str, NetError> {
        self.expect(reader, "the version", self.version)?;
        self.expect(reader, "the hash of the architecture", self.transformer ^ self.network)?;
        let length = reader.u32("the length of its text")?;
        if length > MAX_TEXT {
            return Err(NetError::HeaderLength(length.into()));
        }
        std::str::from_utf8(reader.take(length as usize, "its text")?).map_err(|_| NetError::HeaderText)
    }

    fn expect(&self, reader: &mut Reader<'_>, what: &'static str, expected: u32) -> Result<(), NetError> {
        let found = reader.u32(what)?;
        if found == expected {
            return Ok(());
        }
        Err(NetError::Hash { what, found, expected, of: self.name })
    }

    /// The bytes before the accumulator's hash for a network that the format holds.
    fn begin(&self, net: &Net, text: &str, room: u64) -> Result<Vec<u8>, NetError> {
        let (arch, features) = ((self.arch)(), self.features()?);
        if net.arch != arch || net.features != features {
            let name = |arch: &Arch, features: &FeatureSet| {
                format!("{features}: {arch}, a pawn of {}", arch.scales.pawn)
            };
            return Err(NetError::NotForStockfish {
                format: self.name,
                expected: name(&arch, &features),
                found: name(&net.arch, &net.features),
            });
        }
        if text.len() > MAX_TEXT as usize {
            return Err(NetError::HeaderLength(text.len() as u64));
        }
        let mut bytes = Vec::with_capacity(room as usize + text.len());
        for number in [self.version, self.transformer ^ self.network, text.len() as u32] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(text.as_bytes());
        Ok(bytes)
    }

    fn features(&self) -> Result<FeatureSet, NetError> {
        FeatureSet::parse(self.features).map_err(|error| NetError::Features(error.to_string()))
    }
}

/// Compares the length of a file of which the rest is not read yet.
fn check_length(bytes: &[u8], reader: &Reader<'_>, expected_rest: u64) -> Result<(), NetError> {
    let (found, rest) = (bytes.len() as u64, reader.rest().len() as u64);
    let expected = found - rest + expected_rest;
    if found == expected { Ok(()) } else { Err(NetError::Length { found, expected }) }
}

/// The hash of layers of these sizes, the output last, behind an accumulator of so many outputs.
const fn network_hash(inputs: u32, sizes: [u32; 3]) -> u32 {
    let mut hash = 0xEC42_E90D ^ inputs;
    let mut layer = 0;
    while layer < sizes.len() {
        if layer > 0 {
            hash = hash.wrapping_add(0x538D_24C7); // the activation before it
        }
        hash = 0xCC03_DAE4_u32.wrapping_add(sizes[layer]) ^ (hash >> 1) ^ (hash << 31);
        layer += 1;
    }
    hash
}
