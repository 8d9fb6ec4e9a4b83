// SPDX-License-Identifier: GPL-3.0-or-later
//! Every number of the search, in one table.
//!
//! A row `name = value in low..=high` becomes a constant function `group::name()`. With the feature
//! `tune` it reads a variable instead, which UCI offers as the option `group_name`, so that a tuner
//! can change it. Suffixes: `_base` and `_factor` build a linear term, `_divisor` divides, `_margin`
//! is in centipawns, `max_depth` and `min_depth` say where a step applies. Reductions are in 1/1024.

/// A row of the table, as it stands in this file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What the parameter belongs to.
    pub group: &'static str,
    /// Its name in the group.
    pub name: &'static str,
    /// Its value.
    pub value: i32,
    /// The least value worth trying.
    pub min: i32,
    /// The greatest value worth trying.
    pub max: i32,
}

impl Row {
    /// What the option is called that an engine built with the feature `tune` offers.
    pub fn option_name(&self) -> String {
        format!("{}_{}", self.group, self.name)
    }
}

/// A parameter that can be changed at run time.
#[cfg(feature = "tune")]
#[derive(Debug)]
pub struct Tunable {
    /// Group and name, as in `razoring_base`.
    pub name: &'static str,
    /// The value of the table.
    pub default: i32,
    /// The least value worth trying.
    pub min: i32,
    /// The greatest value worth trying.
    pub max: i32,
    value: std::sync::atomic::AtomicI32,
}

