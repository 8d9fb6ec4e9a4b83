// SPDX-License-Identifier: GPL-3.0-or-later
//! The HalfKAv2_hm format of Stockfish 15.1: `22528 -> 1024x2 pairwise -> 16 twofold -> 32 -> 1` with eight buckets and
//! direct weights, nothing else.
//!
//! The layers of every bucket stand behind a hash of their own, and rows of weights are filled up to whole lines of 32.

use super::{
    super::reader::{Reader, Writer},
    Kind, check_length, network_hash,
};
use crate::{Activation, Affine, Arch, Head, Net, NetError, Scales, Weights};

pub(super) const VERSION: u32 = 0x7AF3_2F20;

const KIND: Kind = Kind {
    name: "Stockfish 15.1",
    version: VERSION,
    // The features, and outputs of both views.
    transformer: 0x7F23_4CB8 ^ 2048,
    network: network_hash(2048, [16, 32, 1]),
    features: "HalfKAv2-hm-SF15",
    arch,
};

/// Rows of weights are as long as a multiple of this.
const LINE: usize = 32;

/// A pawn is what Stockfish 15.1 shows as one: 361 of its units, sixteen times finer here.
fn arch() -> Arch {
    Arch {
        width: 1024,
        activation: Activation::Pairwise,
        hidden: vec![16, 32],
        twofold: true,
        buckets: 8,
        psqt: true,
        scales: Scales { input: 127, hidden: 64, output: 16 * 600, pawn: 16 * 361 },
        ..Arch::seed(22_528)
    }
}

/// What a file has behind the layers' weights of all buckets: hashes, and what rows are filled up with.
fn filling(arch: &Arch) -> u64 {
    let fill = |(inputs, outputs): (usize, usize)| outputs * (inputs.next_multiple_of(LINE) - inputs);
    let layers: usize = arch.layers().into_iter().map(fill).sum();
    (arch.buckets * (4 + layers)) as u64
}

pub(in super::super) fn read(bytes: &[u8]) -> Result<Net, NetError> {
    let mut reader = Reader::new(bytes);
    let text = KIND.start(&mut reader)?;
    let arch = (KIND.arch)();
    check_length(bytes, &reader, 4 + arch.bytes() + filling(&arch))?;
    KIND.expect(&mut reader, "the hash of the features", KIND.transformer)?;
    let weights = Weights {
        bias: reader.i16s(arch.width, "the accumulator's bias")?,
        rows: reader.i16s(arch.inputs * arch.width, "the table of features")?,
        psqt: reader.i32s(arch.inputs * arch.buckets, "the direct weights")?,
        heads: (0..arch.buckets).map(|_| head(&mut reader, &arch)).collect::<Result<_, _>>()?,
    };
    Ok(Net { features: KIND.features()?, arch, run: text.to_owned(), weights })
}

fn head(reader: &mut Reader<'_>, arch: &Arch) -> Result<Head, NetError> {
    KIND.expect(reader, "the hash of the layers", KIND.network)?;
    let mut layers = Vec::new();
    for (inputs, outputs) in arch.layers() {
        let bias = reader.i32s(outputs, "the biases of a layer")?;
        let line = inputs.next_multiple_of(LINE);
        let filled = reader.i8s(line * outputs, "the weights of a layer")?;
        let weights = filled.chunks_exact(line).flat_map(|row| &row[..inputs]).copied().collect();
        layers.push(Affine { bias, weights });
    }
    Ok(Head { layers })
}

pub(in super::super) fn write(net: &Net) -> Result<Vec<u8>, NetError> {
    let mut bytes = KIND.begin(net, &net.run, net.arch.bytes() + filling(&net.arch) + 16)?;
    bytes.extend(KIND.transformer.to_le_bytes());
    bytes.i16s(&net.weights.bias);
    bytes.i16s(&net.weights.rows);
    bytes.i32s(&net.weights.psqt);
    for head in &net.weights.heads {
        bytes.extend(KIND.network.to_le_bytes());
        for (affine, (inputs, _)) in head.layers.iter().zip(net.arch.layers()) {
            bytes.i32s(&affine.bias);
            for row in affine.weights.chunks_exact(inputs) {
                bytes.extend(row.iter().map(|&weight| weight as u8));
                bytes.resize(bytes.len() + inputs.next_multiple_of(LINE) - inputs, 0);
            }
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Those of `nn-ad9b42354671.nnue`, the network of Stockfish 15.1, and its length.
    #[test]
    fn hashes_and_length_are_those_of_stockfish_15() {
        assert_eq!(KIND.transformer, 0x7F23_44B8);
        assert_eq!(KIND.transformer ^ KIND.network, 0x1C10_2EF2);
        let (header, text) = (12, 75);
        assert_eq!(header + text + 4 + arch().bytes() + filling(&arch()), 47_001_499);
    }
}
