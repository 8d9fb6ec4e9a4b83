// SPDX-License-Identifier: GPL-3.0-or-later
//! Replays the corpora of the fuzz targets of this crate as ordinary tests.

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
#[path = "../../../fuzz/bodies/replay.rs"]
mod replay;
#[path = "../../../fuzz/bodies/viriformat.rs"]
mod viriformat;

use replay::replay;

#[test]
fn archive_corpus() {
    replay("archive", 3, archive::check);
}

#[test]
fn binpack_corpus() {
    replay("binpack", 3, binpack::check);
}

#[test]
fn bulk_corpus() {
    replay("bulk", 3, bulk::check);
    replay("pgn", 3, bulk::check);
}

#[test]
fn lines_corpus() {
    replay("lines", 3, lines::check);
}

#[test]
fn npy_corpus() {
    replay("npy", 3, npy::check);
}

#[test]
fn records_corpus() {
    replay("records", 3, records::check);
}

#[test]
fn viriformat_corpus() {
    replay("viriformat", 3, viriformat::check);
}
