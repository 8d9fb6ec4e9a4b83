// SPDX-License-Identifier: GPL-3.0-or-later
//! Iterative deepening: ever deeper searches from the root, each in a window around the last score.

use rules::chess::Board;

use super::{
    node::Root,
    score::{self, INFINITY, MATE_BOUND, MAX_PLY, mate_in},
    searcher::Searcher,
};
use crate::{Bound, Report, params::aspiration as params, time::Course, wdl};

/// Fail-highs and fail-lows are reported only after this long, so that short searches stay terse.
const VERBOSE_AFTER_MS: u128 = 3000;

impl Searcher<'_> {
    /// Searches deeper and deeper until a limit ends it; the first thread reports.
    pub(crate) fn deepen(&mut self, board: &Board, multi_pv: usize, on_report: &mut dyn FnMut(&Report)) {
        let lines = multi_pv.clamp(1, self.root_moves.len());
        let max_depth = self.shared.limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32 - 2) as i32;
        let mut stable_for = 0;
        let mut recent: Option<i32> = None;
        for depth in 1..=max_depth {
            let last_best = self.root_moves[0].m;
            for root in &mut self.root_moves {
                root.previous_score = root.score;
            }
            for index in 0..lines {
                self.root_index = index;
                self.seldepth = 0;
                self.aspirate(board, depth, on_report);
                self.root_moves[index..].sort_by_key(|root| (-root.table_rank, -root.score));
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                break;
            }
            self.root_moves[..lines].sort_by_key(|root| (-root.table_rank, -root.score));
            self.completed_depth = depth;
            if self.thread != 0 {
                continue;
            }
            for index in 0..lines {
                self.report(depth, index, Bound::Exact, on_report);
            }

            let best = &self.root_moves[0];
            stable_for = if best.m == last_best { stable_for + 1 } else { 0 };
            let drop = recent.map_or(0, |average| (average - best.score).clamp(-50, 50));
            recent = Some(recent.map_or(best.score, |average| (3 * average + best.score) / 4));
            let effort = best.effort as f64 / self.nodes.max(1) as f64;
            if self.is_done(Course { effort, stable_for, drop }) {
                break;
            }
        }
    }

    /// Whether the finished iteration was the last.
    fn is_done(&self, course: Course) -> bool {
        let shared = self.shared;
        let limits = shared.limits;
        let best = &self.root_moves[0];
        let mate_found = limits.mate.is_some_and(|moves| best.score >= mate_in(2 * moves as usize));
        if mate_found {
            return true;
        }
        if shared.controls.is_pondering() {
            return false;
        }
        let forced = limits.clock.is_some() && self.root_moves.len() == 1;
        let mate_settled = limits.clock.is_some()
            && best.score >= MATE_BOUND
            && score::MATE - best.score <= self.completed_depth / 2;
        limits.soft_nodes.is_some_and(|soft| shared.nodes() >= soft)
            || forced
            || mate_settled
            || shared.time.is_enough(course)
    }

    /// One iteration for one line: widens the window until the score lies inside.
    fn aspirate(&mut self, board: &Board, depth: i32, on_report: &mut dyn FnMut(&Report)) {
        let root = &self.root_moves[self.root_index];
        let (mut alpha, mut beta) = (-INFINITY, INFINITY);
        let mut delta = INFINITY;
        if depth >= params::min_depth()
            && let Some(average) = root.average
        {
            delta = params::margin()
                + (self.thread % 8) as i32
                + average * average / params::square_divisor().max(1) / 8;
            alpha = (average - delta).max(-INFINITY);
            beta = (average + delta).min(INFINITY);
        }
        let mut reduced = 0;
        loop {
            self.root_delta = (beta - alpha).max(1);
            let search_depth = (depth - reduced).max(1);
            let score = self.search::<Root>(board, alpha, beta, search_depth, false, 0);
            let index = self.root_index;
            self.root_moves[index..].sort_by_key(|root| (-root.table_rank, -root.score));
            if self.stopped {
                return;
            }
            let bound = if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (score - delta).max(-INFINITY);
                reduced = 0;
                Bound::Upper
            } else if score >= beta {
                beta = (score + delta).min(INFINITY);
                reduced += 1;
                Bound::Lower
            } else {
                return;
            };
            if self.thread == 0 && self.shared.time.elapsed().as_millis() > VERBOSE_AFTER_MS {
                self.report(depth, index, bound, on_report);
            }
            delta += delta * params::growth_percent() / 100;
            if delta > 600 {
                (alpha, beta) = if bound == Bound::Upper { (-INFINITY, beta) } else { (alpha, INFINITY) };
            }
        }
    }

    fn report(&self, depth: i32, index: usize, bound: Bound, on_report: &mut dyn FnMut(&Report)) {
        let root = &self.root_moves[index];
        let found = if root.score == -INFINITY { root.previous_score } else { root.score };
        // A mate that was found says more than the tables, anything else says less.
        let score = match root.table_score {
            Some(score) if found.abs() < MATE_BOUND => score,
            _ => found,
        };
        on_report(&Report {
            depth: depth as u32,
            seldepth: root.seldepth as u32,
            multipv: index + 1,
            score: score::to_report(score),
            bound,
            wdl: wdl::chances(score),
            nodes: self.shared.nodes(),
            tb_hits: self.shared.tb_hits(),
            hashfull: self.shared.tt.hashfull(),
            time: self.shared.time.elapsed(),
            pv: root.pv.clone(),
        });
    }
}
