// SPDX-License-Identifier: GPL-3.0-or-later
//! The engine for those who ask about millions of positions: without search, with captures only, or searched on
//! the thread that asks.

use std::{sync::atomic::AtomicBool, time::Duration};

use rules::chess::{Board, Game, Move};

use super::{
    Engine,
    node::Pv,
    score::{self, INFINITY},
    searcher::{Counters, Searcher, Shared},
};
use crate::{
    Controls, Limits, Score,
    time::{Lag, TimeManager},
};

impl Engine {
    /// The stack that a thread must have to search without another: see [`Engine::search_on_caller`].
    pub const STACK_BYTES: usize = super::STACK_BYTES;

    /// From now on a search of one thread runs on the thread that asks for it, whose stack must be of
    /// [`Engine::STACK_BYTES`]. Short searches then spend no time on starting threads.
    pub fn search_on_caller(&mut self) {
        self.on_caller = true;
    }

    /// The evaluation of a position without any search, in centipawns for the side to move.
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        let evaluator = &mut self.memories[0].evaluator;
        evaluator.reset();
        evaluator.evaluate(board)
    }

    /// The scores of positions after all captures worth making, each for its side to move.
    ///
    /// What was learnt from one position is used for the next: the same positions in the same order, after
    /// [`Engine::clear`], have the same scores.
    pub fn quiesce(&mut self, boards: &[Board]) -> Vec<Score> {
        self.quiesce_each(boards, |score, _| score::to_report(score))
    }

    /// The positions at the end of all captures worth making: those that the scores of [`Engine::quiesce`] judge.
    ///
    /// A position in which standing pat is best is its own leaf.
    pub fn quiet_leaves(&mut self, boards: &[Board]) -> Vec<Board> {
        let mut roots = boards.iter();
        self.quiesce_each(boards, |_, line| {
            let root = roots.next().expect("a line for every board");
            line.iter().fold(*root, |board, &m| board.after(m))
        })
    }

    /// Tries all captures of each position; `result` makes something of its score and its best line.
    fn quiesce_each<T>(&mut self, boards: &[Board], mut result: impl FnMut(i32, &[Move]) -> T) -> Vec<T> {
        let (limits, controls) = (Limits::default(), Controls::new());
        let time = TimeManager::new(&limits, Duration::ZERO, Lag::default());
        self.tt.new_search();
        let shared = Shared {
            tt: &self.tt,
            tables: &self.tables,
            controls: &controls,
            limits: &limits,
            time: &time,
            stop: AtomicBool::new(false),
            counters: vec![Counters::default()],
        };
        let Some(first) = boards.first() else { return Vec::new() };
        let mut searcher = Searcher::new(&shared, 0, &mut self.memories[0], &Game::new(*first), Vec::new());
        boards
            .iter()
            .map(|board| {
                searcher.move_to(board);
                let score = searcher.quiesce::<Pv>(board, -INFINITY, INFINITY, 0);
                result(score, searcher.best_line())
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Choice, Evaluation, Options, bench, search::margins};

    use super::*;

    fn board(fen: &str) -> Board {
        Board::from_fen(fen).expect("a legal position")
    }

    fn hand_crafted() -> Engine {
        let options = Options { evaluation: Evaluation::HandCrafted, ..Options::default() };
        Engine::with_options(options).expect("no files")
    }

    #[test]
    fn the_evaluation_is_that_of_the_search() {
        let (mut by_network, mut by_hand) = (Engine::new(), hand_crafted());
        let network = crate::eval::built_in();
        for board in bench::positions() {
            assert_eq!(by_hand.evaluate(&board), crate::eval::evaluate(&board), "{board}");
            let expected = network.value(network.evaluate(&board), || crate::eval::evaluate(&board));
            assert_eq!(by_network.evaluate(&board), expected, "{board}");
        }
    }

    #[test]
    fn quiescence_takes_what_hangs_and_sees_mates() {
        let hanging = board("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
        let quiet = board("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1");
        let mated = board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
        let mut engine = hand_crafted();
        let scores = engine.quiesce(&[hanging, quiet, mated]);
        assert!(matches!(scores[0], Score::Cp(score) if score > 50), "{scores:?}");
        assert!(engine.evaluate(&hanging) < -300);
        assert_eq!(scores[2], Score::Mate(0));
        engine.clear();
        assert_eq!(engine.quiesce(&[hanging, quiet, mated]), scores);
        assert!(engine.quiesce(&[]).is_empty());
    }

    #[test]
    fn leaves_are_what_the_scores_judge() {
        let hanging = board("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
        let quiet = board("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1");
        let mut engine = Engine::new();
        let leaves = engine.quiet_leaves(&[hanging, quiet]);
        assert_eq!(leaves[0].to_string(), "4k3/8/8/3P4/8/8/8/4K3 b - - 0 1");
        assert_eq!(leaves[1], quiet);
        for root in bench::positions() {
            engine.clear();
            let Score::Cp(score) = engine.quiesce(&[root])[0] else { continue };
            engine.clear();
            let leaf = engine.quiet_leaves(&[root])[0];
            let sign = if leaf.turn() == root.turn() { 1 } else { -1 };
            // A leaf in check is not judged as it stands.
            if !leaf.in_check() {
                let judged = sign * engine.evaluate(&leaf) * margins::material_scale(&leaf) / 1024;
                assert!((judged - score).abs() <= 60, "{root}: {score}, {leaf}: {judged}");
            }
        }
    }

    #[test]
    fn the_thread_makes_no_difference() {
        let limits = Limits { depth: Some(6), ..Limits::default() };
        let search = |engine: &mut Engine, board: &Board| -> (Choice, u64) {
            let choice = engine.search(&Game::new(*board), &limits, &Controls::new(), &mut |_| {});
            (choice, engine.nodes())
        };
        let (mut usual, mut here) = (Engine::new(), Engine::new());
        here.search_on_caller();
        std::thread::scope(|scope| {
            let work = || {
                for board in bench::positions().take(8) {
                    assert_eq!(search(&mut here, &board), search(&mut usual, &board), "{board}");
                }
            };
            let thread = std::thread::Builder::new().stack_size(Engine::STACK_BYTES);
            thread.spawn_scoped(scope, work).expect("a thread").join().expect("equal searches");
        });
    }
}
