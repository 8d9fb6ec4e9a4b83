// SPDX-License-Identifier: GPL-3.0-or-later
//! Compares a network with a list of known outputs: `cargo run --release -p nnue --example vectors -- NETWORK LIST`.
//!
//! A line of the list is a FEN and the raw output, separated by a tab; more columns and lines that begin with `#`
//! are passed over. Every instruction set of the CPU is tried, from nothing and through the refresh cache.

use std::{env, fs, path::Path, sync::Arc};

use anyhow::{Context, bail, ensure};
use nnue::{Accumulators, Level, Network, file};
use rules::chess::Board;

#[allow(clippy::print_stdout, reason = "an example reports on standard output")]
fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [network, list] = arguments.as_slice() else { bail!("expected NETWORK and LIST") };
    let net = file::load(Path::new(network)).context("loading the network")?;
    println!("{}: {}", net.features, net.arch);
    let list = fs::read_to_string(list).context("reading the list")?;
    let mut cases = Vec::new();
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        let (fen, raw) = (columns.next().context("a FEN")?, columns.next().context("an output")?);
        cases.push((Board::from_fen(fen)?, raw.parse::<i32>()?));
    }
    let mut wrong = 0;
    for level in Level::available() {
        let network = Arc::new(Network::new(net.clone(), level)?);
        let mut accumulators = Accumulators::new(network.clone());
        let mut differ = 0;
        for (board, raw) in &cases {
            accumulators.reset();
            differ += usize::from(network.evaluate(board) != *raw || accumulators.evaluate(board) != *raw);
        }
        println!("{level}: {} positions, {differ} differ", cases.len());
        wrong += differ;
    }
    ensure!(wrong == 0 && !cases.is_empty(), "outputs differ from the list");
    Ok(())
}
