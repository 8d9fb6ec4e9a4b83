// SPDX-License-Identifier: GPL-3.0-or-later
//! Replays the corpora of the fuzz targets as ordinary tests; `cargo xtask fuzz` looks for new inputs.

#[path = "../../../fuzz/bodies/fen.rs"]
mod fen;
#[path = "../../../fuzz/bodies/pgn.rs"]
mod pgn;
#[path = "../../../fuzz/bodies/positions.rs"]
mod positions;
#[path = "../../../fuzz/bodies/replay.rs"]
mod replay;
#[path = "../../../fuzz/bodies/san.rs"]
mod san;
#[path = "../../../fuzz/bodies/uci.rs"]
mod uci;

use replay::replay;

#[test]
fn fen_corpus() {
    replay("fen", 1, fen::check);
}

#[test]
fn pgn_corpus() {
    replay("pgn", 1, pgn::check);
}

#[test]
fn positions_corpus() {
    replay("positions", 1, positions::check);
}

#[test]
fn san_corpus() {
    replay("san", 1, san::check);
}

#[test]
fn uci_corpus() {
    replay("uci", 1, uci::check);
}
