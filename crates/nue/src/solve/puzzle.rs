// SPDX-License-Identifier: GPL-3.0-or-later
//! A test position: `EPD -> Puzzle -> what a move or mate score is worth`.

use anyhow::{Context, bail};
use engine::Score;
use formats::epd::Epd;
use rules::chess::{Board, Move};

/// A position with known good or bad moves.
pub(crate) struct Puzzle {
    pub(crate) name: String,
    pub(crate) board: Board,
    /// `bm`: one of these solves it.
    best: Vec<Move>,
    /// `am`: any but these solves it.
    avoid: Vec<Move>,
    /// What each move is worth; moves not listed are worth nothing.
    points: Vec<(Move, u32)>,
    /// `bm #n`: a mate in n moves solves it, negative if the side to move is mated.
    mate: Option<i32>,
}

impl Puzzle {
    /// The puzzle of a line; it must say what is to be found.
    pub(crate) fn new(epd: &Epd, line: usize) -> anyhow::Result<Puzzle> {
        let board = epd.board;
        let name = epd.text("id").map_or_else(|| format!("line {line}"), str::to_owned);
        let best = epd.operands("bm").unwrap_or_default();
        let mate = best.first().and_then(|text| text.strip_prefix('#')).and_then(|n| n.parse().ok());
        let best = if mate.is_some() { Vec::new() } else { moves(&board, "bm", best)? };
        let avoid = moves(&board, "am", epd.operands("am").unwrap_or_default())?;
        let points = points(epd);
        if best.is_empty() && avoid.is_empty() && points.is_empty() && mate.is_none() {
            bail!("line {line}: nothing to find, expected bm, am or points in c0 or c8 and c9");
        }
        Ok(Puzzle { name, board, best, avoid, points, mate })
    }

    /// Whether the move, or the mate announced with it, is what the puzzle asks for.
    pub(crate) fn is_solved(&self, m: Option<Move>, score: Option<Score>) -> bool {
        if let Some(wanted) = self.mate {
            return matches!(score, Some(Score::Mate(n)) if n.signum() == wanted.signum() && n.abs() <= wanted.abs());
        }
        let Some(m) = m else { return false };
        if self.best.is_empty() && self.avoid.is_empty() {
            return self.points_of(Some(m)) == self.most_points();
        }
        (self.best.is_empty() || self.best.contains(&m)) && !self.avoid.contains(&m)
    }

    /// What the move is worth.
    pub(crate) fn points_of(&self, m: Option<Move>) -> u32 {
        self.points.iter().find(|(scored, _)| Some(*scored) == m).map_or(0, |&(_, points)| points)
    }

    /// What the best move is worth; 0 if the puzzle has no points.
    pub(crate) fn most_points(&self) -> u32 {
        self.points.iter().map(|&(_, points)| points).max().unwrap_or(0)
    }

    /// What is to be found, for people.
    pub(crate) fn wanted(&self) -> String {
        if let Some(n) = self.mate {
            return format!("mate in {n}");
        }
        let list = |moves: &[Move]| moves.iter().map(|&m| self.board.to_san(m)).collect::<Vec<_>>().join(" ");
        match (self.best.is_empty(), self.avoid.is_empty()) {
            (false, _) => list(&self.best),
            (true, false) => format!("not {}", list(&self.avoid)),
            (true, true) => {
                let most = self.most_points();
                let top = self.points.iter().filter(|&&(_, points)| points == most);
                list(&top.map(|&(m, _)| m).collect::<Vec<_>>())
            }
        }
    }
}

fn moves(board: &Board, opcode: &str, texts: &[String]) -> anyhow::Result<Vec<Move>> {
    let resolve = |text: &String| {
        board
            .parse_san(text)
            .or_else(|error| board.parse_uci(text).map_err(|_| error))
            .with_context(|| opcode.to_owned())
    };
    texts.iter().map(resolve).collect()
}

