// SPDX-License-Identifier: GPL-3.0-or-later
//! One thread's state during a search, and what all threads share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use nnue::pages::Paged;
use rules::chess::{Bitboard, Board, Game, Move, has_upcoming_repetition, is_repetition};

use super::{
    correction::Corrections,
    history::{Arrival, Company, Histories},
    margins,
    score::{MAX_PLY, NO_EVAL, clamp_eval, from_table},
    tablebase::Tablebases,
    tt::{Entry, Flag, TranspositionTable},
};
use crate::{Controls, Limits, eval::Evaluator, time::TimeManager};

/// Frames before the root, so that looking a few moves back needs no test.
const BEFORE_ROOT: usize = 6;
/// Nodes between two looks at the clock.
const CLOCK_INTERVAL: u64 = 1024;

/// What the threads of one search have in common.
pub(crate) struct Shared<'a> {
    pub(crate) tt: &'a TranspositionTable,
    pub(crate) tables: &'a Tablebases,
    pub(crate) controls: &'a Controls,
    pub(crate) limits: &'a Limits,
    pub(crate) time: &'a TimeManager,
    pub(crate) stop: AtomicBool,
    pub(crate) counters: Vec<Counters>,
}

impl Shared<'_> {
    pub(crate) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counters| counters.nodes.load(Relaxed)).sum()
    }

    pub(crate) fn tb_hits(&self) -> u64 {
        self.counters.iter().map(|counters| counters.tb_hits.load(Relaxed)).sum()
    }
}

/// What a thread has done, on a cache line of its own; only that thread writes.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Counters {
    pub(crate) nodes: AtomicU64,
    pub(crate) tb_hits: AtomicU64,
}

/// What a thread remembers from search to search.
pub(crate) struct Memory {
    pub(crate) histories: Paged<Histories>,
    pub(crate) corrections: Paged<Corrections>,
    pub(crate) evaluator: Evaluator,
}

impl Memory {
    pub(crate) fn new(evaluator: Evaluator) -> Memory {
        let histories = Paged::zeroed().expect("memory for the histories of a thread");
        let corrections = Paged::zeroed().expect("memory for the corrections of a thread");
        Memory { histories, corrections, evaluator }
    }

    pub(crate) fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
    }
}

/// What a node leaves for its descendants to see.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) static_eval: i32,
    pub(crate) correction: i32,
    pub(crate) current: Move,
    pub(crate) arrival: Arrival,
    /// How many moves the node had looked at when it played `current`, this one included.
    pub(crate) move_count: i32,
    /// The squares the opponent attacks.
    pub(crate) threats: Bitboard,
    pub(crate) excluded: Move,
    pub(crate) reduction: i32,
    pub(crate) cutoffs: i32,
    pub(crate) reversible: usize,
    pub(crate) double_extensions: i32,
    pub(crate) pv: bool,
}

impl Frame {
    const BLANK: Frame = Frame {
        static_eval: NO_EVAL,
        correction: 0,
        current: Move::NONE,
        arrival: Arrival::NONE,
        move_count: 0,
        threats: Bitboard::EMPTY,
        excluded: Move::NONE,
        reduction: 0,
        cutoffs: 0,
        reversible: 0,
        double_extensions: 0,
        pv: false,
    };
}

/// A table entry as a node sees it: its score is counted from the root.
#[derive(Copy, Clone)]
pub(crate) struct Known {
    pub(crate) entry: Option<Entry>,
    pub(crate) score: Option<i32>,
}

impl Known {
    pub(crate) const NOTHING: Known = Known { entry: None, score: None };

    /// Whether the position has been on a principal variation.
    pub(crate) fn is_pv(&self) -> bool {
        self.entry.is_some_and(|entry| entry.pv)
    }

    /// The score, if it is on the side of `eval` that its bound vouches for.
    pub(crate) fn better_than(&self, eval: i32) -> Option<i32> {
        let (entry, score) = (self.entry?, self.score?);
        entry.flag.decides(score, eval + 1).then_some(score)
    }
}

/// A sequence of moves.
#[derive(Clone)]
pub(crate) struct Line {
    len: usize,
    moves: [Move; MAX_PLY + 1],
}

impl Line {
    const EMPTY: Line = Line { len: 0, moves: [Move::NONE; MAX_PLY + 1] };

    pub(crate) fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

/// A move at the root and what is known about it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) m: Move,
    pub(crate) score: i32,
    pub(crate) previous_score: i32,
    pub(crate) average: Option<i32>,
    pub(crate) seldepth: usize,
    pub(crate) effort: u64,
    pub(crate) pv: Vec<Move>,
    /// Better tablebase rank first; equal without tables.
    pub(crate) table_rank: i32,
    /// What the endgame tables say the move is worth.
    pub(crate) table_score: Option<i32>,
}

