// SPDX-License-Identifier: GPL-3.0-or-later
//! Counts of positions, compared with published ones: `data/*.perft`, each file with a node budget.

use rules::{
    chess::{Board, FenError},
    perft,
};

/// One published count: so many `nodes`, `depth` half-moves from the position of a `line`.
struct Entry {
    nodes: u64,
    depth: u32,
    line: usize,
}

/// Counts the cheapest entries of a file while their sum stays within `budget`. Every line must get its
/// turn, but for `refused` ones whose position is illegal.
fn check(text: &str, budget: u64, refused: usize) {
    let lines: Vec<(&str, Result<Board, FenError>)> = text
        .lines()
        .map(|line| {
            let fen = line.split(';').next().unwrap_or_default();
            (line, Board::from_fen(fen))
        })
        .collect();
    let mut entries: Vec<Entry> =
        lines.iter().enumerate().flat_map(|(index, (line, _))| entries(line, index)).collect();
    entries.sort_by_key(|entry| entry.nodes);

    let mut tried = vec![false; lines.len()];
    let mut spent = 0;
    for Entry { nodes, depth, line } in entries {
        let (text, board) = &lines[line];
        let Ok(board) = board else { continue };
        spent += nodes;
        if spent > budget {
            break;
        }
        assert_eq!(perft::count(board, depth), nodes, "depth {depth} of {text}");
        tried[line] = true;
    }
    for ((line, board), tried) in lines.iter().zip(tried) {
        assert!(tried || board.is_err(), "the budget is too small for {line}");
    }
    assert_eq!(lines.iter().filter(|(_, board)| board.is_err()).count(), refused);
}

fn entries(text: &str, line: usize) -> impl Iterator<Item = Entry> {
    text.split(';').skip(1).map(move |entry| {
        let (depth, nodes) = entry
            .trim()
            .strip_prefix('D')
            .and_then(|entry| entry.split_once(' '))
            .unwrap_or_else(|| panic!("'{entry}' is not a count, expected something like D3 8902"));
        let number = |text: &str| text.parse().expect("a number");
        Entry { nodes: number(nodes), depth: number(depth) as u32, line }
    })
}

#[test]
fn standard() {
    check(include_str!("data/standard.perft"), 400_000_000, 0);
}

#[test]
fn chess960() {
    check(include_str!("data/chess960.perft"), 400_000_000, 0);
}

#[test]
fn en_passant() {
    check(include_str!("data/en_passant.perft"), 60_000_000, 0);
}

#[test]
fn double_check() {
    check(include_str!("data/double_check.perft"), 20_000_000, 0);
}

#[test]
fn tricky() {
    check(include_str!("data/tricky.perft"), 2_000_000, 0);
}

#[test]
fn tricky_chess960() {
    check(include_str!("data/tricky_chess960.perft"), 5_000_000, 0);
}

#[test]
fn tricky_unreachable() {
    check(include_str!("data/tricky_unreachable.perft"), 1_000_000, 1);
}
