// SPDX-License-Identifier: GPL-3.0-or-later
//! The principal variation search of one node, as numbered steps.

use std::cmp::Ordering;

use rules::chess::{Bitboard, Board, Move};

use super::{
    history::{self, Arrival},
    margins,
    movepick::{MovePicker, captured_role},
    pruning::{self, Circumstances, Fate, Prospect},
    score::*,
    searcher::{Known, Searcher},
    singular::Verdict,
    threats::Threats,
    tt::{Entry, Flag},
};
use crate::params;

/// What kind of node is searched, known at compile time.
pub(crate) trait NodeKind {
    /// The position the search started from.
    const ROOT: bool;
    /// A node with an open window, whose line is wanted.
    const PV: bool;
}

/// The position the search started from.
pub(crate) struct Root;
/// A node on a principal variation.
pub(crate) struct Pv;
/// A node searched with an empty window.
pub(crate) struct NonPv;

impl NodeKind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl NodeKind for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl NodeKind for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
}

/// The moves of one kind that a node has tried so far.
struct Tried {
    moves: [Move; 64],
    len: usize,
}

impl Tried {
    fn new() -> Tried {
        Tried { moves: [Move::NONE; 64], len: 0 }
    }

    fn push(&mut self, m: Move) {
        if self.len < self.moves.len() {
            self.moves[self.len] = m;
            self.len += 1;
        }
    }

    fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl Searcher<'_> {
    /// The score of a position within a window, `depth` plies deep.
    ///
    /// `cut_node`: a move is expected to beat beta, because the parent expects all its moves to fail.
    pub(crate) fn search<N: NodeKind>(
        &mut self,
        board: &Board,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        cut_node: bool,
        ply: usize,
    ) -> i32 {
        debug_assert!(-INFINITY <= alpha && alpha < beta && beta <= INFINITY);
        debug_assert!(N::PV || alpha == beta - 1);
        debug_assert!(!(N::PV && cut_node));

        // 1. Leaves: the horizon, and the end of the stack.
        if depth <= 0 {
            return self.quiesce::<N>(board, alpha, beta, ply);
        }
        self.count_node();
        if self.stopped {
            return 0;
        }
        if N::PV {
            self.clear_line(ply);
            self.seldepth = self.seldepth.max(ply);
        }
        let in_check = board.in_check();
        let excluded = self.above(ply, 0).excluded;

        // 2. Draws, draws within reach, and mates that are already too far away.
        if !N::ROOT {
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
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // 3. The transposition table: a known score may answer, a known move comes first.
        let known = if excluded == Move::NONE { self.look_up(board, ply) } else { Known::NOTHING };
        let tt_move = match known.entry {
            _ if N::ROOT => self.root_moves[self.root_index].m,
            Some(entry) if board.is_legal(entry.m) => entry.m,
            _ => Move::NONE,
        };
        let pv_line = N::PV || known.is_pv();
        if !N::PV
            && let (Some(entry), Some(score)) = (known.entry, known.score)
            && entry.depth >= depth + i32::from(score >= beta)
            && entry.flag.decides(score, beta)
            && (cut_node == (score >= beta) || depth > 5)
            && board.halfmoves() < 90
        {
            if score >= beta && tt_move.is_quiet() && tt_move != Move::NONE {
                self.reward_table_move(board, tt_move, depth, ply);
            }
            if score >= beta && self.above(ply, 1).move_count <= params::history::early_moves() {
                self.credit_previous_move(board, -history::refuted(depth), ply);
            }
            return score;
        }

        // 4. Endgame tables.
        let mut best_cap = INFINITY;
        let mut best_score = -INFINITY;
        if !N::ROOT
            && excluded == Move::NONE
            && let Some(score) = self.probe_tables(board, ply)
        {
            let (flag, decided) = match score.cmp(&0) {
                Ordering::Greater => (Flag::Lower, score >= beta),
                Ordering::Less => (Flag::Upper, score <= alpha),
                Ordering::Equal => (Flag::Exact, true),
            };
            if decided {
                let lasting = (depth + 6).min(MAX_PLY as i32 - 1);
                self.store(board, Move::NONE, score, NO_EVAL, lasting, flag, pv_line, ply);
                return score;
            }
            if N::PV {
                if score > 0 {
                    best_score = score;
                    alpha = alpha.max(score);
                } else {
                    best_cap = score;
                }
            }
        }

        // 5. The static evaluation, corrected by experience and by the table.
        let mut raw_eval = NO_EVAL;
        let (mut static_eval, mut eval) = (NO_EVAL, NO_EVAL);
        let mut complexity = 0;
        if excluded != Move::NONE {
            static_eval = self.above(ply, 0).static_eval;
            eval = static_eval;
            complexity = self.above(ply, 0).correction.abs();
        } else if !in_check {
            raw_eval = self.raw_eval(board, &known);
            if known.entry.is_none() {
                self.shared.tt.store_eval(board.key(), raw_eval, pv_line);
            }
            let (corrected, correction) = self.corrected(board, raw_eval, ply);
            (static_eval, eval, complexity) = (corrected, corrected, correction.abs());
            self.frame(ply).correction = correction;
            eval = known.better_than(eval).unwrap_or(eval);
        }
        {
            let frame = self.frame(ply);
            frame.static_eval = static_eval;
            frame.pv = pv_line;
        }
        let extensions = if N::ROOT { 0 } else { self.above(ply, 1).double_extensions };
        self.frame(ply).double_extensions = extensions;
        self.frame(ply + 2).cutoffs = 0;
        let improving = !in_check && self.is_improving(static_eval, ply);
        let worsening = !in_check
            && self.above(ply, 1).static_eval != NO_EVAL
            && static_eval > -self.above(ply, 1).static_eval + 1;

        if !in_check && excluded == Move::NONE && !N::ROOT {
            // 6. Hindsight: what the evaluations say about the parent's move and its reduction.
            self.judge_previous_move(board, static_eval, ply);
            let reduced = self.above(ply, 1).reduction;
            if reduced >= 3 * 1024 && !worsening {
                depth += 1;
            } else if reduced >= 2 * 1024
                && depth >= 2
                && self.above(ply, 1).static_eval != NO_EVAL
                && static_eval + self.above(ply, 1).static_eval > 45
            {
                depth -= 1;
            }
        }

        if !N::PV && !in_check && excluded == Move::NONE {
            // 7. Razoring: so far below alpha that only tactics can help.
            if depth <= params::razoring::max_depth()
                && eval + margins::razoring(depth) < alpha
                && alpha < 2000
            {
                let score = self.quiesce::<NonPv>(board, alpha, beta, ply);
                if score <= alpha {
                    return score;
                }
            }

            // 8. Reverse futility pruning: so far above beta that the opponent will not come back.
            if !pv_line
                && depth <= params::reverse_futility::max_depth()
                && eval >= beta + margins::reverse_futility(depth, improving, worsening, complexity)
                && (tt_move == Move::NONE || !tt_move.is_quiet())
                && !is_loss(beta)
                && !is_win(eval)
            {
                return beta + (eval - beta) / 3;
            }

            // 9. Null-move pruning: the position is good even after passing.
            if cut_node && let Some(score) = self.try_null_move(board, beta, depth, eval, static_eval, ply) {
                return score;
            }
        }

        // 10. Internal iterative reduction: without a table move, or with one found far less deep, the
        //     order is poor, so look less deep.
        let stale = params::iterative_reduction::stale_margin();
        if (N::PV || cut_node)
            && depth >= params::iterative_reduction::min_depth()
            && excluded == Move::NONE
            && (tt_move == Move::NONE || known.entry.is_some_and(|entry| entry.depth + stale < depth))
        {
            depth -= 1;
        }

        // 11. ProbCut: a capture that beats beta clearly at low depth will beat it at full depth.
        if !N::PV
            && excluded == Move::NONE
            && !is_proven(beta)
            && let Some(score) =
                self.try_probcut(board, beta, depth, improving, &known, tt_move, cut_node, ply)
        {
            return score;
        }

        // 12. The moves, best first.
        if self.stopped {
            return 0;
        }
        let threats = Threats::of(board);
        let company = self.company(ply);
        self.frame(ply).threats = threats.all;
        let mut picker = MovePicker::new(tt_move);
        let mut best_move = Move::NONE;
        let mut flag = Flag::Upper;
        let mut move_count = 0;
        let (mut quiets, mut noisies) = (Tried::new(), Tried::new());
        let tt_capture = tt_move != Move::NONE && !tt_move.is_quiet();

        while let Some(m) = picker.next(board, &threats, &self.memory.histories, company) {
            if m == excluded || N::ROOT && !self.is_open_root_move(m) {
                continue;
            }
            move_count += 1;
            let quiet = m.is_quiet();
            let Some(piece) = board.piece_on(m.from()) else { continue };
            let arrival = Arrival::new(piece, m.to());
            let captured = captured_role(board, m);
            let stat = if quiet {
                self.memory.histories.quiet_stat(board, threats.all, company, m, arrival)
            } else {
                self.memory.histories.capture(arrival, captured)
            };
            let gives_check = board.gives_check(m);
            let mut reduction = margins::base_reduction(depth, move_count, quiet);

            // 13. Pruning at low depth, once some move avoids being mated.
            if !N::ROOT && !is_loss(best_score) && board.has_non_pawns(board.turn()) {
                let bad_noisy = picker.is_bad_noisy();
                let node = Circumstances { depth, alpha, eval, in_check, improving };
                let prospect = Prospect { m, captured, move_count, stat, reduction, gives_check, bad_noisy };
                match pruning::judge(board, &node, &prospect) {
                    Fate::Search => {}
                    Fate::Skip => continue,
                    Fate::SkipQuiets => {
                        picker.skip_quiets();
                        continue;
                    }
                    Fate::Hopeless(hope) => {
                        if !is_proven(best_score) && !is_win(hope) {
                            best_score = best_score.max(hope);
                        }
                        picker.skip_quiets();
                        continue;
                    }
                }
            }

            // 14. Extensions: a table move without rival is searched deeper.
            let mut extension = 0;
            if !N::ROOT
                && m == tt_move
                && excluded == Move::NONE
                && depth >= params::singular::min_depth() + i32::from(pv_line && !N::PV)
                && let (Some(entry), Some(score)) = (known.entry, known.score)
                && entry.flag.is_lower()
                && entry.depth >= depth - params::singular::depth_margin()
                && !is_proven(score)
                && ply < MAX_PLY / 2
            {
                match self.verify_singular::<N>(board, m, score, beta, depth, cut_node, pv_line, ply) {
                    Verdict::Extend(plies) => extension = plies,
                    Verdict::Cut(score) => return score,
                }
                if self.stopped {
                    return 0;
                }
            }

            // 15. Play it.
            let nodes_before = self.nodes;
            let child = self.advance(board, m, ply);
            let new_depth = depth - 1 + extension;
            self.frame(ply).double_extensions = extensions + i32::from(extension >= 2);
            self.frame(ply).move_count = move_count;
            let mut score = alpha;

            // 16. Late-move reduction: look less deep first, deeper if it surprises.
            let mut full_search = !N::PV || move_count > 1;
            if depth >= 2 && move_count > 1 + i32::from(N::ROOT) {
                use params::reduction as r;
                reduction += r::not_improving() * i32::from(!improving && quiet)
                    + r::cut_node() * i32::from(cut_node)
                    + r::table_capture() * i32::from(tt_capture && quiet)
                    + r::cutoffs() * i32::from(self.above(ply + 1, 0).cutoffs > 2)
                    - r::pv_line() * i32::from(pv_line)
                    - r::pv_node() * i32::from(N::PV)
                    - r::check() * i32::from(gives_check)
                    - stat * r::history_factor() / 1024
                    - complexity * r::complexity_factor();
                if N::PV {
                    reduction -= 512 * (beta - alpha) / self.root_delta;
                }
                let reduced_depth = (new_depth - reduction / 1024).clamp(1, new_depth + i32::from(N::PV));
                self.frame(ply).reduction = (new_depth - reduced_depth).max(0) * 1024;
                score = -self.search::<NonPv>(&child, -alpha - 1, -alpha, reduced_depth, true, ply + 1);
                self.frame(ply).reduction = 0;
                full_search = false;
                if score > alpha && reduced_depth < new_depth {
                    let deeper = score > best_score + r::deeper_margin();
                    let shallower = score < best_score + r::shallower_margin();
                    let adjusted = new_depth + i32::from(deeper) - i32::from(shallower);
                    if adjusted > reduced_depth {
                        score =
                            -self.search::<NonPv>(&child, -alpha - 1, -alpha, adjusted, !cut_node, ply + 1);
                    }
                    if quiet && (score <= alpha || score >= beta) {
                        let bonus =
                            if score <= alpha { -history::malus(depth) } else { history::bonus(depth) };
                        self.memory.histories.update_continuation(company, arrival, bonus);
                    }
                }
            }

            // 17. Full depth with an empty window, then with the open one where the line is wanted.
            if full_search {
                score = -self.search::<NonPv>(&child, -alpha - 1, -alpha, new_depth, !cut_node, ply + 1);
            }
            if N::PV && (move_count == 1 || score > alpha) {
                score = -self.search::<Pv>(&child, -beta, -alpha, new_depth, false, ply + 1);
            }
            self.retreat();
            if self.stopped {
                return 0;
            }

            // 18. A new best move, a new alpha, or a cut-off.
            if N::ROOT {
                let raised = move_count == 1 || score > alpha;
                if raised {
                    self.extend_line(0, m);
                }
                let effort = self.nodes - nodes_before;
                self.note_root_move(m, raised.then_some(score), effort);
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = m;
                    if N::PV && !N::ROOT {
                        self.extend_line(ply, m);
                    }
                    if score >= beta {
                        flag = Flag::Lower;
                        self.frame(ply).cutoffs += 1 + i32::from(tt_move == Move::NONE);
                        break;
                    }
                    flag = Flag::Exact;
                    alpha = score;
                    // The rest has to beat a better move now and can be looked at less deep.
                    if (3..12).contains(&depth) && !is_proven(score) {
                        depth -= 1;
                    }
                }
            }
            if quiet {
                quiets.push(m);
            } else {
                noisies.push(m);
            }
        }

        // 19. No move: mate, stalemate, or nothing but the excluded move.
        if move_count == 0 {
            if excluded != Move::NONE {
                return alpha;
            }
            return if in_check { mated_in(ply) } else { 0 };
        }

        // 20. What was learnt about the moves.
        if best_move != Move::NONE {
            self.learn(board, threats.all, best_move, &quiets, &noisies, depth, ply);
            if flag == Flag::Lower && !N::ROOT && self.above(ply, 1).move_count == 1 {
                self.credit_previous_move(board, -history::refuted(depth), ply);
            }
        } else if !N::ROOT {
            self.credit_previous_move(board, history::bonus(depth) / 2, ply);
        }
        if flag == Flag::Lower && !is_proven(best_score) && !is_proven(beta) {
            best_score = (best_score * depth + beta) / (depth + 1);
        }
        best_score = best_score.min(best_cap);

        // 21. What was learnt about the position.
        if excluded == Move::NONE && !self.stopped {
            if !(N::ROOT && self.root_index > 0) {
                self.store(board, best_move, best_score, raw_eval, depth, flag, pv_line, ply);
            }
            let surprised = match flag {
                Flag::Lower => best_score > static_eval,
                Flag::Upper => best_score < static_eval,
                _ => true,
            };
            if !in_check
                && (best_move == Move::NONE || best_move.is_quiet())
                && surprised
                && !is_proven(best_score)
            {
                let (last, before) = (self.above(ply, 1).arrival, self.above(ply, 2).arrival);
                self.memory.corrections.update(board, last, before, best_score - static_eval, depth);
            }
        }
        best_score
    }