/// The points of `c0 "move=points, …"`, else of `c8 "points …"` with `c9 "moves …"`.
///
/// Other files keep remarks in these fields, so text of another form is no error.
fn points(epd: &Epd) -> Vec<(Move, u32)> {
    let board = &epd.board;
    let listed = epd.text("c0").and_then(|text| {
        text.split(',')
            .map(|item| {
                // The last sign separates: a promotion has one of its own (e8=Q=10).
                let (m, points) = item.trim().rsplit_once('=')?;
                Some((board.parse_san(m).ok()?, points.parse().ok()?))
            })
            .collect::<Option<Vec<_>>>()
    });
    let in_columns = || {
        let (points, moves) = (epd.text("c8")?.split_whitespace(), epd.text("c9")?.split_whitespace());
        moves
            .zip(points)
            .map(|(m, points)| Some((board.parse_uci(m).ok()?, points.parse().ok()?)))
            .collect::<Option<Vec<_>>>()
    };
    listed.or_else(in_columns).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDGAME: &str = "8/4P1k1/8/8/8/8/8/K7 w - -";

    fn puzzle(operations: &str) -> anyhow::Result<Puzzle> {
        Puzzle::new(&Epd::parse(&format!("{ENDGAME} {operations}")).expect("a good line"), 1)
    }

    fn find(puzzle: &Puzzle, san: &str) -> Option<Move> {
        Some(puzzle.board.parse_san(san).expect("a legal move"))
    }

    #[test]
    fn best_and_avoided_moves() {
        let best = puzzle("bm e8=Q e8=R; id \"promote\";").expect("a puzzle");
        assert_eq!((best.name.as_str(), best.wanted().as_str()), ("promote", "e8=Q e8=R"));
        assert!(best.is_solved(find(&best, "e8=R"), None));
        assert!(!best.is_solved(find(&best, "Kb2"), None) && !best.is_solved(None, None));
        let avoid = puzzle("am e8=N;").expect("a puzzle");
        assert_eq!((avoid.name.as_str(), avoid.wanted().as_str()), ("line 1", "not e8=N+"));
        assert!(avoid.is_solved(find(&avoid, "e8=Q"), None) && !avoid.is_solved(find(&avoid, "e8=N"), None));
    }

    #[test]
    fn points_in_either_form() {
        for operations in ["c0 \"e8=Q=10, e8=R=8, Kb2=1\";", "c8 \"10 8 1\"; c9 \"e7e8q e7e8r a1b2\";"] {
            let puzzle = puzzle(operations).expect("a puzzle");
            assert_eq!(puzzle.most_points(), 10);
            assert_eq!(puzzle.points_of(find(&puzzle, "e8=R")), 8);
            assert_eq!(puzzle.points_of(find(&puzzle, "Ka2")), 0);
            assert!(puzzle.is_solved(find(&puzzle, "e8=Q"), None));
            assert!(!puzzle.is_solved(find(&puzzle, "e8=R"), None));
        }
        let remark = puzzle("bm e8=Q; c0 \"an old study\";").expect("a puzzle");
        assert_eq!(remark.most_points(), 0);
    }

    #[test]
    fn announced_mates() {
        let puzzle = puzzle("bm #3;").expect("a puzzle");
        assert!(puzzle.is_solved(None, Some(Score::Mate(2))) && puzzle.is_solved(None, Some(Score::Mate(3))));
        for score in [Score::Mate(4), Score::Mate(-3), Score::Cp(900)] {
            assert!(!puzzle.is_solved(find(&puzzle, "e8=Q"), Some(score)));
        }
    }

    #[test]
    fn a_puzzle_needs_a_legal_aim() {
        let reason = |operations: &str| format!("{:#}", puzzle(operations).err().expect("no puzzle"));
        assert!(reason("id \"nothing\";").contains("nothing to find"));
        assert!(reason("bm Qh5;").starts_with("bm: illegal move 'Qh5'"), "{}", reason("bm Qh5;"));
    }
}
