// SPDX-License-Identifier: GPL-3.0-or-later
//! The signature of the engine: how many nodes it takes for a fixed set of positions.
//!
//! The number changes with anything that changes the search, and with nothing else: not with the
//! machine, nor with the instruction set of the build.

use std::time::{Duration, Instant};

use rules::chess::{Board, Game};

use crate::{ConfigureError, Controls, Engine, Limits, Options};

/// Depth of the signature.
pub const DEPTH: u32 = 12;

/// Openings (from CC0 books), middlegames, endgames, Chess960, a mate and a stalemate.
const POSITIONS: &str = include_str!("bench_positions.txt");

/// What a bench took.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Nodes searched in all positions together.
    pub nodes: u64,
    /// Time the searches took; forgetting what the one before had found is not part of it.
    pub time: Duration,
}

impl Outcome {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// The form that test frameworks read.
impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, self.nps())
    }
}

/// The positions.
pub fn positions() -> impl Iterator<Item = Board> {
    POSITIONS.lines().map(|fen| Board::from_fen(fen).expect("bench positions are legal"))
}

/// Searches every position to a depth with a fresh engine of this hash size and number of threads.
///
/// Endgame tables stay out of it: not every machine has them.
///
/// # Errors
/// When the options cannot be had, a network file for instance.
pub fn run(options: Options, depth: u32) -> Result<Outcome, ConfigureError> {
    let options = Options { syzygy_path: None, limit_strength: false, ..options };
    let mut engine = Engine::with_options(options)?;
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for board in positions() {
        engine.clear();
        let start = Instant::now();
        engine.search(&Game::new(board), &limits, &Controls::new(), &mut |_| {});
        time += start.elapsed();
        nodes += engine.nodes();
    }
    Ok(Outcome { nodes, time })
}
