// SPDX-License-Identifier: GPL-3.0-or-later
//! What the engine knows about the positions of a training run: where captures end, and what is to be said by hand.

use std::{
    sync::{Mutex, PoisonError},
    thread,
};

use engine::{Engine, Evaluation, Options, eval};
use rules::chess::Board;
use trainer::Insight;

/// An engine for whoever asks; searches borrow one each.
pub(crate) struct Engines {
    idle: Mutex<Vec<Engine>>,
    options: Options,
}

impl Engines {
    pub(crate) fn new() -> Engines {
        // A quiescence search forgets nothing of worth when its table is small, and clearing it is quick.
        let evaluation = Evaluation::HandCrafted; // the same whatever network comes with the engine
        Engines { idle: Mutex::default(), options: Options { hash_mb: 1, evaluation, ..Options::default() } }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Engine>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Insight for Engines {
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

    fn by_hand(&self, boards: &[Board]) -> Vec<i16> {
        // No evaluation is larger than [`eval::MAX_EVALUATION`].
        boards.iter().map(|board| eval::evaluate(board) as i16).collect()
    }
}
