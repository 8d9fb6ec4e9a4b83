// SPDX-License-Identifier: GPL-3.0-or-later
//! What a search found, gathered from its reports and turned into messages.

use std::time::Duration;

use engine::{Bound, Report, Score as EngineScore};
use rules::{
    Color, Outcome,
    chess::{Board, Game, Move},
};

use crate::message::{Line, Score};

/// Longest line that is sent.
const LONGEST_LINE: usize = 24;

/// What a search found so far: a complete set of lines of one depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Depth in half-moves.
    pub depth: u32,
    /// Deepest half-move looked at.
    pub seldepth: u32,
    /// Positions searched in all turns.
    pub nodes: u64,
    /// Time spent in all turns.
    pub time: Duration,
    /// Permille of the hash table in use.
    pub hashfull: u32,
    /// The lines, best first.
    pub lines: Vec<FoundLine>,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundLine {
    /// Its score, seen by White.
    pub score: Score,
    /// Permille of White's win, draw and Black's win.
    pub wdl: [u32; 3],
    /// The moves.
    pub moves: Vec<Move>,
}

/// Puts reports of single lines together.
pub(super) struct Collector {
    turn: Color,
    expected: usize,
    nodes: u64,
    time: Duration,
    lines: Vec<FoundLine>,
}

impl Collector {
    /// A collector for a position, whose earlier turns took so many nodes and so much time.
    pub(super) fn new(game: &Game, lines: usize, nodes: u64, time: Duration) -> Collector {
        let board = game.board();
        let expected = lines.clamp(1, board.legal_moves().len().max(1));
        Collector { turn: board.turn(), expected, nodes, time, lines: Vec::new() }
    }

    /// Takes a report; returns the lines when they are complete.
    pub(super) fn take(&mut self, report: &Report) -> Option<Found> {
        if report.bound != Bound::Exact || report.multipv > self.expected {
            return None;
        }
        let [win, draw, loss] = report.wdl;
        let wdl = if self.turn == Color::White { report.wdl } else { [loss, draw, win] };
        self.lines.truncate(report.multipv - 1);
        if self.lines.len() + 1 < report.multipv {
            return None;
        }
        let moves = report.pv.iter().copied().take(LONGEST_LINE).collect();
        self.lines.push(FoundLine { score: score_for_white(report.score, self.turn), wdl, moves });
        (self.lines.len() == self.expected).then(|| Found {
            depth: report.depth,
            seldepth: report.seldepth,
            nodes: self.nodes + report.nodes,
            time: self.time + report.time,
            hashfull: report.hashfull,
            lines: self.lines.clone(),
        })
    }
}

/// A score of the side to move, seen by White.
fn score_for_white(score: EngineScore, turn: Color) -> Score {
    let sign = if turn == Color::White { 1 } else { -1 };
    match score {
        EngineScore::Cp(value) => Score::Cp { value: sign * value },
        EngineScore::Mate(value) => Score::Mate { value: sign * value },
    }
}

/// The score and chances of a position without legal moves, or drawn by its material; nothing of any other.
pub fn terminal(board: &Board) -> Option<(Score, [u32; 3])> {
    let draw = (Score::Cp { value: 0 }, [0, 1000, 0]);
    match Game::new(*board).outcome()?.0 {
        Outcome::Win(Color::White) => Some((Score::Mate { value: 0 }, [1000, 0, 0])),
        Outcome::Win(Color::Black) => Some((Score::Mate { value: 0 }, [0, 0, 1000])),
        Outcome::Draw => (board.count_legal_moves() == 0).then_some(draw),
    }
}

/// A line in both notations.
fn line_message(board: &Board, line: &FoundLine, chess960: bool) -> Line {
    let mut at = *board;
    let (mut uci, mut san) = (Vec::with_capacity(line.moves.len()), Vec::with_capacity(line.moves.len()));
    for &m in &line.moves {
        if !at.is_legal(m) {
            break;
        }
        uci.push(m.to_uci(chess960));
        san.push(at.to_san(m));
        at.play(m);
    }
    Line { score: line.score, wdl: line.wdl, uci, san }
}

/// All lines in both notations.
pub fn lines_message(board: &Board, found: &Found, chess960: bool) -> Vec<Line> {
    found.lines.iter().map(|line| line_message(board, line, chess960)).collect()
}
