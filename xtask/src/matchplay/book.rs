// SPDX-License-Identifier: GPL-3.0-or-later
//! Openings from an EPD file, drawn at random by seed: book text -> drawn lines -> positions.

use std::{fs, path::Path, process::Command};

use anyhow::{Context, ensure};
use rules::{Position as _, chess::Board};

/// Draws `count` openings; each line of the book comes up once before any comes up again.
pub(crate) fn draw_openings(book: &Path, count: usize, seed: u64) -> anyhow::Result<Vec<Board>> {
    let text = read(book).with_context(|| format!("opening book {}", book.display()))?;
    let mut lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    ensure!(!lines.is_empty(), "opening book {} has no positions", book.display());
    shuffle(&mut lines, seed);
    lines.into_iter().cycle().take(count).map(opening).collect()
}

fn read(book: &Path) -> anyhow::Result<String> {
    if book.extension().is_none_or(|extension| extension != "zst") {
        return Ok(fs::read_to_string(book)?);
    }
    let output = Command::new("zstdcat").arg(book).output().context("running zstdcat")?;
    ensure!(output.status.success(), "zstdcat says: {}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(String::from_utf8(output.stdout)?)
}

fn opening(line: &str) -> anyhow::Result<Board> {
    let board = Board::from_fen(&fen_of_epd(line)).with_context(|| format!("opening '{line}'"))?;
    ensure!(board.outcome().is_none(), "opening '{line}' is already decided");
    Ok(board)
}

/// The FEN of an EPD line: four fields and, where the next two are numbers, the move counters.
fn fen_of_epd(line: &str) -> String {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let is_number = |field: &&str| field.bytes().all(|byte| byte.is_ascii_digit());
    let counters: Vec<&str> = fields.iter().copied().skip(4).take(2).filter(is_number).collect();
    let place = fields.iter().take(4).copied().collect::<Vec<_>>().join(" ");
    match counters[..] {
        [halfmoves, fullmoves] => format!("{place} {halfmoves} {fullmoves}"),
        _ => format!("{place} 0 1"),
    }
}

/// Fisher-Yates with a SplitMix64 stream: the same seed gives the same order everywhere.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed;
    for last in (1..items.len()).rev() {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        items.swap(last, (z % (last as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_epd_with_and_without_counters() {
        let place = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        assert_eq!(fen_of_epd(&format!("{place} 3 7")), format!("{place} 3 7"));
        assert_eq!(fen_of_epd(&format!("{place} bm e4; id \"1\";")), format!("{place} 0 1"));
        assert_eq!(fen_of_epd(place), format!("{place} 0 1"));
    }

    #[test]
    fn the_seed_decides_the_order() {
        let shuffled = |seed| {
            let mut numbers: Vec<u32> = (0..50).collect();
            shuffle(&mut numbers, seed);
            numbers
        };
        assert_eq!(shuffled(1), shuffled(1));
        assert_ne!(shuffled(1), shuffled(2));
        let mut sorted = shuffled(3);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn refuses_decided_openings() {
        assert!(opening("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").is_err());
        assert!(opening("no position at all").is_err());
    }
}
