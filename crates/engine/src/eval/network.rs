// SPDX-License-Identifier: GPL-3.0-or-later
//! What a network makes of a position, for people.

use std::fmt;

use nnue::{Explanation, Network, Neuron, explain};
use rules::{
    Color,
    chess::{Board, Square},
};

use crate::wdl;

/// The output of a network taken apart; its `Display` is a board with the worth of each piece, and what
/// goes with it.
pub struct NetworkTrace<'a> {
    network: &'a Network,
    board: Board,
    /// The output and its parts.
    pub explanation: Explanation,
    /// How many neurons of each view are shown.
    pub neurons: usize,
}

/// How many neurons are shown unless somebody asks for more.
pub const NEURONS_SHOWN: usize = 6;

/// Takes the output of a network apart.
pub fn trace_network<'a>(network: &'a Network, board: &Board) -> NetworkTrace<'a> {
    NetworkTrace { network, board: *board, explanation: explain(network, board), neurons: NEURONS_SHOWN }
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
        let [win, draw, loss] = wdl::chances(*centipawns).map(|permille| f64::from(permille) / 10.0);
        writeln!(f, "{turn}'s chances  win {win:.1} %, draw {draw:.1} %, loss {loss:.1} %")?;
        let pawns = |centipawns: i32| f64::from(centipawns) / 100.0;
        write!(f, "white {:+.2}, {turn} to move {:+.2}", pawns(self.white()), pawns(*centipawns))
    }
}
