// SPDX-License-Identifier: GPL-3.0-or-later
//! Who judges positions in a thread: the hand-crafted evaluation, a network with its accumulators, or both together.

use std::sync::Arc;

use features::chess::Delta;
use nnue::{Accumulators, Network};
use rules::chess::{Board, Move};

use super::{MAX_EVALUATION, handcrafted};

/// A judge that follows the moves of a search.
pub(crate) enum Evaluator {
    /// Looks at every position anew.
    Handcrafted,
    /// Remembers what the network saw one move earlier. If it was trained beside the hand-crafted evaluation, that has a
    /// say too.
    Network(Box<Accumulators>),
}

impl Evaluator {
    /// The judge of a thread.
    pub(crate) fn new(network: Option<&Arc<Network>>) -> Evaluator {
        match network {
            None => Evaluator::Handcrafted,
            Some(network) => Evaluator::Network(Box::new(Accumulators::new(Arc::clone(network)))),
        }
    }

    /// Starts over at another position.
    pub(crate) fn reset(&mut self) {
        if let Evaluator::Network(accumulators) = self {
            accumulators.reset();
        }
    }

    /// Plays a move on a copy of the board, and takes note of it.
    #[inline]
    pub(crate) fn play(&mut self, board: &Board, m: Move) -> Board {
        match self {
            Evaluator::Handcrafted => board.after(m),
            Evaluator::Network(accumulators) => {
                let mut child = *board;
                accumulators.push(Delta::play(&mut child, m));
                child
            }
        }
    }

    /// Notes a passed turn.
    #[inline]
    pub(crate) fn push_null(&mut self) {
        if let Evaluator::Network(accumulators) = self {
            accumulators.push(Delta::default());
        }
    }

    /// Takes the last move or pass back.
    #[inline]
    pub(crate) fn pop(&mut self) {
        if let Evaluator::Network(accumulators) = self {
            accumulators.pop();
        }
    }

    /// The value of the position after all moves noted, in centipawns for the side to move.
    #[inline]
    pub(crate) fn evaluate(&mut self, board: &Board) -> i32 {
        match self {
            Evaluator::Handcrafted => handcrafted::evaluate(board),
            Evaluator::Network(accumulators) => {
                let raw = accumulators.evaluate(board);
                let by_hand = || handcrafted::evaluate(board);
                accumulators.network().value(raw, by_hand).clamp(-MAX_EVALUATION, MAX_EVALUATION)
            }
        }
    }
}
