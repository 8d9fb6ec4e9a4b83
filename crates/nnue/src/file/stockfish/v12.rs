// SPDX-License-Identifier: GPL-3.0-or-later
//! The HalfKP format of Stockfish 12: `41024 -> 256x2 -> 32 -> 32 -> 1`, nothing else.
//!
//! Shogi engines use the same version and hashes with more inputs; the text and the length of the file tell
//! them apart.

use super::{
    super::reader::{Reader, Writer},
    Kind, check_length, network_hash,
};
use crate::{Arch, Net, NetError, Weights};

const INPUTS: usize = 41_024;

const KIND: Kind = Kind {
    name: "Stockfish 12",
    version: 0x7AF3_2F16,
    // The friend's king, and outputs of both views.
    transformer: (0x5D69_D5B9 ^ 1) ^ 512,
    network: network_hash(512, [32, 32, 1]),
    features: "HalfKP-SF12",
    arch: || Arch::seed(INPUTS),
};

const TEXT: &str = "Features=HalfKP(Friend)[41024->256x2],Network=AffineTransform[1<-32](ClippedReLU[32]\
                    (AffineTransform[32<-32](ClippedReLU[32](AffineTransform[32<-512](InputSlice[512(0:512)])))))";

pub(in super::super) fn read(bytes: &[u8]) -> Result<Net, NetError> {
    let mut reader = Reader::new(bytes);
    let text = KIND.start(&mut reader)?;
    if text.contains("[125388->") {
        return Err(NetError::Shogi);
    }
    let arch = (KIND.arch)();
    check_length(bytes, &reader, arch.bytes() + 8)?;
    KIND.expect(&mut reader, "the hash of the features", KIND.transformer)?;
    let bias = reader.i16s(arch.width, "the accumulator's bias")?;
    let rows = reader.i16s(arch.inputs * arch.width, "the table of features")?;
    KIND.expect(&mut reader, "the hash of the layers", KIND.network)?;
    let weights = Weights { bias, rows, psqt: Vec::new(), heads: vec![reader.head(&arch)?] };
    // The usual text says nothing about the run.
    let run = if text == TEXT { String::new() } else { text.to_owned() };
    Ok(Net { features: KIND.features()?, arch, run, weights })
}

pub(in super::super) fn write(net: &Net) -> Result<Vec<u8>, NetError> {
    let text = if net.run.is_empty() { TEXT } else { &net.run };
    let mut bytes = KIND.begin(net, text, net.arch.bytes() + 20)?;
    bytes.extend(KIND.transformer.to_le_bytes());
    bytes.i16s(&net.weights.bias);
    bytes.i16s(&net.weights.rows);
    bytes.extend(KIND.network.to_le_bytes());
    bytes.head(&net.arch, &net.weights.heads[0]);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_stockfish_12() {
        assert_eq!(KIND.transformer, 0x5D69_D7B8);
        assert_eq!(KIND.network, 0x6333_7156);
        assert_eq!(KIND.transformer ^ KIND.network, 0x3E5A_A6EE);
        assert_eq!(TEXT.len(), 177);
    }
}