    /// Whether the evaluation rose since the side's last move, or the one before.
    fn is_improving(&self, static_eval: i32, ply: usize) -> bool {
        [2, 4]
            .into_iter()
            .map(|back| self.above(ply, back).static_eval)
            .find(|&earlier| earlier != NO_EVAL)
            .is_none_or(|earlier| static_eval > earlier)
    }

    #[allow(clippy::too_many_arguments, reason = "the fields of a table entry")]
    pub(super) fn store(
        &self,
        board: &Board,
        m: Move,
        score: i32,
        eval: i32,
        depth: i32,
        flag: Flag,
        pv: bool,
        ply: usize,
    ) {
        let score = to_table(score, ply);
        self.shared.tt.store(board.key(), Entry { m, score, eval, depth, flag, pv });
    }

    /// A quiet table move that answers at once deserves its reward, too.
    fn reward_table_move(&mut self, board: &Board, m: Move, depth: i32, ply: usize) {
        let Some(piece) = board.piece_on(m.from()) else { return };
        let arrival = Arrival::new(piece, m.to());
        let company = self.company(ply);
        let bonus = history::bonus(depth) / 2;
        self.memory.histories.update_quiet(board, Threats::of(board).all, company, m, arrival, bonus);
    }

    /// The change of evaluation tells how good the opponent's quiet move was.
    fn judge_previous_move(&mut self, board: &Board, static_eval: i32, ply: usize) {
        use params::history::{eval_factor, eval_max};
        let previous = *self.above(ply, 1);
        if previous.current == Move::NONE || !previous.current.is_quiet() || previous.static_eval == NO_EVAL {
            return;
        }
        let bonus = (-eval_factor() * (static_eval + previous.static_eval)).clamp(-eval_max(), eval_max());
        self.memory.histories.update_butterfly(!board.turn(), previous.threats, previous.current, bonus);
    }

