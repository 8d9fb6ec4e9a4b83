// SPDX-License-Identifier: GPL-3.0-or-later
//! Replays the corpus of the fuzz target `net` as an ordinary test.

use std::{fs, path::Path};

#[path = "../../../fuzz/bodies/net.rs"]
mod net;

#[path = "../../../fuzz/bodies/replay.rs"]
mod replay;

#[test]
fn net_corpus() {
    replay::replay("net", 11, net::check);
}

/// The corpus holds networks that can be read, or the replay would prove little.
#[test]
fn the_whole_networks_of_the_corpus_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/net");
    for name in ["direct", "dense", "zstd"] {
        let bytes = fs::read(folder.join(name)).expect("input of the corpus");
        nnue::file::read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}
