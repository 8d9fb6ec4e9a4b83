// SPDX-License-Identifier: GPL-3.0-or-later
//! Why a network says what it says: what each piece and each neuron of a position does to the output.
//!
//! Nothing here is estimated. A piece is taken off the board and the network asked again, a neuron is set
//! to zero and the layers behind it run again; the difference is its part. Since the network is not linear
//! the parts need not add up to the whole.

use std::{cmp::Reverse, mem};

use features::chess::Features;
use rules::{
    Color,
    chess::{Board, Piece, Square},
};

use crate::{
    Network,
    forward::Scratch,
    lines::{I16s, I32s},
};

/// An output taken apart.
///
/// The output itself is that of the side to move; all parts are seen by White, so that whatever is good for
/// White has a positive sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The output for the side to move.
    pub raw: i32,
    /// The output in hundredths of a pawn for the side to move.
    pub centipawns: i32,
    /// The side to move.
    pub turn: Color,
    /// The output bucket.
    pub bucket: usize,
    /// Every piece but the kings, without which there is no output to compare with; a1 first.
    pub pieces: Vec<Contribution>,
    /// The accumulator of White's view and that of Black's, strongest effect first.
    pub neurons: [Vec<Neuron>; 2],
}

/// What a piece does to the output.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// The piece.
    pub piece: Piece,
    /// Where it stands.
    pub square: Square,
    /// The output with it less the output without it, for White. With one piece less another output bucket
    /// may be in charge.
    pub raw: i32,
}

/// What a neuron of an accumulator does to the output.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Neuron {
    /// Its place in the accumulator.
    pub index: usize,
    /// Its value before the activation.
    pub value: i16,
    /// The output with it less the output with zero in its place, for White.
    pub effect: i32,
}

/// Takes the output for a position apart.
pub fn explain(net: &Network, board: &Board) -> Explanation {
    let piece_on = |square| board.piece_on(square).map(|piece| (piece, square));
    let pieces: Vec<(Piece, Square)> = Square::all().filter_map(piece_on).collect();
    let raw = net.evaluate(board);
    let part = |without: i32| match board.turn() {
        Color::White => raw.saturating_sub(without),
        Color::Black => without.saturating_sub(raw),
    };
    let contribution = |&(piece, square): &(Piece, Square)| {
        let rest: Vec<_> = pieces.iter().copied().filter(|&(_, other)| other != square).collect();
        let without = net.evaluate_pieces(&rest, board.turn())?;
        Some(Contribution { piece, square, raw: part(without) })
    };
    Explanation {
        raw,
        centipawns: net.centipawns(raw),
        turn: board.turn(),
        bucket: net.bucket(board),
        pieces: pieces.iter().filter_map(contribution).collect(),
        neurons: Layer::of(net, board).neurons(part),
    }
}

/// The accumulators of a position, White's view first, whose neurons can be switched off.
struct Layer<'a> {
    net: &'a Network,
    board: &'a Board,
    views: [Vec<I16s>; 2],
    direct: [I32s; 2],
    scratch: Box<Scratch>,
}

impl<'a> Layer<'a> {
    fn of(net: &'a Network, board: &'a Board) -> Layer<'a> {
        let mut layer = Layer {
            net,
            board,
            views: [net.bias.clone(), net.bias.clone()],
            direct: [I32s::ZERO; 2],
            scratch: Scratch::new(),
        };
        for view in Color::ALL {
            let mut active = Vec::new();
            Features::active(net.features(), board, view, &mut active);
            net.paths.update(&net.rows, &net.bias, &mut layer.views[view.index()], [&active, &[]]);
            layer.direct[view.index()] = net.shifted_psqt(&I32s::ZERO, [&active, &[]]);
        }
        layer
    }

    fn neurons(mut self, part: impl Fn(i32) -> i32) -> [Vec<Neuron>; 2] {
        Color::ALL.map(|view| {
            let mut neurons: Vec<Neuron> = (0..self.net.arch().width)
                .map(|index| {
                    let value = self.replace(view, index, 0);
                    let effect = part(self.output());
                    self.replace(view, index, value);
                    Neuron { index, value, effect }
                })
                .collect();
            neurons.sort_by_key(|neuron| Reverse(neuron.effect.unsigned_abs()));
            neurons
        })
    }

    /// Gives a neuron another value and returns the one it had.
    fn replace(&mut self, view: Color, index: usize, value: i16) -> i16 {
        let line = &mut self.views[view.index()][index / I16s::LEN];
        mem::replace(&mut line.0[index % I16s::LEN], value)
    }

    fn output(&mut self) -> i32 {
        let sides = [self.board.turn(), !self.board.turn()];
        let views = sides.map(|side| &self.views[side.index()][..]);
        let direct = sides.map(|side| &self.direct[side.index()]);
        self.net.forward(views, direct, self.net.bucket(self.board), &mut self.scratch)
    }
}

#[cfg(test)]
mod tests {
    use features::chess::FeatureSet;
    use rules::{Random, chess::Role};

    use super::*;
    use crate::{Activation, Affine, Arch, Head, Level, Net, Scales, Weights};

