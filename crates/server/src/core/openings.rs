// SPDX-License-Identifier: GPL-3.0-or-later
//! Names of openings: by position, so that every order of moves finds them.

use std::{collections::HashMap, sync::LazyLock};

use rules::chess::Board;

use crate::message::Opening;

/// ECO code, name and moves, one opening a line.
const TABLE: &str = include_str!("../../data/openings.tsv");

/// Beyond this many half-moves no line of the table goes on.
const DEEPEST: usize = 40;

static BY_POSITION: LazyLock<HashMap<u64, (&'static str, &'static str)>> = LazyLock::new(|| {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(position_of).collect()
});

fn position_of(line: &'static str) -> Option<(u64, (&'static str, &'static str))> {
    let mut columns = line.split('\t');
    let (eco, name, moves) = (columns.next()?, columns.next()?, columns.next()?);
    let mut board = Board::start();
    for san in moves.split(' ') {
        board.play(board.parse_san(san).ok()?);
    }
    Some((board.key(), (eco, name)))
}

/// The name of a position, if it has one.
pub fn of_board(board: &Board) -> Option<Opening> {
    let (eco, name) = BY_POSITION.get(&board.key())?;
    Some(Opening { eco: (*eco).to_owned(), name: (*name).to_owned() })
}

/// The name of the last named position of a line of moves in UCI form.
pub fn of_line<'a>(start: &Board, moves: impl Iterator<Item = &'a str>) -> Option<Opening> {
    let mut board = *start;
    let mut found = of_board(&board);
    for uci in moves.take(DEEPEST) {
        board.play(board.parse_uci(uci).ok()?);
        found = of_board(&board).or(found);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_a_game() {
        let lines: Vec<&str> = TABLE.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(lines.len() > 3_000);
        for line in lines {
            assert!(position_of(line).is_some(), "{line}");
            assert!(line.split('\t').nth(2).unwrap().split(' ').count() <= DEEPEST, "{line}");
        }
    }

    #[test]
    fn the_last_named_position_counts_whatever_the_order_of_moves() {
        let name = |moves: &str| of_line(&Board::start(), moves.split(' ')).unwrap().name;
        assert_eq!(name("e2e4 e7e6"), "French Defense");
        assert_eq!(name("e2e4 e7e6 h2h4 h7h5 h1h3"), "French Defense");
        assert_eq!(name("d2d4 e7e6 e2e4 d7d5 b1c3"), name("e2e4 e7e6 d2d4 d7d5 b1c3"));
    }
}
