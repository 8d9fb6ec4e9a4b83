// SPDX-License-Identifier: GPL-3.0-or-later
//! What a network makes of a position, for people.

use std::fmt;

use nnue::{Explanation, Network, Neuron, explain};
use rules::{
    Color,
    chess::{Board, Setup, Square, Wing},
};

use super::handcrafted;
use crate::wdl;

/// The output of a network taken apart; its `Display` is a board with the worth of each piece, and what
/// goes with it.
pub struct NetworkTrace<'a> {
    network: &'a Network,
    board: Board,
    /// The output and its parts. Where the network stands beside the hand-crafted evaluation, value and pieces have both,
    /// raw output and neurons the network's own.
    pub explanation: Explanation,
    /// What the hand-crafted evaluation added, in hundredths of a pawn for the side to move; nothing if the network
    /// judges alone.
    pub by_hand: Option<i32>,
    /// How many neurons of each view are shown.
    pub neurons: usize,
}

/// How many neurons are shown unless somebody asks for more.
pub const NEURONS_SHOWN: usize = 6;

/// Takes the output of a network apart.
pub fn trace_network<'a>(network: &'a Network, board: &Board) -> NetworkTrace<'a> {
    let mut explanation = explain(network, board);
    let by_hand = (network.arch().hand_crafted > 0).then(|| {
        add_parts_by_hand(network, board, &mut explanation);
        let raw = explanation.raw;
        explanation.centipawns = network.value(raw, || handcrafted::evaluate(board));
        explanation.centipawns - network.centipawns(raw)
    });
    NetworkTrace { network, board: *board, explanation, by_hand, neurons: NEURONS_SHOWN }
}

/// Adds what the hand-crafted evaluation gives for each piece to what the network gives for it; nothing for the few pieces
/// without which either side could take a king.
fn add_parts_by_hand(network: &Network, board: &Board, explanation: &mut Explanation) {
    let whole = white_by_hand(board);
    for part in &mut explanation.pieces {
        let Some(rest) = without(board, part.square) else { continue };
        let centipawns = i64::from(network.share_by_hand(|| whole - white_by_hand(&rest)));
        let raw = i64::from(part.raw) + centipawns * i64::from(network.arch().scales.pawn) / 100;
        part.raw = raw.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    }
}

/// The hand-crafted evaluation for White.
fn white_by_hand(board: &Board) -> i32 {
    let value = handcrafted::evaluate(board);
    if board.turn() == Color::White { value } else { -value }
}

/// The position without a piece. Where a king could then be taken, the other side is to move, whatever that is worth.
fn without(board: &Board, square: Square) -> Option<Board> {
    let mut setup = Setup { en_passant: None, ..Setup::from(board) };
    setup.squares[square.index()] = None;
    for (color, wing) in Color::ALL.into_iter().flat_map(|color| Wing::ALL.map(|wing| (color, wing))) {
        if setup.castling.rook(color, wing) == Some(square) {
            setup.castling.remove(color, wing);
        }
    }
    Board::from_setup(&setup).ok().or_else(|| {
        setup.turn = !setup.turn;
        Board::from_setup(&setup).ok()
    })
}