/// A thread at work.
pub(crate) struct Searcher<'a> {
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) thread: usize,
    pub(crate) memory: &'a mut Memory,
    pub(crate) root_moves: Vec<RootMove>,
    pub(crate) root_index: usize,
    pub(crate) root_delta: i32,
    pub(crate) completed_depth: i32,
    pub(crate) nodes: u64,
    pub(crate) tb_hits: u64,
    pub(crate) seldepth: usize,
    pub(crate) stopped: bool,
    /// No null move before this ply, while one is being verified.
    pub(crate) null_move_from: usize,
    frames: Vec<Frame>,
    lines: Vec<Line>,
    keys: Vec<u64>,
}

impl<'a> Searcher<'a> {
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        thread: usize,
        memory: &'a mut Memory,
        game: &Game,
        root_moves: Vec<RootMove>,
    ) -> Searcher<'a> {
        let mut frames = vec![Frame::BLANK; MAX_PLY + BEFORE_ROOT + 4];
        memory.evaluator.reset();
        let past = game.keys().len() - 1;
        frames[BEFORE_ROOT].reversible = past.min(usize::from(game.board().halfmoves()));
        Searcher {
            shared,
            thread,
            memory,
            root_moves,
            root_index: 0,
            root_delta: 1,
            completed_depth: 0,
            nodes: 0,
            tb_hits: 0,
            seldepth: 0,
            stopped: false,
            null_move_from: 0,
            frames,
            lines: vec![Line::EMPTY; MAX_PLY + 2],
            keys: game.keys().to_vec(),
        }
    }

    /// Starts over at a position without a past.
    pub(crate) fn move_to(&mut self, board: &Board) {
        self.memory.evaluator.reset();
        self.keys.clear();
        self.keys.push(board.key());
        self.frame(0).reversible = 0;
    }

    /// The frame of a ply.
    #[inline(always)]
    pub(crate) fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + BEFORE_ROOT]
    }

    /// The frame `back` plies above another.
    #[inline(always)]
    pub(crate) fn above(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[ply + BEFORE_ROOT - back]
    }

    /// The moves that led to a node, as far as quiet moves are judged by them.
    #[inline(always)]
    pub(crate) fn company(&self, ply: usize) -> Company {
        [self.above(ply, 1).arrival, self.above(ply, 2).arrival, self.above(ply, 4).arrival]
    }

    /// Counts a node; from time to time looks whether the search has to end.
    #[inline]
    pub(crate) fn count_node(&mut self) {
        // What is entered on the way out of a stopped search is not searched any more.
        if self.stopped {
            return;
        }
        self.nodes += 1;
        self.shared.counters[self.thread].nodes.store(self.nodes, Relaxed);
        if self.nodes.is_multiple_of(CLOCK_INTERVAL) || self.shared.limits.nodes.is_some() {
            self.check_limits();
        }
    }

    fn check_limits(&mut self) {
        let shared = self.shared;
        if shared.stop.load(Relaxed) {
            self.stopped = true;
            return;
        }
        // The first thread watches the limits for all; it finishes one iteration whatever happens.
        if self.thread != 0 || self.completed_depth == 0 && !shared.controls.is_stopped() {
            return;
        }
        let out_of_nodes = || {
            let nodes = if shared.counters.len() == 1 { self.nodes } else { shared.nodes() };
            shared.limits.nodes.is_some_and(|limit| nodes >= limit)
        };
        let clock_due = self.nodes.is_multiple_of(CLOCK_INTERVAL);
        let ended = shared.controls.is_stopped()
            || !shared.controls.is_pondering() && (out_of_nodes() || clock_due && shared.time.is_exhausted());
        if ended {
            shared.stop.store(true, Relaxed);
            self.stopped = true;
        }
    }

    pub(crate) fn count_table_hit(&mut self) {
        self.tb_hits += 1;
        self.shared.counters[self.thread].tb_hits.store(self.tb_hits, Relaxed);
    }

    /// Plays a move on a copy of the board; [`Searcher::retreat`] must follow.
    #[inline]
    pub(crate) fn advance(&mut self, board: &Board, m: Move, ply: usize) -> Board {
        self.shared.tt.prefetch(board.likely_key_after(m));
        let child = self.memory.evaluator.play(board, m);
        let reversible = if child.halfmoves() == 0 { 0 } else { self.above(ply, 0).reversible + 1 };
        let arrival = board.piece_on(m.from()).map_or(Arrival::NONE, |piece| Arrival::new(piece, m.to()));
        self.memory.corrections.prefetch(&child, arrival, self.above(ply, 1).arrival);
        let frame = self.frame(ply);
        frame.current = m;
        frame.arrival = arrival;
        self.frame(ply + 1).reversible = reversible;
        self.keys.push(child.key());
        child
    }

    /// Passes the turn on a copy of the board; [`Searcher::retreat`] must follow.
    pub(crate) fn advance_null(&mut self, board: &Board, ply: usize) -> Board {
        let mut child = *board;
        child.play_null();
        self.shared.tt.prefetch(child.key());
        self.memory.evaluator.push_null();
        let frame = self.frame(ply);
        frame.current = Move::NONE;
        frame.arrival = Arrival::NONE;
        self.frame(ply + 1).reversible = 0;
        self.keys.push(child.key());
        child
    }

    #[inline]
    pub(crate) fn retreat(&mut self) {
        self.keys.pop();
        self.memory.evaluator.pop();
    }

    /// Whether the rules or a repetition make this position a draw.
    #[inline]
    pub(crate) fn is_draw(&self, board: &Board, ply: usize) -> bool {
        if board.halfmoves() >= 100 && (!board.in_check() || board.has_legal_move()) {
            return true;
        }
        board.has_insufficient_material() || is_repetition(&self.keys, self.above(ply, 0).reversible, ply)
    }

    /// Whether the side to move can reach a draw by repetition at once.
    #[inline]
    pub(crate) fn can_repeat(&self, board: &Board, ply: usize) -> bool {
        let reversible = self.above(ply, 0).reversible;
        reversible >= 3 && has_upcoming_repetition(board, &self.keys, reversible, ply)
    }

    /// A draw, with a little noise so that the search does not treat all draws alike.
    #[inline]
    pub(crate) fn draw_score(&self) -> i32 {
        (self.nodes & 2) as i32 - 1
    }

    /// What the transposition table knows about a node.
    #[inline]
    pub(crate) fn look_up(&self, board: &Board, ply: usize) -> Known {
        let entry = self.shared.tt.probe(board.key());
        let score = entry
            .filter(|entry| entry.flag != Flag::None)
            .map(|entry| from_table(entry.score, ply, board.halfmoves()));
        Known { entry, score }
    }

    /// The evaluation before corrections, from the table if it is there.
    #[inline]
    pub(crate) fn raw_eval(&mut self, board: &Board, known: &Known) -> i32 {
        match known.entry {
            Some(entry) if entry.eval != NO_EVAL => entry.eval,
            _ => self.evaluate(board),
        }
    }

    /// The evaluation before corrections.
    #[inline]
    pub(crate) fn evaluate(&mut self, board: &Board) -> i32 {
        self.memory.evaluator.evaluate(board)
    }

    /// The evaluation as the search uses it, and the part that experience added.
    #[inline]
    pub(crate) fn corrected(&self, board: &Board, raw: i32, ply: usize) -> (i32, i32) {
        let correction =
            self.memory.corrections.of(board, self.above(ply, 1).arrival, self.above(ply, 2).arrival);
        // An advantage that has not moved anything for long is worth less, and so is one with little left to play with.
        let damped = raw * (200 - i32::from(board.halfmoves().min(100))) / 200;
        let scaled = damped * margins::material_scale(board) / 1024;
        (clamp_eval(scaled + correction), correction)
    }

    /// Makes `m` and the line below it the line of this ply.
    pub(crate) fn extend_line(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let (line, below) = (&mut upper[ply], &lower[0]);
        let len = below.len.min(MAX_PLY);
        line.moves[0] = m;
        line.moves[1..=len].copy_from_slice(&below.moves[..len]);
        line.len = len + 1;
    }

    /// The best line from the root of the last search.
    pub(crate) fn best_line(&self) -> &[Move] {
        self.lines[0].as_slice()
    }

    pub(crate) fn clear_line(&mut self, ply: usize) {
        self.lines[ply].len = 0;
    }

    /// Whether a root move belongs to those being searched now.
    pub(crate) fn is_open_root_move(&self, m: Move) -> bool {
        self.root_moves[self.root_index..].iter().any(|root| root.m == m)
    }

    /// Notes the outcome of a root move; only moves that raised alpha have a real score and line.
    pub(crate) fn note_root_move(&mut self, m: Move, score: Option<i32>, effort: u64) {
        let pv = score.map(|_| self.lines[0].as_slice().to_vec());
        let seldepth = self.seldepth;
        let Some(root) = self.root_moves.iter_mut().find(|root| root.m == m) else { return };
        root.effort += effort;
        match (score, pv) {
            (Some(score), Some(pv)) => {
                root.score = score;
                root.average = Some(root.average.map_or(score, |average| (average + score) / 2));
                root.seldepth = seldepth;
                root.pv = pv;
            }
            _ => root.score = -super::score::INFINITY,
        }
    }
}
