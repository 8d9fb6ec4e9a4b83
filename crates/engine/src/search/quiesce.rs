// SPDX-License-Identifier: GPL-3.0-or-later
//! Quiescence search: captures and promotions until the position can be judged as it stands.

use rules::chess::{Board, Move, SEE_VALUES};

use super::{
    movepick::{MovePicker, captured_role},
    node::NodeKind,
    score::*,
    searcher::Searcher,
    threats::Threats,
    tt::Flag,
};
use crate::params::quiescence as params;

impl Searcher<'_> {
    /// The score of a position after all captures worth making; evasions when in check.
    pub(super) fn quiesce<N: NodeKind>(
        &mut self,
        board: &Board,
        mut alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        // 1. Count, and stop at the end of the stack.
        self.count_node();
        if self.stopped {
            return 0;
        }
        if N::PV {
            self.clear_line(ply);
            self.seldepth = self.seldepth.max(ply);
        }
        let in_check = board.in_check();
        if self.is_draw(board, ply) {
            return self.draw_score();
        }
        if ply >= MAX_PLY {
            return if in_check { 0 } else { self.evaluate(board) };
        }
        if alpha < 0 && self.can_repeat(board, ply) {
            alpha = self.draw_score();
            if alpha >= beta {
                return alpha;
            }
        }

        // 2. The transposition table.
        let known = self.look_up(board, ply);
        let pv_line = N::PV || known.is_pv();
        if !N::PV
            && let (Some(entry), Some(score)) = (known.entry, known.score)
            && entry.flag.decides(score, beta)
            && board.halfmoves() < 90
        {
            return score;
        }
        let tt_move = known.entry.map_or(Move::NONE, |entry| entry.m);
        let tt_move =
            if (in_check || !tt_move.is_quiet()) && board.is_legal(tt_move) { tt_move } else { Move::NONE };

        // 3. Standing pat: nobody has to capture.
        let mut raw_eval = NO_EVAL;
        let mut best_score = -INFINITY;
        let mut futility = -INFINITY;
        if !in_check {
            raw_eval = self.raw_eval(board, &known);
            let (static_eval, _) = self.corrected(board, raw_eval, ply);
            best_score = static_eval;
            if let Some(score) = known.better_than(static_eval)
                && !is_proven(score)
            {
                best_score = score;
            }
            if best_score >= beta {
                if known.entry.is_none() {
                    self.shared.tt.store_eval(board.key(), raw_eval, pv_line);
                }
                return (best_score + beta) / 2;
            }
            alpha = alpha.max(best_score);
            futility = static_eval + params::futility_margin();
        }

        // 4. The moves.
        let threats = if in_check { Threats::of(board) } else { Threats::NONE };
        let company = self.company(ply);
        let mut picker = MovePicker::quiescence(board, tt_move);
        let mut best_move = Move::NONE;
        let mut move_count = 0;
        let mut flag = Flag::Upper;
        while let Some(m) = picker.next(board, &threats, &self.memory.histories, company) {
            move_count += 1;
            if !is_loss(best_score) {
                // 5. Once not lost, quiet evasions and captures that cannot help are left out.
                if in_check && m.is_quiet() {
                    picker.skip_quiets();
                    continue;
                }
                if !in_check {
                    if picker.is_bad_noisy() {
                        break;
                    }
                    let gain = captured_role(board, m).map_or(0, |role| SEE_VALUES[role.index()]);
                    if !m.is_promotion() && futility + gain <= alpha && !board.gives_check(m) {
                        best_score = best_score.max(futility + gain);
                        continue;
                    }
                    if futility <= alpha && !board.see_at_least(m, 1) {
                        best_score = best_score.max(futility);
                        continue;
                    }
                    if !board.see_at_least(m, -params::exchange_margin()) {
                        continue;
                    }
                }
            }

            // 6. Play it.
            let child = self.advance(board, m, ply);
            let score = -self.quiesce::<N>(&child, -beta, -alpha, ply + 1);
            self.retreat();
            if self.stopped {
                return 0;
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = m;
                    if N::PV {
                        self.extend_line(ply, m);
                    }
                    if score >= beta {
                        flag = Flag::Lower;
                        break;
                    }
                    alpha = score;
                }
            }
        }

        // 7. Mate; a stalemate is not looked for here.
        if in_check && move_count == 0 {
            return mated_in(ply);
        }
        if flag == Flag::Lower && !is_proven(best_score) {
            best_score = (best_score + beta) / 2;
        }
        self.store(board, best_move, best_score, raw_eval, 0, flag, pv_line, ply);
        best_score
    }
}
