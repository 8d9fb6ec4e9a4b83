// SPDX-License-Identifier: GPL-3.0-or-later
//! Networks, visible.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use super::Colour;

/// A network at hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct NetInfo {
    /// Its name, by which requests mean it.
    pub name: String,
    /// What it looks at, as an expression.
    pub features: String,
    /// Its shape in words.
    pub architecture: String,
    /// Neurons of the accumulator of each view.
    pub width: u32,
    /// Output buckets.
    pub buckets: u32,
}

/// The output of a network taken apart. Whatever is good for White has a positive sign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Explanation {
    /// The network.
    pub net: String,
    /// The position.
    pub fen: String,
    /// The value in hundredths of a pawn.
    pub centipawns: i32,
    /// How much of it the hand-crafted evaluation added; nothing if the network judges alone.
    pub by_hand: Option<i32>,
    /// Permille of White's win, draw and Black's win.
    pub wdl: [u32; 3],
    /// The output bucket in charge, counted from 0.
    pub bucket: u32,
    /// Every piece but the kings.
    pub pieces: Vec<PieceWorth>,
    /// The accumulators: White's view, Black's view.
    pub views: [View; 2],
}

/// What a piece contributes: the value with it less the value without it, exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct PieceWorth {
    /// Where it stands.
    pub square: String,
    /// Its letter as in a FEN.
    pub piece: String,
    /// In pawns.
    pub pawns: f64,
}

/// An accumulator: the first layer of a network, seen from one side. All lists are by neuron.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct View {
    /// Whose view it is.
    pub colour: Colour,
    /// The value of each neuron before the activation.
    pub values: Vec<i16>,
    /// What each is after clipping, from 0 (silent) to 1 (full).
    pub active: Vec<f32>,
    /// What would be missing without each, in pawns.
    pub effects: Vec<f32>,
}

/// The weights of one neuron, by piece and square, with the kings where they stand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct NeuronWeights {
    /// The network.
    pub net: String,
    /// The neuron's place in the accumulator.
    pub index: u32,
    /// What it starts from.
    pub bias: i16,
    /// White's view, Black's view.
    pub views: [NeuronView; 2],
}

/// What a neuron adds for each piece on each square, in one view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct NeuronView {
    /// Whose view it is.
    pub colour: Colour,
    /// Its value in the given position.
    pub value: i16,
    /// A map for each of `PNBRQKpnbrqk`.
    pub maps: Vec<PieceMap>,
}

/// What a neuron adds for one piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct PieceMap {
    /// The piece's letter as in a FEN.
    pub piece: String,
    /// The weight on each square, a1, b1 … h8; none where the network does not see the piece.
    pub weights: Vec<Option<i32>>,
}
