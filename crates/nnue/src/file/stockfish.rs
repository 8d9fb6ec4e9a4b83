// SPDX-License-Identifier: GPL-3.0-or-later
//! The HalfKP `.nnue` format of Stockfish 12: `41024 -> 256x2 -> 32 -> 32 -> 1`, nothing else.
//!
//! Little-endian without padding: version, hash, a text, the accumulator behind its hash, the layers
//! behind theirs. Shogi engines use the same version and hashes with more inputs; the text and the length of
//! the file tell them apart.

use features::chess::FeatureSet;

use super::reader::{Reader, Writer};
use crate::{Arch, Net, NetError, Weights};

const VERSION: u32 = 0x7AF3_2F16;
/// What versions of this family of formats have in common.
const FAMILY: u32 = 0x7AF3_2F00;
const INPUTS: usize = 41_024;
/// The set with the file's numbering of features.
const FEATURES: &str = "HalfKP-SF12";
const TEXT: &str = "Features=HalfKP(Friend)[41024->256x2],Network=AffineTransform[1<-32](ClippedReLU[32]\
                    (AffineTransform[32<-32](ClippedReLU[32](AffineTransform[32<-512](InputSlice[512(0:512)])))))";
/// The longest text that is accepted in place of that.
const MAX_TEXT: u32 = 4096;

/// Hash of the feature transformer: feature set (friend's king) and outputs of both views.
const fn transformer_hash() -> u32 {
    (0x5D69_D5B9 ^ 1) ^ 512
}

/// Hash of the layers behind it, each computed from the one before.
const fn network_hash() -> u32 {
    const fn affine(before: u32, outputs: u32) -> u32 {
        0xCC03_DAE4_u32.wrapping_add(outputs) ^ (before >> 1) ^ (before << 31)
    }
    const fn relu(before: u32) -> u32 {
        before.wrapping_add(0x538D_24C7)
    }
    affine(relu(affine(relu(affine(0xEC42_E90D ^ 512, 32)), 32)), 1)
}

/// Whether bytes begin like a file of this format or of a relative.
pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.first_chunk().is_some_and(|&start| u32::from_le_bytes(start) & !0xFF == FAMILY)
}

pub(super) fn read(bytes: &[u8]) -> Result<Net, NetError> {
    let mut reader = Reader::new(bytes);
    hash(&mut reader, "the version", VERSION)?;
    hash(&mut reader, "the hash of the architecture", transformer_hash() ^ network_hash())?;
    let length = reader.u32("the length of its text")?;
    if length > MAX_TEXT {
        return Err(NetError::HeaderLength(length.into()));
    }
    let text = std::str::from_utf8(reader.take(length as usize, "its text")?);
    let text = text.map_err(|_| NetError::HeaderText)?;
    if text.contains("[125388->") {
        return Err(NetError::Shogi);
    }
    let arch = Arch::seed(INPUTS);
    let (found, rest) = (bytes.len() as u64, reader.rest().len() as u64);
    let expected = found - rest + arch.bytes() + 8;
    if found != expected {
        return Err(NetError::Length { found, expected });
    }
    hash(&mut reader, "the hash of the features", transformer_hash())?;
    let bias = reader.i16s(arch.width, "the accumulator's bias")?;
    let rows = reader.i16s(arch.inputs * arch.width, "the table of features")?;
    hash(&mut reader, "the hash of the layers", network_hash())?;
    let weights = Weights { bias, rows, psqt: Vec::new(), heads: vec![reader.head(&arch)?] };
    // The usual text says nothing about the run.
    let run = if text == TEXT { String::new() } else { text.to_owned() };
    Ok(Net { features: features()?, arch, run, weights })
}

pub(super) fn write(net: &Net) -> Result<Vec<u8>, NetError> {
    let (arch, features) = (Arch::seed(INPUTS), features()?);
    if net.arch != arch || net.features != features {
        let name = |arch: &Arch, features: &FeatureSet| format!("{features}: {arch}");
        return Err(NetError::NotForStockfish {
            expected: name(&arch, &features),
            found: name(&net.arch, &net.features),
        });
    }
    let text = if net.run.is_empty() { TEXT } else { &net.run };
    if text.len() > MAX_TEXT as usize {
        return Err(NetError::HeaderLength(text.len() as u64));
    }
    let mut bytes = Vec::with_capacity(arch.bytes() as usize + text.len() + 20);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((transformer_hash() ^ network_hash()).to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.extend(transformer_hash().to_le_bytes());
    bytes.i16s(&net.weights.bias);
    bytes.i16s(&net.weights.rows);
    bytes.extend(network_hash().to_le_bytes());
    bytes.head(&arch, &net.weights.heads[0]);
    Ok(bytes)
}

fn features() -> Result<FeatureSet, NetError> {
    FeatureSet::parse(FEATURES).map_err(|error| NetError::Features(error.to_string()))
}

fn hash(reader: &mut Reader<'_>, what: &'static str, expected: u32) -> Result<(), NetError> {
    let found = reader.u32(what)?;
    if found == expected { Ok(()) } else { Err(NetError::Hash { what, found, expected }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_stockfish_12() {
        assert_eq!(transformer_hash(), 0x5D69_D7B8);
        assert_eq!(network_hash(), 0x6333_7156);
        assert_eq!(transformer_hash() ^ network_hash(), 0x3E5A_A6EE);
        assert_eq!(TEXT.len(), 177);
    }
}
