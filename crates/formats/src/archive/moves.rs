// SPDX-License-Identifier: GPL-3.0-or-later
//! A move as answers: the legal moves in the order of a guess, asked about one by one.

use rules::chess::{Board, Move};

use super::{
    coder::Coder,
    contexts::{Candidate, Past, View},
    logistic::Predictor,
};

/// The contexts of a question about a move.
const CONTEXTS: usize = 8;
/// Which of them the guess listens to: the deed and role with destination.
const DEED: usize = 1;
const PLACE: usize = 2;
const ANSWER: usize = 7;
/// No guess is higher: three opinions of at most 2048.
const HIGHEST: i32 = 3 * 2048;

/// Learns which moves are played.
#[derive(Debug)]
pub(super) struct MoveModel {
    predictor: Predictor<CONTEXTS>,
    candidates: Vec<Candidate>,
    /// The candidates' places, likely moves first.
    order: Vec<u64>,
}

impl MoveModel {
    pub(super) fn new() -> MoveModel {
        MoveModel {
            predictor: Predictor::new([12, 15, 12, 16, 18, 18, 12, 13], 64),
            candidates: Vec::with_capacity(256),
            order: Vec::with_capacity(256),
        }
    }

    /// Codes a legal move; a reader gets the one that was written. Nothing if there is no such legal move.
    ///
    /// `jump` is how the score changed in favour of the side to move, in few steps.
    pub(super) fn code(
        &mut self,
        coder: &mut impl Coder,
        board: &Board,
        past: [Option<Past>; 2],
        jump: u32,
        wanted: Move,
    ) -> Option<Move> {
        let view = View::new(board, past[0], past[1]);
        self.list(board, &view);
        let count = self.candidates.len() as u32;
        let (last, own_last) = (view.last_code(), view.own_last_code());
        for rank in 0..count {
            let candidate = self.candidates[(self.order[rank as usize] & 0xFF) as usize];
            let left = count - rank;
            if left == 1 {
                // Nothing to ask; a writer may still want a move that is none.
                return (wanted == Move::NONE || wanted == candidate.m).then_some(candidate.m);
            }
            let Candidate { m, code, deed, answer, way, .. } = candidate;
            let near = rank.min(31);
            let contexts = [
                near << 5 | left.min(31),
                deed,
                code << 2 | view.phase(),
                way << 3 | code >> 6,
                1 << 20 | last << 9 | code,
                1 << 21 | own_last << 9 | code,
                (near << 3 | jump) << 2 | u32::from(m.is_capture()) << 1 | view.in_check(),
                answer,
            ];
            let set = (rank.min(15) << 2 | view.phase()) as usize;
            if self.predictor.code(coder, contexts, set, m == wanted) {
                return Some(m);
            }
        }
        None
    }

    /// Lists the legal moves and sorts them, likely ones first. Equal guesses are ordered by the moves' bits, so
    /// that the order does not depend on how moves are generated.
    fn list(&mut self, board: &Board, view: &View) {
        self.candidates.clear();
        self.order.clear();
        for (place, &m) in board.legal_moves().iter().enumerate() {
            let candidate = view.candidate(board, m);
            let guess = self.predictor.opinion(DEED, candidate.deed)
                + self.predictor.opinion(PLACE, candidate.code << 2 | view.phase())
                + self.predictor.opinion(ANSWER, candidate.answer);
            let unlikely = (HIGHEST - guess) as u64;
            self.order.push((unlikely << 16 | u64::from(m.to_bits())) << 8 | place as u64);
            self.candidates.push(candidate);
        }
        self.order.sort_unstable();
    }
}