impl NetworkTrace<'_> {
    /// The value in hundredths of a pawn for White.
    pub fn white(&self) -> i32 {
        match self.explanation.turn {
            Color::White => self.explanation.centipawns,
            Color::Black => -self.explanation.centipawns,
        }
    }

    fn pawns(&self, raw: i32) -> String {
        format!("{:+.2}", f64::from(raw) / f64::from(self.network.arch().scales.pawn))
    }

    /// The worth of what stands on a square; nothing for kings and empty squares.
    fn worth(&self, square: Square) -> String {
        let part = self.explanation.pieces.iter().find(|part| part.square == square);
        part.map(|part| self.pawns(part.raw)).unwrap_or_default()
    }

    fn write_board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frame = format!("  +{}+", "-".repeat(8 * 7 + 1));
        writeln!(f, "{frame}")?;
        for rank in (0..8).rev() {
            let squares = || (0..8).map(move |file| Square::at(file, rank));
            let letter = |square| self.board.piece_on(square).map_or('.', |piece| piece.letter());
            let letters: String = squares().map(|square| format!("{:^7}", letter(square))).collect();
            let worths: String = squares().map(|square| format!("{:^7}", self.worth(square))).collect();
            writeln!(f, "{} |{letters} |\n  |{worths} |", rank + 1)?;
        }
        writeln!(f, "{frame}")?;
        let files: String = ('a'..='h').map(|file| format!("{file:^7}")).collect();
        writeln!(f, "   {}", files.trim_end())
    }

    fn write_neurons(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (view, neurons) in Color::ALL.iter().zip(&self.explanation.neurons) {
            write!(f, "neurons of {view}")?;
            for Neuron { index, value, effect } in &neurons[..self.neurons.min(neurons.len())] {
                write!(f, "  #{index} {value} ({})", self.pawns(*effect))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for NetworkTrace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Explanation { raw, centipawns, turn, bucket, .. } = &self.explanation;
        self.write_board(f)?;
        writeln!(f, "Below a piece: the value with it less the value without it, in pawns for White.")?;
        writeln!(f, "After a neuron: its value, and in pawns for White what would be missing without it.\n")?;
        self.write_neurons(f)?;
        let (features, arch) = (self.network.features(), self.network.arch());
        let name = features.name().map_or_else(|| features.to_string(), str::to_owned);
        writeln!(f, "network          {name}: {arch}")?;
        writeln!(f, "output bucket    {} of {}", bucket + 1, arch.buckets)?;
        writeln!(f, "raw output       {raw:+} for {turn} to move")?;
        let pawns = |centipawns: i32| f64::from(centipawns) / 100.0;
        if let Some(by_hand) = self.by_hand {
            let added = pawns(by_hand);
            writeln!(f, "added by hand    {added:+.2} for {turn} to move (see nue eval --net hand-crafted)")?;
        }
        let [win, draw, loss] = wdl::chances(*centipawns).map(|permille| f64::from(permille) / 10.0);
        writeln!(f, "{turn}'s chances  win {win:.1} %, draw {draw:.1} %, loss {loss:.1} %")?;
        write!(f, "white {:+.2}, {turn} to move {:+.2}", pawns(self.white()), pawns(*centipawns))
    }
}

#[cfg(test)]
mod tests {
    use nnue::Level;
    use rules::chess::Role;

    use super::*;
    use crate::{
        bench,
        eval::{Evaluator, built_in_net},
    };

    /// The built-in network alone, and beside the hand-crafted evaluation.
    fn networks() -> [Network; 2] {
        [0, 120].map(|percent| {
            let mut net = built_in_net();
            net.arch.hand_crafted = percent;
            Network::new(net, Level::best()).expect("a network")
        })
    }

    #[test]
    fn both_evaluations_are_added_in_the_search_and_for_people() {
        let [alone, beside] = networks();
        let beside = std::sync::Arc::new(beside);
        let mut evaluator = Evaluator::new(Some(&beside));
        for board in bench::positions() {
            evaluator.reset();
            for &m in &board.legal_moves() {
                let child = evaluator.play(&board, m);
                let network = alone.centipawns(alone.evaluate(&child));
                let by_hand = handcrafted::evaluate(&child) * 120 / 100;
                assert_eq!(evaluator.evaluate(&child), network + by_hand, "{child}");
                evaluator.pop();
            }
        }
        let board = Board::start();
        let (trace, bare) = (trace_network(&beside, &board), trace_network(&alone, &board));
        let by_hand = handcrafted::evaluate(&board) * 120 / 100;
        assert_eq!((trace.by_hand, bare.by_hand), (Some(by_hand), None));
        assert_eq!(trace.explanation.centipawns, bare.explanation.centipawns + by_hand);
        assert!(trace.to_string().contains("added by hand"));
    }

    #[test]
    fn a_piece_is_worth_what_both_evaluations_lose_without_it() {
        let [alone, beside] = networks();
        // Without the knight on e5 White's rook would give check, and without the rook on h8 Black could not castle there.
        for fen in
            ["4k2r/8/8/4N3/8/8/8/R3RK2 w k - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"]
        {
            let board: Board = fen.parse().expect(fen);
            let parts = |network| trace_network(network, &board).explanation.pieces;
            for (with, without) in parts(&beside).iter().zip(&parts(&alone)) {
                let sign = if with.piece.color() == Color::White { 1 } else { -1 };
                let by_hand = sign * (with.raw - without.raw) * 100 / beside.arch().scales.pawn;
                let least = if with.piece.role() == Role::Pawn { 20 } else { 150 };
                assert!(by_hand > least, "{fen}: {with:?} is worth {by_hand} more");
            }
        }
    }
}
