// SPDX-License-Identifier: GPL-3.0-or-later
//! Networks as the engine uses them: the one that comes with it, shared by all engines of a program, and those in files.

use std::{
    env,
    path::Path,
    sync::{Arc, LazyLock},
};

use nnue::{Level, Net, NetError, Network};
use rules::chess::Board;

use crate::bench;

/// What `nets/LEDGER.md` calls the default network.
static BYTES: &[u8] = include_bytes!("../../../../nets/default.net");

static BUILT_IN: LazyLock<Arc<Network>> = LazyLock::new(|| {
    let net = built_in_net();
    // The program refuses instruction sets that are not there; whoever embeds the engine gets the best.
    let level = level().unwrap_or(Level::best());
    Arc::new(lay_out(net, level).expect("a network that fits together"))
});

/// The network that comes with the engine, as it is written: for those who want to look at its weights.
pub fn built_in_net() -> Net {
    nnue::file::read(BYTES).expect("a network in the program")
}

/// The network that comes with the engine.
pub fn built_in() -> Arc<Network> {
    Arc::clone(&BUILT_IN)
}

/// The network of a file.
pub(crate) fn load(path: &Path) -> Result<Arc<Network>, NetError> {
    let level = level()?;
    Ok(Arc::new(lay_out(nnue::file::load(path)?, level)?))
}

/// The instruction set to use: the best, unless the variable `NUE_SIMD` names another.
///
/// # Errors
/// When there is no such instruction set, or not here.
pub fn level() -> Result<Level, NetError> {
    Ok(Level::choose(env::var("NUE_SIMD").ok().as_deref())?)
}

/// Lays a network out, with neurons that are active together side by side.
fn lay_out(mut net: Net, level: Level) -> Result<Network, NetError> {
    let near = |board: Board| board.legal_moves().iter().map(|&m| board.after(m)).collect::<Vec<_>>();
    let boards: Vec<Board> = bench::positions().flat_map(near).collect();
    nnue::order_neurons(&mut net, &boards)?;
    Network::new(net, level)
}
