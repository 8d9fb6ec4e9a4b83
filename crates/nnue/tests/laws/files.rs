// SPDX-License-Identifier: GPL-3.0-or-later
//! What is written reads back; what is damaged is refused in one sentence.

use std::{env, fs, process};

use nnue::{
    Activation, Arch, Net, Scales,
    file::{self, Format},
};
use rules::Random;

use crate::random::{Nature, net, shape};

fn small_net() -> Net {
    net(&mut Random::new(1), "File × Colour", shape(128, Activation::Squared, &[]), Nature::Tame)
}

fn seed_net() -> Net {
    let mut net = net(&mut Random::new(2), "HalfKP-SF12", Arch::seed(0), Nature::Tame);
    net.run.clear();
    net
}

fn refusal(bytes: &[u8]) -> String {
    let message = file::read(bytes).expect_err("a refusal").to_string();
    assert!(!message.contains('\n') && message.len() < 300, "{message}");
    message
}

#[test]
fn every_shape_reads_back() {
    let mut random = Random::new(3);
    for activation in Activation::ALL {
        for hidden in [&[][..], &[7], &[16, 32], &[8, 8, 8]] {
            for (buckets, psqt) in [(1, false), (8, true)] {
                let mut arch = shape(128, activation, hidden);
                (arch.buckets, arch.psqt) = (buckets, psqt);
                arch.hidden_activation = random.pick(&[Activation::Clipped, Activation::Squared]);
                arch.hand_crafted = random.pick(&[0, 1, 120]);
                arch.twofold = hidden == [16, 32] && arch.hidden_activation == Activation::Clipped;
                let mut net = net(&mut random, "Compact", arch, Nature::Extreme);
                net.run = random.pick(&["", "one line", "two\nlines", "run: 7\n", "Äö ×\n\n"]).to_owned();
                let bytes = file::write(&net, Format::Nue).expect("bytes");
                let again = file::read(&bytes).expect("the same network");
                assert!(again == net, "{}", net.arch);
                assert!(file::write(&again, Format::Nue).expect("bytes") == bytes, "{}", net.arch);
            }
        }
    }
}

#[test]
fn a_network_beside_the_hand_crafted_evaluation_says_so() {
    let mut net = small_net();
    let alone = file::write(&net, Format::Nue).expect("bytes");
    net.arch.hand_crafted = 120;
    let beside = file::write(&net, Format::Nue).expect("bytes");
    let line = b"hand-crafted: 120\n";
    let at = beside.windows(line.len()).position(|part| part == line).expect("the line");
    assert!(beside.len() == alone.len() + line.len(), "nothing else is written");
    let mut none = beside.clone();
    none[at + 14..at + 17].copy_from_slice(b"000");
    assert!(refusal(&none).ends_with("gives hand-crafted as '000', expected a number of percent from 1"));
    assert!(net.arch.to_string().ends_with(" -> 1, beside 120 % of the hand-crafted evaluation"));
    net = seed_net();
    net.arch.hand_crafted = 120;
    assert!(file::write(&net, Format::Stockfish12).is_err(), "there is no place for it");
}

#[test]
fn the_stockfish_format_reads_back_to_the_same_bytes() {
    let mut net = seed_net();
    let bytes = file::write(&net, Format::Stockfish12).expect("bytes");
    assert_eq!(bytes.len(), 21_022_697);
    assert_eq!(bytes[..12], [0x16, 0x2F, 0xF3, 0x7A, 0xEE, 0xA6, 0x5A, 0x3E, 177, 0, 0, 0]);
    assert_eq!(bytes[189..193], [0xB8, 0xD7, 0x69, 0x5D]);
    assert_eq!(bytes[21_004_993..21_004_997], [0x56, 0x71, 0x33, 0x63]);
    let again = file::read(&bytes).expect("the same network");
    assert!(again == net && file::write(&again, Format::Stockfish12).expect("bytes") == bytes);

    net.run = "trained elsewhere".to_owned();
    let bytes = file::write(&net, Format::Stockfish12).expect("bytes");
    let again = file::read(&bytes).expect("the same network");
    assert!(again == net && file::write(&again, Format::Stockfish12).expect("bytes") == bytes);

    // And over to our own format and back.
    let ours = file::write(&again, Format::Nue).expect("bytes");
    assert!(file::read(&ours).expect("the same network") == net);

    let cut = refusal(&bytes[..bytes.len() - 1]);
    assert_eq!(cut, format!("the network file has {} bytes, expected {}", bytes.len() - 1, bytes.len()));
    let mut foreign = bytes.clone();
    foreign[0] = 0x17;
    assert_eq!(refusal(&foreign), "the version is 0x7AF32F17, expected 0x7AF32F16 as in Stockfish 12 files");
    foreign = bytes.clone();
    foreign[20_000_000 + 1_004_993 - 177 + net.run.len()] ^= 1;
    assert!(refusal(&foreign).starts_with("the hash of the layers is 0x63337157, expected 0x63337156"));
}

