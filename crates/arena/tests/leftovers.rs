// SPDX-License-Identifier: GPL-3.0-or-later
//! No process outlives its player, however it behaved. Alone in its file: it looks at all children.

#![cfg(target_os = "linux")]

mod table;

use std::fs;

use table::{conditions, mock, play};

/// Processes that we started and that have not been cleared away.
fn children() -> Vec<String> {
    let own = std::process::id().to_string();
    let statuses = fs::read_dir("/proc").expect("a list of processes").flatten();
    let statuses = statuses.filter_map(|entry| fs::read_to_string(entry.path().join("status")).ok());
    let is_child = |status: &String| {
        status.lines().any(|line| line.strip_prefix("PPid:").is_some_and(|parent| parent.trim() == own))
    };
    statuses.filter(is_child).collect()
}

#[test]
fn nothing_stays_behind() {
    for behaviour in ["random moves=f2f3:g2g4", "stall", "crash", "illegal", "flood", "slow"] {
        let record = play(&mock("a", behaviour), &mock("b", "random moves=e7e5:d8h4"), "0.3", &conditions());
        assert!(!record.ending.reason.is_empty());
    }
    assert_eq!(children(), Vec::<String>::new());
}