    /// A network with weights that look random, and that sees several pieces as one.
    fn network(activation: Activation, hidden: &[usize]) -> Network {
        let features = FeatureSet::parse("Piece + File x Role x Colour").expect("a set");
        let arch = Arch {
            width: 128,
            activation,
            hidden: hidden.to_vec(),
            buckets: 8,
            psqt: true,
            scales: Scales { input: 127, hidden: 64, output: 8128, pawn: 1600 },
            ..Arch::seed(features.size())
        };
        let mut random = Random::new(1);
        let mut within = |limit| random.within(limit);
        let weights = Weights {
            bias: (0..arch.width).map(|_| within(60) as i16).collect(),
            rows: (0..arch.inputs * arch.width).map(|_| within(30) as i16).collect(),
            psqt: (0..arch.inputs * arch.buckets).map(|_| within(500)).collect(),
            heads: (0..arch.buckets)
                .map(|_| Head {
                    layers: arch
                        .layers()
                        .into_iter()
                        .map(|(inputs, outputs)| Affine {
                            bias: (0..outputs).map(|_| within(2000)).collect(),
                            weights: (0..inputs * outputs).map(|_| within(30) as i16).collect(),
                        })
                        .collect(),
                })
                .collect(),
        };
        let net = Net { features, arch, run: String::new(), weights };
        Network::new(net, Level::best()).expect("a network")
    }

    fn networks() -> [Network; 3] {
        [
            network(Activation::Clipped, &[16, 32]),
            network(Activation::Pairwise, &[8]),
            network(Activation::Squared, &[]),
        ]
    }

    /// Both sides to move, and a count of pieces at the border of two buckets.
    const POSITIONS: [&str; 3] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        "4k3/3pp3/8/8/8/8/3P4/4K3 b - - 0 1",
    ];

    #[test]
    fn a_contribution_is_the_output_with_a_piece_less_the_output_without_it() {
        for (net, fen) in networks().iter().flat_map(|net| POSITIONS.map(|fen| (net, fen))) {
            let board = Board::from_fen(fen).expect(fen);
            let explanation = explain(net, &board);
            assert_eq!(explanation.raw, net.evaluate(&board));
            assert_eq!(explanation.centipawns, net.centipawns(explanation.raw));
            assert_eq!(explanation.bucket, net.bucket(&board));
            assert_eq!(explanation.pieces.len() as u32, board.occupied().len() - 2);
            assert!(explanation.pieces.iter().any(|part| part.raw != 0), "{fen}");
            for part in &explanation.pieces {
                assert_eq!(board.piece_on(part.square), Some(part.piece));
                assert_ne!(part.piece.role(), Role::King);
                let rest: Vec<_> = board
                    .occupied()
                    .into_iter()
                    .filter(|&square| square != part.square)
                    .filter_map(|square| Some((board.piece_on(square)?, square)))
                    .collect();
                let without = net.evaluate_pieces(&rest, board.turn()).expect("both kings are there");
                let sign = if board.turn() == Color::White { 1 } else { -1 };
                assert_eq!(part.raw, sign * (explanation.raw - without), "{fen} {}", part.square);
            }
        }
    }

    #[test]
    fn neurons_have_their_values_and_the_strongest_come_first() {
        for (net, fen) in networks().into_iter().map(std::sync::Arc::new).zip(POSITIONS) {
            let board = Board::from_fen(fen).expect(fen);
            let explanation = explain(&net, &board);
            let mut accumulators = crate::Accumulators::new(net);
            for view in Color::ALL {
                let values = accumulators.values(&board, view);
                let neurons = &explanation.neurons[view.index()];
                assert_eq!(neurons.len(), values.len());
                assert!(neurons.iter().all(|neuron| values[neuron.index] == neuron.value), "{fen}");
                assert!(neurons.is_sorted_by_key(|neuron| Reverse(neuron.effect.unsigned_abs())), "{fen}");
                assert_ne!(neurons[0].effect, 0, "{fen}");
                // Activations clip at zero: what is below says nothing.
                let silent = |neuron: &&Neuron| neuron.value <= 0;
                assert!(neurons.iter().filter(silent).all(|neuron| neuron.effect == 0), "{fen}");
                assert!(neurons.iter().any(|neuron| neuron.value < 0), "{fen}");
            }
        }
    }

    #[test]
    fn exchanged_colors_exchange_the_parts() {
        let net = network(Activation::Clipped, &[16, 32]);
        let white = explain(&net, &Board::from_fen("4k3/3p4/8/8/8/5N2/8/4K3 w - - 0 1").expect("legal"));
        let black = explain(&net, &Board::from_fen("4k3/8/5n2/8/8/8/3P4/4K3 b - - 0 1").expect("legal"));
        assert_eq!(white.raw, black.raw);
        for part in &white.pieces {
            let exchanged = Contribution {
                piece: Piece::new(!part.piece.color(), part.piece.role()),
                square: part.square.relative(Color::Black),
                raw: -part.raw,
            };
            assert!(black.pieces.contains(&exchanged), "{exchanged:?}");
        }
        let effects = |neurons: &[Neuron]| neurons.iter().map(|neuron| neuron.effect).collect::<Vec<_>>();
        let negated = |neurons: &[Neuron]| neurons.iter().map(|neuron| -neuron.effect).collect::<Vec<_>>();
        assert_eq!(effects(&white.neurons[0]), negated(&black.neurons[1]));
        assert_eq!(effects(&white.neurons[1]), negated(&black.neurons[0]));
    }
}
