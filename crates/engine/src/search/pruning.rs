// SPDX-License-Identifier: GPL-3.0-or-later
//! Which moves a node near the leaves does not search at all.

use rules::chess::{Board, Move, Role, SEE_VALUES};

use super::margins;
use crate::params;

/// What a node knows when it looks at a move.
pub(super) struct Circumstances {
    pub(super) depth: i32,
    pub(super) alpha: i32,
    pub(super) eval: i32,
    pub(super) in_check: bool,
    pub(super) improving: bool,
}

/// What is known about a move before it is played.
pub(super) struct Prospect {
    pub(super) m: Move,
    pub(super) captured: Option<Role>,
    pub(super) move_count: i32,
    /// How such moves did before.
    pub(super) stat: i32,
    /// The reduction it would get, in 1/1024 of a ply.
    pub(super) reduction: i32,
    pub(super) gives_check: bool,
    /// Whether it comes from the captures that lose material.
    pub(super) bad_noisy: bool,
}

/// What becomes of a move.
pub(super) enum Fate {
    /// It is searched.
    Search,
    /// It is left out.
    Skip,
    /// It and all later quiet moves are left out.
    SkipQuiets,
    /// The same, and even the best of them would not have scored more than this.
    Hopeless(i32),
}

/// Decides by count, evaluation, history and static exchange.
pub(super) fn judge(board: &Board, node: &Circumstances, prospect: &Prospect) -> Fate {
    if prospect.m.is_quiet() {
        judge_quiet(board, node, prospect)
    } else {
        judge_noisy(board, node, prospect)
    }
}

fn judge_quiet(board: &Board, node: &Circumstances, prospect: &Prospect) -> Fate {
    let Prospect { m, stat, .. } = *prospect;
    let depth = node.depth;
    let late_depth = (depth - prospect.reduction / 1024 + stat / 8192).max(0);
    let tactical = node.in_check || prospect.gives_check;

    // Late-move pruning: the good moves have been tried.
    if depth <= params::late_moves::max_depth()
        && prospect.move_count >= margins::late_move_count(depth, node.improving)
    {
        return Fate::SkipQuiets;
    }
    // Futility pruning: too far below alpha for a quiet move.
    let hope = node.eval + margins::quiet_futility(late_depth, stat);
    if !tactical && late_depth <= params::futility::max_depth() && hope <= node.alpha {
        return Fate::Hopeless(hope);
    }
    // History pruning: such moves never worked.
    if depth <= params::history_pruning::max_depth() && stat < -params::history_pruning::factor() * depth {
        return Fate::Skip;
    }
    // Static exchange pruning: it loses material.
    let loses_material = late_depth <= params::exchange::max_depth()
        && !board.see_at_least(m, margins::quiet_exchange(late_depth));
    if loses_material { Fate::Skip } else { Fate::Search }
}

fn judge_noisy(board: &Board, node: &Circumstances, prospect: &Prospect) -> Fate {
    let Prospect { m, stat, .. } = *prospect;
    let depth = node.depth;
    let tactical = node.in_check || prospect.gives_check;

    // Futility pruning: even with the captured piece too far below alpha.
    let gain = prospect.captured.map_or(0, |role| SEE_VALUES[role.index()]);
    if !tactical
        && prospect.bad_noisy
        && depth <= params::futility::capture_max_depth()
        && node.eval + margins::capture_futility(depth) + gain <= node.alpha
    {
        return Fate::Skip;
    }
    // Static exchange pruning: it loses more than the depth is worth.
    let loses_material = depth <= params::exchange::max_depth()
        && !board.see_at_least(m, margins::capture_exchange(depth, stat));
    if loses_material { Fate::Skip } else { Fate::Search }
}