#[cfg(feature = "tune")]
impl Tunable {
    /// The current value.
    pub fn get(&self) -> i32 {
        self.value.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Sets the value, kept within its range.
    pub fn set(&self, value: i32) {
        self.value.store(value.clamp(self.min, self.max), std::sync::atomic::Ordering::Relaxed);
    }
}

macro_rules! params {
    ($($(#[$doc:meta])* $group:ident { $($name:ident = $value:literal in $min:literal..=$max:literal,)* })*) => {
        $(
            $(#[$doc])*
            pub(crate) mod $group {
                $(
                    #[cfg(not(feature = "tune"))]
                    #[inline(always)]
                    pub(crate) const fn $name() -> i32 {
                        const { assert!($min <= $value && $value <= $max) };
                        $value
                    }

                    #[cfg(feature = "tune")]
                    #[inline(always)]
                    pub(crate) fn $name() -> i32 {
                        cells::$name.get()
                    }
                )*

                #[cfg(feature = "tune")]
                #[allow(non_upper_case_globals, reason = "a cell has the name of its parameter")]
                pub(crate) mod cells {
                    use crate::params::Tunable;
                    $(
                        pub(crate) static $name: Tunable = Tunable {
                            name: concat!(stringify!($group), "_", stringify!($name)),
                            default: $value,
                            min: $min,
                            max: $max,
                            value: std::sync::atomic::AtomicI32::new($value),
                        };
                    )*
                }
            }
        )*

        /// Every row, in the order of this file.
        pub const TABLE: &[Row] = &[$($(
            Row { group: stringify!($group), name: stringify!($name), value: $value, min: $min, max: $max },
        )*)*];

        /// All parameters, in the order of the table.
        #[cfg(feature = "tune")]
        pub fn tunables() -> impl Iterator<Item = &'static Tunable> {
            [$($(&$group::cells::$name,)*)*].into_iter()
        }
    };
}

params! {
    /// The window of an iteration around the score of the last one.
    aspiration {
        min_depth = 4 in 2..=8,
        margin = 21 in 4..=40,
        square_divisor = 10022 in 2000..=40000,
        growth_percent = 58 in 10..=150,
    }

    /// Returning to quiescence when the evaluation is hopeless.
    razoring {
        max_depth = 5 in 1..=8,
        base = 262 in 50..=500,
        factor = 138 in 20..=300,
    }

    /// Reverse futility pruning (RFP): standing far above beta.
    reverse_futility {
        max_depth = 10 in 4..=16,
        base = 14 in 0..=60,
        factor = 38 in 20..=140,
        improving_margin = 31 in 0..=140,
        worsening_margin = 3 in 0..=60,
        complexity_percent = 60 in 0..=200,
    }

    /// Null-move pruning (NMP): letting the opponent move twice.
    null_move {
        min_depth = 3 in 1..=6,
        base = 4 in 2..=7,
        depth_divisor = 4 in 2..=8,
        eval_divisor = 170 in 60..=400,
        eval_max = 4 in 1..=8,
        margin_base = 116 in 0..=300,
        margin_factor = 12 in 0..=40,
        verify_depth = 15 in 8..=24,
    }

    /// Internal iterative reduction (IIR): no table move or one from far less depth, less depth.
    iterative_reduction {
        min_depth = 5 in 2..=9,
        stale_margin = 5 in 1..=12,
    }

    /// ProbCut: a capture that beats a raised beta at low depth.
    probcut {
        min_depth = 5 in 3..=9,
        margin = 146 in 60..=400,
        improving_margin = 64 in 0..=150,
        reduction = 4 in 2..=6,
        table_margin = 313 in 100..=700,
    }

    /// Late-move pruning (LMP): quiet moves beyond a count.
    late_moves {
        max_depth = 9 in 3..=14,
        base = 3 in 1..=8,
    }

    /// Futility pruning of quiet moves and captures.
    futility {
        max_depth = 9 in 3..=14,
        base = 78 in 0..=250,
        factor = 74 in 20..=200,
        history_divisor = 115 in 30..=500,
        capture_max_depth = 7 in 2..=12,
        capture_base = 155 in 0..=400,
        capture_factor = 91 in 40..=300,
    }

    /// History pruning: quiet moves that never worked.
    history_pruning {
        max_depth = 5 in 1..=8,
        factor = 5336 in 1000..=9000,
    }

    /// Pruning of moves that lose material by static exchange.
    exchange {
        quiet_factor = 20 in 5..=60,
        capture_factor = 92 in 30..=200,
        history_divisor = 73 in 15..=300,
        max_depth = 10 in 4..=16,
    }

    /// Singular extensions: a table move without rival.
    singular {
        min_depth = 6 in 4..=10,
        depth_margin = 3 in 1..=6,
        margin_percent = 53 in 30..=300,
        double_margin = 12 in 0..=60,
        pv_margin = 135 in 0..=300,
        triple_margin = 103 in 30..=250,
        double_max = 12 in 2..=40,
    }

    /// Late-move reductions (LMR), in 1/1024 of a ply.
    reduction {
        base = 1030 in 0..=1800,
        factor = 408 in 200..=800,
        noisy_percent = 74 in 20..=120,
        not_improving = 866 in 0..=2000,
        cut_node = 1535 in 0..=3500,
        table_capture = 970 in 0..=2000,
        pv_line = 1410 in 0..=2500,
        pv_node = 828 in 0..=2500,
        check = 551 in 0..=2500,
        cutoffs = 836 in 0..=2000,
        history_factor = 107 in 30..=300,
        complexity_factor = 10 in 0..=40,
        deeper_margin = 48 in 5..=120,
        shallower_margin = 10 in 0..=40,
    }

    /// Bonus and malus of the move histories.
    history {
        bonus_factor = 278 in 50..=400,
        bonus_base = 78 in 0..=300,
        bonus_max = 1246 in 500..=4000,
        malus_factor = 288 in 50..=600,
        malus_base = 72 in 0..=400,
        malus_max = 935 in 500..=4000,
        eval_factor = 10 in 0..=40,
        eval_max = 815 in 200..=2500,
        early_moves = 2 in 0..=10,
        refuted_percent = 61 in 0..=200,
    }

    /// How the evaluation is scaled by what is left on the board, in 1/1024; the factor is for 16 pawns.
    material {
        base = 847 in 600..=1100,
        factor = 34 in 0..=120,
    }

    /// Corrections of the static evaluation by what searches found.
    correction {
        pawns = 45 in 0..=200,
        minors = 28 in 0..=200,
        non_pawns = 73 in 0..=200,
        continuation = 77 in 0..=200,
    }

    /// Quiescence search.
    quiescence {
        futility_margin = 147 in 30..=400,
        exchange_margin = 38 in 0..=150,
    }

    /// Move ordering.
    ordering {
        victim_factor = 12 in 4..=40,
        good_divisor = 22 in 8..=80,
        check_bonus = 14444 in 0..=20000,
        escape_bonus = 6630 in 0..=20000,
    }

    /// Time management, in percent.
    timing {
        moves_left = 28 in 12..=60,
        hard_percent = 450 in 150..=900,
        hard_share_percent = 35 in 10..=90,
        effort_base = 205 in 120..=320,
        effort_factor = 150 in 50..=250,
        stability_base = 135 in 100..=180,
        stability_factor = 7 in 0..=20,
        trend_percent = 2 in 0..=6,
    }
}