    /// What became of the opponent's last quiet move: a bonus if nothing worked against it, a malus if it was refuted at
    /// once.
    fn credit_previous_move(&mut self, board: &Board, bonus: i32, ply: usize) {
        let previous = *self.above(ply, 1);
        if previous.current == Move::NONE || !previous.current.is_quiet() {
            return;
        }
        let company = [self.above(ply, 2).arrival, self.above(ply, 3).arrival, self.above(ply, 5).arrival];
        self.memory.histories.update_continuation(company, previous.arrival, bonus);
        self.memory.histories.update_butterfly(!board.turn(), previous.threats, previous.current, bonus / 2);
    }

    /// Rewards the best move and punishes those tried before it.
    #[allow(clippy::too_many_arguments, reason = "all that a finished node knows about its moves")]
    fn learn(
        &mut self,
        board: &Board,
        threats: Bitboard,
        best: Move,
        quiets: &Tried,
        noisies: &Tried,
        depth: i32,
        ply: usize,
    ) {
        let company = self.company(ply);
        let histories = &mut self.memory.histories;
        let (bonus, malus) = (history::bonus(depth), history::malus(depth));
        let arrival = |m: Move| board.piece_on(m.from()).map(|piece| Arrival::new(piece, m.to()));
        if let Some(to) = arrival(best) {
            if best.is_quiet() {
                histories.update_quiet(board, threats, company, best, to, bonus);
                for &m in quiets.as_slice().iter().filter(|&&m| m != best) {
                    if let Some(to) = arrival(m) {
                        histories.update_quiet(board, threats, company, m, to, -malus);
                    }
                }
            } else {
                histories.update_capture(to, captured_role(board, best), bonus);
            }
        }
        for &m in noisies.as_slice().iter().filter(|&&m| m != best) {
            if let Some(to) = arrival(m) {
                histories.update_capture(to, captured_role(board, m), -malus);
            }
        }
    }
}
