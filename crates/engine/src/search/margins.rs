// SPDX-License-Identifier: GPL-3.0-or-later
//! The search's conditions in numbers: one named function for each margin.

use rules::chess::{Board, Role};

use crate::params;

/// 1024 times the natural logarithm, by integer arithmetic so that every machine has the same table.
const LOGARITHMS: [i32; 256] = {
    let mut table = [0; 256];
    let mut n = 1;
    while n < 256 {
        table[n] = logarithm(n as u64);
        n += 1;
    }
    table
};

/// Squaring a number in 1..2 doubles its binary logarithm, which reveals one bit of it at a time.
const fn logarithm(n: u64) -> i32 {
    const ONE: u64 = 1 << 30;
    let whole = n.ilog2();
    let mut mantissa = (n << 30) >> whole;
    let mut bits = whole as u64;
    let mut step = 0;
    while step < 20 {
        mantissa = (mantissa * mantissa) >> 30;
        bits <<= 1;
        if mantissa >= 2 * ONE {
            mantissa >>= 1;
            bits += 1;
        }
        step += 1;
    }
    // 709.78 = 1024 * ln 2
    ((bits * 70_978 / 100 + (1 << 19)) >> 20) as i32
}

fn ln(n: i32) -> i32 {
    LOGARITHMS[n.clamp(1, 255) as usize]
}

/// How much an evaluation counts by the material on the board, in 1/1024: all of it is 78 pawns.
pub(crate) fn material_scale(board: &Board) -> i32 {
    use params::material::{base, factor};
    let count = |role, worth: u32| board.role(role).len() * worth;
    let material = count(Role::Pawn, 1)
        + count(Role::Knight, 3)
        + count(Role::Bishop, 3)
        + count(Role::Rook, 5)
        + count(Role::Queen, 9);
    base() + factor() * material as i32 / 16
}

/// How far a late move is reduced before its circumstances are looked at, in 1/1024 of a ply.
pub(crate) fn base_reduction(depth: i32, move_count: i32, quiet: bool) -> i32 {
    use params::reduction::{base, factor, noisy_percent};
    let reduction = base() + ln(depth) * ln(move_count) / 1024 * factor() / 1024;
    if quiet { reduction } else { reduction * noisy_percent() / 100 }
}

/// How far the evaluation must lie below alpha to leave the rest to quiescence.
pub(crate) fn razoring(depth: i32) -> i32 {
    use params::razoring::{base, factor};
    base() + factor() * depth * depth
}

/// How far the evaluation must lie above beta to take it for granted.
pub(crate) fn reverse_futility(depth: i32, improving: bool, worsening: bool, complexity: i32) -> i32 {
    use params::reverse_futility::{base, complexity_percent, factor, improving_margin, worsening_margin};
    base() + factor() * depth
        - improving_margin() * i32::from(improving)
        - worsening_margin() * i32::from(worsening)
        + complexity * complexity_percent() / 100
}

/// How much depth a null move saves.
pub(crate) fn null_move_reduction(depth: i32, above_beta: i32) -> i32 {
    use params::null_move::{base, depth_divisor, eval_divisor, eval_max};
    base() + depth / depth_divisor() + (above_beta / eval_divisor()).min(eval_max())
}

/// How many moves are tried before the remaining quiet ones are skipped.
pub(crate) fn late_move_count(depth: i32, improving: bool) -> i32 {
    (params::late_moves::base() + depth * depth) / if improving { 1 } else { 2 }
}

/// What a quiet move can be hoped to add to the evaluation.
pub(crate) fn quiet_futility(depth: i32, stat: i32) -> i32 {
    use params::futility::{base, factor, history_divisor};
    base() + factor() * depth + stat / history_divisor()
}

/// What a capture can be hoped to add besides the captured piece.
pub(crate) fn capture_futility(depth: i32) -> i32 {
    use params::futility::{capture_base, capture_factor};
    capture_base() + capture_factor() * depth
}

/// The least static exchange a quiet move may have.
pub(crate) fn quiet_exchange(depth: i32) -> i32 {
    -params::exchange::quiet_factor() * depth * depth
}

/// The least static exchange a capture may have.
pub(crate) fn capture_exchange(depth: i32, stat: i32) -> i32 {
    use params::exchange::{capture_factor, history_divisor};
    -capture_factor() * depth - stat / history_divisor()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        for (n, &entry) in LOGARITHMS.iter().enumerate().skip(1) {
            let exact = (n as f64).ln() * 1024.0;
            assert!((f64::from(entry) - exact).abs() < 1.5, "ln {n}: {entry} for {exact}");
        }
    }

    #[test]
    fn evaluations_count_by_the_material_on_the_board() {
        use params::material::{base, factor};
        let scale = |fen: &str| material_scale(&Board::from_fen(fen).unwrap());
        assert_eq!(material_scale(&Board::start()), base() + factor() * 78 / 16);
        assert_eq!(scale("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), base());
        assert_eq!(scale("rn2k3/8/8/8/8/8/8/2BQK3 w - - 0 1"), base() + factor() * 20 / 16);
    }

    #[test]
    fn reductions_grow_with_depth_and_move_number() {
        assert!(base_reduction(12, 20, true) > base_reduction(6, 20, true));
        assert!(base_reduction(12, 20, true) > base_reduction(12, 5, true));
        assert!(base_reduction(12, 20, true) > base_reduction(12, 20, false));
    }
}
