// SPDX-License-Identifier: GPL-3.0-or-later
//! Any bytes as a network file: reading ends, never panics and never asks for much memory; what was read
//! reads back as the same network and can be run.

use nnue::{
    Level, Net, Network,
    file::{self, Format},
};
use rules::chess::Board;

/// Checks one input.
pub(crate) fn check(data: &[u8]) {
    match file::read(data) {
        Ok(net) => check_net(net),
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty() && !message.contains('\n'), "{message:?}");
        }
    }
}

fn check_net(net: Net) {
    for format in [Format::Nue, Format::Stockfish12] {
        if let Ok(bytes) = file::write(&net, format) {
            assert!(file::read(&bytes).is_ok_and(|again| again == net), "{format:?}");
        }
    }
    let scalar = Network::new(net.clone(), Level::Scalar).expect("a checked network");
    let best = Network::new(net, Level::best()).expect("a checked network");
    let board = Board::start();
    assert_eq!(scalar.evaluate(&board), best.evaluate(&board));
}
