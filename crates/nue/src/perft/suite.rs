// SPDX-License-Identifier: GPL-3.0-or-later
//! Perft suites: `EPD line -> position and known counts -> compare`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use anyhow::{Context, bail};
use rules::{
    chess::Board,
    perft::{self, Options},
};

use crate::{perft::print_speed, workers};

/// Which counts of a suite are worth their time; no limit where there is no number.
#[derive(Copy, Clone)]
pub(crate) struct Budget {
    pub(crate) max_nodes: Option<u64>,
    pub(crate) max_depth: Option<u32>,
}

impl Budget {
    fn admits(self, known: &Known) -> bool {
        self.max_nodes.is_none_or(|most| known.nodes <= most)
            && self.max_depth.is_none_or(|most| known.depth <= most)
    }
}

/// A count that is known to be right.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    depth: u32,
    nodes: u64,
}

/// A line of a suite.
struct Line<'a> {
    file: &'a Path,
    number: usize,
    text: &'a str,
}

/// What came of a line.
enum Verdict {
    /// The line was counted; each entry that differs comes with the count made here.
    Counted { counts: usize, nodes: u64, wrong: Vec<(Known, u64)> },
    /// The line cannot be counted.
    Refused(anyhow::Error),
}

/// Compares every line of the files and prints a summary; exit code 1 if a count differs.
pub(crate) fn run(
    files: &[PathBuf],
    budget: Budget,
    threads: usize,
    hash_mb: usize,
) -> anyhow::Result<ExitCode> {
    let mut texts = Vec::new();
    for file in files {
        let text =
            fs::read_to_string(file).with_context(|| format!("cannot read the suite {}", file.display()))?;
        texts.push((file, text));
    }
    let lines: Vec<Line<'_>> = texts
        .iter()
        .flat_map(|(file, text)| {
            text.lines().enumerate().map(|(index, text)| Line { file, number: index + 1, text: text.trim() })
        })
        .filter(|line| !line.text.is_empty() && !line.text.starts_with('#'))
        .collect();

    let (mut positions, mut counts, mut nodes, mut mismatches, mut refused) = (0, 0, 0, 0, 0);
    let start = Instant::now();
    let work = |_: &mut (), line: &Line<'_>| (place(line), verdict(line.text, budget, hash_mb));
    workers::run(
        &lines,
        threads,
        || (),
        work,
        |(place, verdict)| match verdict {
            Verdict::Counted { counts: made, nodes: more, wrong } => {
                positions += 1;
                counts += made;
                nodes += more;
                mismatches += wrong.len();
                for (known, got) in wrong {
                    say!("{place}: depth {} expected {} got {got}", known.depth, known.nodes);
                }
            }
            Verdict::Refused(reason) => {
                refused += 1;
                say!("{place}: refused: {reason:#}");
            }
        },
    );

    say!("positions         {positions}");
    say!("counts            {counts}");
    say!("mismatches        {mismatches}");
    say!("refused           {refused}");
    print_speed(nodes, start.elapsed());
    Ok(if mismatches == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn place(line: &Line<'_>) -> String {
    format!("{}:{}", line.file.display(), line.number)
}

fn verdict(line: &str, budget: Budget, hash_mb: usize) -> Verdict {
    let (board, known) = match parse(line) {
        Ok(parsed) => parsed,
        Err(reason) => return Verdict::Refused(reason),
    };
    let (mut counts, mut nodes, mut wrong) = (0, 0, Vec::new());
    for known in known.into_iter().filter(|known| budget.admits(known)) {
        let got = count(&board, known.depth, hash_mb);
        counts += 1;
        nodes += got;
        if got != known.nodes {
            wrong.push((known, got));
        }
    }
    Verdict::Counted { counts, nodes, wrong }
}

fn count(board: &Board, depth: u32, hash_mb: usize) -> u64 {
    if hash_mb == 0 || depth == 0 {
        return perft::count(board, depth);
    }
    perft::divide(board, depth, Options { threads: 1, hash_mb }).iter().map(|(_, leaves)| leaves).sum()
}

/// The position and the known counts of `FEN ;D1 20 ;D2 400`.
fn parse(line: &str) -> anyhow::Result<(Board, Vec<Known>)> {
    let mut parts = line.split(';');
    let board = Board::from_fen(parts.next().unwrap_or_default().trim())?;
    let mut known = Vec::new();
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        let numbers = part.strip_prefix('D').and_then(|rest| rest.split_once(char::is_whitespace));
        match numbers.map(|(depth, nodes)| (depth.parse(), nodes.trim().parse())) {
            Some((Ok(depth), Ok(nodes))) => known.push(Known { depth, nodes }),
            _ => bail!("'{part}', expected a depth and a count such as 'D3 8902'"),
        }
    }
    if known.is_empty() {
        bail!("no counts, expected something like ';D1 20 ;D2 400' after the position");
    }
    Ok((board, known))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn wrong(line: &str) -> Vec<(Known, u64)> {
        match verdict(line, Budget { max_nodes: Some(10_000), max_depth: None }, 0) {
            Verdict::Counted { wrong, .. } => wrong,
            Verdict::Refused(reason) => panic!("{line}: {reason}"),
        }
    }

    #[test]
    fn right_counts_agree_and_wrong_ones_are_named() {
        assert_eq!(wrong(&format!("{START} ;D1 20 ;D2 400;D3 8902 ;D4 1000000")), []);
        assert_eq!(wrong(&format!("{START} ;D1 20 ;D2 401 ;D0 1")), [(Known { depth: 2, nodes: 401 }, 400)]);
    }

    #[test]
    fn a_table_does_not_change_the_count() {
        let board = Board::start();
        assert_eq!(count(&board, 4, 1), count(&board, 4, 0));
        assert_eq!(count(&board, 0, 1), 1);
    }

    #[test]
    fn malformed_lines_are_refused_with_a_reason() {
        for (line, part) in [
            (START.to_owned(), "no counts"),
            (format!("{START} ;D1"), "'D1'"),
            (format!("{START} ;D1 x"), "'D1 x'"),
            (format!("{START} ;1 20"), "'1 20'"),
            ("8/8/8/8/8/8/8/8 w - - 0 1 ;D1 0".to_owned(), "kings"),
        ] {
            let reason = parse(&line).expect_err(&line).to_string();
            assert!(reason.contains(part), "{line}: {reason}");
        }
    }
}
