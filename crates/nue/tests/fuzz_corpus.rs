// SPDX-License-Identifier: GPL-3.0-or-later
//! Replays the corpora of the fuzz targets as ordinary tests; `cargo xtask fuzz` looks for new inputs.

use std::{fs, panic, path::Path};

#[path = "../../../fuzz/bodies/fen.rs"]
mod fen;
#[path = "../../../fuzz/bodies/pgn.rs"]
mod pgn;
#[path = "../../../fuzz/bodies/positions.rs"]
mod positions;
#[path = "../../../fuzz/bodies/san.rs"]
mod san;
#[path = "../../../fuzz/bodies/uci.rs"]
mod uci;

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
    assert!(inputs > 0, "no input in {}", folder.display());
}

#[test]
fn fen_corpus() {
    replay("fen", fen::check);
}

#[test]
fn pgn_corpus() {
    replay("pgn", pgn::check);
}

#[test]
fn positions_corpus() {
    replay("positions", positions::check);
}

#[test]
fn san_corpus() {
    replay("san", san::check);
}

#[test]
fn uci_corpus() {
    replay("uci", uci::check);
}
