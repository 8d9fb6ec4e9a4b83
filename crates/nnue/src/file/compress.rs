// SPDX-License-Identifier: GPL-3.0-or-later
//! Files compressed as a whole with zstd.

use std::io::Read;

use ruzstd::{
    decoding::{DEFAULT_MAX_WINDOW_SIZE, StreamingDecoder},
    encoding::{CompressionLevel, compress_to_vec},
};

use crate::NetError;

/// How a zstd frame begins.
const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// No network shrinks further than to a part in this many, but for small ones.
const BEST_RATIO: u64 = 256;
const SMALL: u64 = 4 << 20;

pub(super) fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

pub(super) fn pack(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

/// Unpacks a single frame; memory grows with what really comes out, and that has a limit.
pub(super) fn unpack(bytes: &[u8], most: u64) -> Result<Vec<u8>, NetError> {
    let damaged = |error: &dyn std::fmt::Display| NetError::Compression(error.to_string());
    let limit = most.min(SMALL + BEST_RATIO * bytes.len() as u64);
    let window = limit.min(DEFAULT_MAX_WINDOW_SIZE);
    let mut decoder =
        StreamingDecoder::new_with_max_window_size(bytes, window).map_err(|error| damaged(&error))?;
    let mut unpacked = Vec::new();
    decoder.by_ref().take(limit + 1).read_to_end(&mut unpacked).map_err(|error| damaged(&error))?;
    if unpacked.len() as u64 > limit {
        return Err(NetError::Bomb { size: bytes.len(), limit });
    }
    let (rest, frame) = decoder.into_parts();
    if frame.get_checksum_from_data().is_some_and(|written| Some(written) != frame.get_calculated_checksum())
    {
        return Err(damaged(&"wrong checksum"));
    }
    if !rest.is_empty() {
        return Err(damaged(&format!("{} bytes after its end", rest.len())));
    }
    Ok(unpacked)
}
