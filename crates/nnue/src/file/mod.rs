// SPDX-License-Identifier: GPL-3.0-or-later
//! Network files: `bytes -> [zstd] -> Nue or Stockfish format -> Net`, and back.
//!
//! The first bytes tell the format; any may be compressed as a whole. Nothing is believed before it is
//! checked, and nothing is allocated on the word of a header alone: sizes are compared with the bytes that
//! are really there.

mod compress;
mod nue;
mod reader;
mod stockfish;

use std::{
    fs::{self, File},
    io::{Read, Write},
    path::Path,
    process,
};

use crate::{Arch, Net, NetError};

/// The longest text header, in bytes.
pub const MAX_HEADER: u64 = 1 << 16;
/// The longest file: the largest weights with the longest header.
const MAX_FILE: u64 = Arch::MAX_BYTES + MAX_HEADER + 64;

/// How a network is written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// Our own: a text header that names features, shape and training run, then the weights.
    Nue,
    /// The HalfKP `.nnue` format of Stockfish 12; holds the seed network only.
    Stockfish12,
    /// The HalfKAv2_hm `.nnue` format of Stockfish 15.1; holds networks of its shape only.
    Stockfish15,
}

/// Reads a network file of any format.
pub fn load(path: &Path) -> Result<Net, NetError> {
    let file = File::open(path)?;
    let found = file.metadata()?.len();
    if found > MAX_FILE {
        return Err(NetError::Length { found, expected: MAX_FILE });
    }
    let mut bytes = Vec::new();
    file.take(MAX_FILE).read_to_end(&mut bytes)?;
    read(&bytes)
}

/// Writes a network file, compressed if so wanted: to a temporary file first, which then takes the name.
pub fn save(net: &Net, path: &Path, format: Format, compressed: bool) -> Result<(), NetError> {
    let mut bytes = write(net, format)?;
    if compressed {
        bytes = compress::pack(&bytes);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", process::id()));
    let temporary = path.with_file_name(name);
    let mut file = File::create(&temporary)?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    Ok(fs::rename(&temporary, path)?)
}

/// The network in the bytes of a file of any format; checked, so that [`crate::Network::new`] takes it.
pub fn read(bytes: &[u8]) -> Result<Net, NetError> {
    if compress::is_packed(bytes) {
        let unpacked = compress::unpack(bytes, MAX_FILE)?;
        return read_plain(&unpacked);
    }
    read_plain(bytes)
}

fn read_plain(bytes: &[u8]) -> Result<Net, NetError> {
    let net = match format_of(bytes) {
        Some(Format::Nue) => nue::read(bytes)?,
        Some(Format::Stockfish12) => stockfish::v12::read(bytes)?,
        Some(Format::Stockfish15) => stockfish::v15::read(bytes)?,
        None => {
            let start = &bytes[..bytes.len().min(8)];
            let start = if start.is_empty() { "nothing".to_owned() } else { format!("{start:02X?}") };
            return Err(NetError::Foreign(start));
        }
    };
    net.check()?;
    Ok(net)
}

/// The format of uncompressed bytes, by how they begin.
pub fn format_of(bytes: &[u8]) -> Option<Format> {
    if bytes.starts_with(&nue::MAGIC) { Some(Format::Nue) } else { stockfish::format_of(bytes) }
}

/// The checksum of the weights as our own format writes it, whatever format they came in.
pub fn checksum(net: &Net) -> u64 {
    rules::Checksum::of(&nue::weight_bytes(net))
}

/// The bytes of a file in this format, uncompressed.
pub fn write(net: &Net, format: Format) -> Result<Vec<u8>, NetError> {
    net.check()?;
    match format {
        Format::Nue => nue::write(net),
        Format::Stockfish12 => stockfish::v12::write(net),
        Format::Stockfish15 => stockfish::v15::write(net),
    }
}