#[test]
fn the_format_of_stockfish_15_reads_back_to_the_same_bytes() {
    let arch = Arch {
        hidden: vec![16, 32],
        twofold: true,
        buckets: 8,
        psqt: true,
        scales: Scales { input: 127, hidden: 64, output: 9600, pawn: 5776 },
        ..shape(1024, Activation::Pairwise, &[])
    };
    let net = net(&mut Random::new(9), "HalfKAv2-hm-SF15", arch, Nature::Tame);
    let bytes = file::write(&net, Format::Stockfish15).expect("bytes");
    assert_eq!(file::format_of(&bytes), Some(Format::Stockfish15));
    let again = file::read(&bytes).expect("the same network");
    assert!(again == net && file::write(&again, Format::Stockfish15).expect("bytes") == bytes);
    let ours = file::write(&again, Format::Nue).expect("bytes");
    assert!(file::read(&ours).expect("the same network") == net);

    let cut = refusal(&bytes[..bytes.len() - 1]);
    assert_eq!(cut, format!("the network file has {} bytes, expected {}", bytes.len() - 1, bytes.len()));
    let mut foreign = bytes.clone();
    foreign[4] ^= 1;
    let message = refusal(&foreign);
    assert!(message.starts_with("the hash of the architecture is 0x"), "{message}");
    assert!(message.ends_with(" as in Stockfish 15.1 files"), "{message}");
    let refused = file::write(&seed_net(), Format::Stockfish15).expect_err("a refusal").to_string();
    assert!(refused.starts_with("the Stockfish 15.1 format holds 'Bucket[31 30 29 28/27"), "{refused}");
}

#[test]
fn a_shogi_network_is_recognised() {
    let mut bytes = file::write(&seed_net(), Format::Stockfish12).expect("bytes");
    let place = bytes.windows(8).position(|part| part == b"[41024->").expect("the usual text");
    bytes.splice(place..place + 8, *b"[125388->");
    bytes[8] += 1;
    assert_eq!(refusal(&bytes), "a HalfKP network for shogi, expected one for chess");
}

#[test]
fn only_the_seed_network_fits_the_stockfish_format() {
    let refused = file::write(&small_net(), Format::Stockfish12).expect_err("a refusal").to_string();
    assert!(refused.starts_with("the Stockfish 12 format holds 'King × (Unused"), "{refused}");
    assert!(
        refused.ends_with("this network is 'File × Colour: 16 -> 128x2 squared -> 1, a pawn of 1600'"),
        "{refused}"
    );
}

#[test]
fn files_can_be_compressed() {
    let folder = env::temp_dir().join(format!("nue-net-{}", process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let net = small_net();
    for compressed in [false, true] {
        let path = folder.join("small.net");
        file::save(&net, &path, Format::Nue, compressed).expect("a file");
        assert!(file::load(&path).expect("the same network") == net);
        assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 1, "nothing else is left behind");

        let mut bytes = fs::read(&path).expect("the file");
        assert_eq!(bytes.starts_with(b"NueNet1\n"), !compressed);
        if compressed {
            bytes.push(0);
            assert_eq!(refusal(&bytes), "the compressed network file is damaged: 1 bytes after its end");
            for length in 4..bytes.len() - 1 {
                assert!(!refusal(&bytes[..length]).is_empty());
            }
        }
    }
    fs::remove_dir_all(&folder).expect("the folder");
    let missing = file::load(&folder.join("none.net")).expect_err("no file").to_string();
    assert!(missing.starts_with("cannot read the network file: "), "{missing}");
}

#[test]
fn every_cut_and_every_changed_byte_is_noticed() {
    let bytes = file::write(&small_net(), Format::Nue).expect("bytes");
    for length in (0..400).chain([bytes.len() - 1]) {
        refusal(&bytes[..length]);
    }
    let longer: Vec<u8> = bytes.iter().copied().chain([0]).collect();
    assert_eq!(
        refusal(&longer),
        format!("the network file has {} bytes, expected {}", bytes.len() + 1, bytes.len())
    );
    let text = u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]) as usize;
    let run = 12 + text - "random weights\n".len();
    for place in (0..run).chain((12 + text..bytes.len()).step_by(97)) {
        let mut changed = bytes.clone();
        changed[place] ^= 0x20;
        // The case of letters does not matter in the name of a feature, nor in a checksum.
        if let Ok(read) = file::read(&changed) {
            assert!(read == small_net(), "byte {place}");
        }
    }
}

#[test]
fn claims_of_a_header_are_checked_before_they_are_believed() {
    let header = |inputs: u64, width: u64| {
        let text = format!(
            "features: File\ninputs: {inputs}\nwidth: {width}\nactivation: clipped\nhidden: clipped\n\
             buckets: 1\npsqt: no\nscales: 255 64 16320 1600\nchecksum: 0000000000000000\nrun: none\n"
        );
        let mut bytes = b"NueNet1\n".to_vec();
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.bytes());
        bytes.resize(1024, 0);
        bytes
    };
    assert_eq!(
        refusal(&header(16_777_215, 128)),
        "unusable network: weights of 4294967812 bytes, expected at most 1073741824"
    );
    let large = refusal(&header(4_000_000, 128));
    assert!(large.starts_with("the network file has 1024 bytes, expected 1024000"), "{large}");
    assert!(refusal(&header(u64::MAX, 128)).contains("18446744073709551615 inputs"));
    assert!(refusal(&header(8, 100)).contains("width 100, expected one of [128, 256,"));

    let mut long = b"NueNet1\n".to_vec();
    long.extend(u32::MAX.to_le_bytes());
    assert_eq!(
        refusal(&long),
        "the header of the network file claims 4294967295 bytes of text, expected at most 65536"
    );
}

#[test]
fn foreign_files_are_named_by_their_first_bytes() {
    assert_eq!(
        refusal(b""),
        "not a network file: it begins with nothing, expected a network of Nue, Stockfish 12 or Stockfish 15.1"
    );
    assert_eq!(
        refusal(b"\x7FELF\x02\x01\x01\0\0"),
        "not a network file: it begins with [7F, 45, 4C, 46, 02, 01, 01, 00], expected a network of Nue, \
         Stockfish 12 or Stockfish 15.1"
    );
}
