// SPDX-License-Identifier: GPL-3.0-or-later
//! Replays the corpus of the fuzz target `net` as an ordinary test.

use std::{fs, path::Path};

#[path = "../../../fuzz/bodies/net.rs"]
mod net;

#[test]
fn net_corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/net");
    let mut inputs = 0;
    for entry in fs::read_dir(&folder).expect("folder of the corpus") {
        let path = entry.expect("entry of the corpus").path();
        net::check(&fs::read(&path).expect("input of the corpus"));
        inputs += 1;
    }
    assert!(inputs > 10, "only {inputs} inputs in {}", folder.display());
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
