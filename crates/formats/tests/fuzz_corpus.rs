// SPDX-License-Identifier: GPL-3.0-or-later
//! Replays the corpora of the fuzz targets of this crate as ordinary tests.

use std::{fs, panic, path::Path};

#[path = "../../../fuzz/bodies/archive.rs"]
mod archive;
#[path = "../../../fuzz/bodies/binpack.rs"]
mod binpack;
#[path = "../../../fuzz/bodies/bulk.rs"]
mod bulk;
#[path = "../../../fuzz/bodies/lines.rs"]
mod lines;
#[path = "../../../fuzz/bodies/npy.rs"]
mod npy;
#[path = "../../../fuzz/bodies/records.rs"]
mod records;
#[path = "../../../fuzz/bodies/viriformat.rs"]
mod viriformat;

fn replay(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut inputs = 0;
    for entry in fs::read_dir(&folder).expect("folder of the corpus") {
        let path = entry.expect("entry of the corpus").path();
        let bytes = fs::read(&path).expect("input of the corpus");
        let outcome = panic::catch_unwind(|| check(&bytes));
        assert!(outcome.is_ok(), "input {} fails", path.display());
        inputs += 1;
    }
    assert!(inputs > 2, "only {inputs} inputs in {}", folder.display());
}

#[test]
fn archive_corpus() {
    replay("archive", archive::check);
}

#[test]
fn binpack_corpus() {
    replay("binpack", binpack::check);
}

#[test]
fn bulk_corpus() {
    replay("bulk", bulk::check);
    replay("pgn", bulk::check);
}

#[test]
fn lines_corpus() {
    replay("lines", lines::check);
}

#[test]
fn npy_corpus() {
    replay("npy", npy::check);
}

#[test]
fn records_corpus() {
    replay("records", records::check);
}

#[test]
fn viriformat_corpus() {
    replay("viriformat", viriformat::check);
}
