// SPDX-License-Identifier: GPL-3.0-or-later
//! The larger steps of a node: null move, ProbCut, singular extension.

use rules::chess::{Board, Move};

use super::{
    margins,
    movepick::MovePicker,
    node::{NodeKind, NonPv},
    score::*,
    searcher::{Known, Searcher},
    threats::Threats,
    tt::Flag,
};
use crate::params;

/// What the search without the table move says about it.
pub(super) enum Verdict {
    /// Search the move so many plies deeper (or less deep).
    Extend(i32),
    /// Several moves beat beta: no need to search any.
    Cut(i32),
}

impl Searcher<'_> {
    /// Lets the opponent move twice; if that does not help them, the position is good enough.
    pub(super) fn try_null_move(
        &mut self,
        board: &Board,
        beta: i32,
        depth: i32,
        eval: i32,
        static_eval: i32,
        ply: usize,
    ) -> Option<i32> {
        use params::null_move::{margin_base, margin_factor, min_depth, verify_depth};
        let worth_trying = depth >= min_depth()
            && eval >= beta
            && static_eval >= beta + margin_base() - margin_factor() * depth
            && ply >= self.null_move_from
            && self.above(ply, 1).current != Move::NONE
            && board.has_non_pawns(board.turn())
            && !is_loss(beta);
        if !worth_trying {
            return None;
        }
        let reduced = depth - margins::null_move_reduction(depth, eval - beta);
        let child = self.advance_null(board, ply);
        let score = -self.search::<NonPv>(&child, -beta, -beta + 1, reduced, false, ply + 1);
        self.retreat();
        if self.stopped || score < beta {
            return None;
        }
        let score = if is_win(score) { beta } else { score };
        if depth < verify_depth() || self.null_move_from > 0 {
            return Some(score);
        }
        // Deep down a zugzwang would be expensive: check without null moves for a while.
        self.null_move_from = ply + (3 * reduced / 4).max(1) as usize;
        let verified = self.search::<NonPv>(board, beta - 1, beta, reduced.max(1), false, ply);
        self.null_move_from = 0;
        (verified >= beta && !self.stopped).then_some(score)
    }

    /// Tries captures that should beat beta by a margin, first by quiescence, then at reduced depth.
    #[allow(clippy::too_many_arguments, reason = "what the node already knows")]
    pub(super) fn try_probcut(
        &mut self,
        board: &Board,
        beta: i32,
        depth: i32,
        improving: bool,
        known: &Known,
        tt_move: Move,
        cut_node: bool,
        ply: usize,
    ) -> Option<i32> {
        use params::probcut::{improving_margin, margin, min_depth, reduction, table_margin};
        // The table alone may show a score far above beta at almost this depth.
        if let (Some(entry), Some(score)) = (known.entry, known.score)
            && entry.flag.is_lower()
            && entry.depth >= depth - 4
            && score >= beta + table_margin()
            && !is_proven(score)
            && depth >= 2
        {
            return Some(beta + table_margin());
        }
        let raised = beta + margin() - improving_margin() * i32::from(improving);
        let static_eval = self.above(ply, 0).static_eval;
        if depth < min_depth()
            || board.in_check()
            || !cut_node
            || known.score.is_some_and(|score| score < raised)
        {
            return None;
        }
        let company = self.company(ply);
        let tt_noisy = if tt_move != Move::NONE && !tt_move.is_quiet() { tt_move } else { Move::NONE };
        let mut picker = MovePicker::gaining(tt_noisy, (raised - static_eval).max(0));
        let shallow = depth - reduction();
        while let Some(m) = picker.next(board, &Threats::NONE, &self.memory.histories, company) {
            let child = self.advance(board, m, ply);
            let mut score = -self.quiesce::<NonPv>(&child, -raised, -raised + 1, ply + 1);
            if score >= raised && shallow > 0 {
                score = -self.search::<NonPv>(&child, -raised, -raised + 1, shallow, !cut_node, ply + 1);
            }
            self.retreat();
            if self.stopped {
                return None;
            }
            if score >= raised {
                let raw_eval = self.raw_eval(board, known);
                self.store(board, m, score, raw_eval, shallow + 1, Flag::Lower, false, ply);
                return Some(if is_proven(score) { score } else { score - (raised - beta) });
            }
        }
        None
    }

    /// Searches without the table move: if nothing else comes close, the move deserves more depth.
    #[allow(clippy::too_many_arguments, reason = "what the node already knows")]
    pub(super) fn verify_singular<N: NodeKind>(
        &mut self,
        board: &Board,
        m: Move,
        tt_score: i32,
        beta: i32,
        depth: i32,
        cut_node: bool,
        pv_line: bool,
        ply: usize,
    ) -> Verdict {
        use params::singular::{double_margin, double_max, margin_percent, pv_margin, triple_margin};
        let margin = (margin_percent() * depth / 100) * if pv_line && !N::PV { 2 } else { 1 };
        let target = tt_score - margin;
        self.frame(ply).excluded = m;
        let score = self.search::<NonPv>(board, target - 1, target, (depth - 1) / 2, cut_node, ply);
        self.frame(ply).excluded = Move::NONE;
        if score < target {
            let may_double = self.above(ply, 1).double_extensions <= double_max();
            let quiet = m.is_quiet();
            let pv_margin = pv_margin() * i32::from(N::PV);
            let double = may_double && score < target - double_margin() - pv_margin;
            let triple = may_double && quiet && score < target - triple_margin() - pv_margin;
            return Verdict::Extend(1 + i32::from(double) + i32::from(triple));
        }
        if score >= beta && !is_proven(score) {
            return Verdict::Cut(score);
        }
        if tt_score >= beta {
            return Verdict::Extend(if N::PV { -1 } else { -3 });
        }
        Verdict::Extend(if cut_node { -2 } else { 0 })
    }
}
