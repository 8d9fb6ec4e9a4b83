// SPDX-License-Identifier: GPL-3.0-or-later
//! The engine's quiescence search for the data of a training run.

use std::{
    sync::{Mutex, PoisonError},
    thread,
};

use engine::{Engine, Evaluation, Options};
use rules::chess::Board;
use trainer::Leaf;

/// Engines that find the ends of captures; each call borrows one.
pub(crate) struct Quiescence {
    idle: Mutex<Vec<Engine>>,
    options: Options,
}

impl Quiescence {
    pub(crate) fn new() -> Quiescence {
        // A quiescence search forgets nothing of worth when its table is small, and clearing it is quick.
        let evaluation = Evaluation::HandCrafted; // the same whatever network comes with the engine
        Quiescence {
            idle: Mutex::default(),
            options: Options { hash_mb: 1, evaluation, ..Options::default() },
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Engine>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Leaf for Quiescence {
    fn leaves(&self, boards: &[Board]) -> Vec<Board> {
        let engine = self.idle().pop();
        let mut engine = engine.unwrap_or_else(|| {
            Engine::with_options(self.options.clone()).expect("an engine of one megabyte without files")
        });
        // What the last positions left behind must not change the next ones.
        engine.clear();
        let leaves = thread::scope(|scope| {
            let work = || engine.quiet_leaves(boards);
            let thread = thread::Builder::new().stack_size(Engine::STACK_BYTES).spawn_scoped(scope, work);
            thread.expect("a thread can be started").join().expect("the search does not panic")
        });
        self.idle().push(engine);
        leaves
    }
}
