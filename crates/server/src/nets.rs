// SPDX-License-Identifier: GPL-3.0-or-later
//! The networks at hand, and what a page may see of them.

use std::path::PathBuf;

use engine::{Evaluation, eval, wdl};
use nnue::{Net, NetError, Network};
use rules::{
    Color,
    chess::{Board, Piece, Square},
};
use thiserror::Error;

use crate::{
    core::Refused,
    message::{Explanation, NetInfo, NeuronView, NeuronWeights, PieceMap, PieceWorth, Refusal, View},
};

/// A network that cannot be used.
#[derive(Debug, Error)]
#[error("network '{path}': {source}", path = path.display())]
pub struct LoadError {
    path: PathBuf,
    source: NetError,
}

/// Networks, the one that the engine plays with first.
#[derive(Default)]
pub struct Nets {
    nets: Vec<AtHand>,
    evaluation: Evaluation,
}

struct AtHand {
    info: NetInfo,
    net: Net,
    network: Network,
}

impl Nets {
    /// Reads network files; behind them comes the network that is built in, with which the engine plays if there are
    /// no others.
    ///
    /// # Errors
    /// When one of them is no network.
    pub fn load(paths: &[PathBuf]) -> Result<Nets, LoadError> {
        let mut nets = Nets::default();
        if let Some(path) = paths.first() {
            nets.evaluation = Evaluation::File(path.clone());
        }
        for path in paths {
            let failed = |source| LoadError { path: path.clone(), source };
            let stem = path.file_stem().map_or_else(|| "net".into(), |stem| stem.to_string_lossy());
            let net = nnue::file::load(path).map_err(failed)?;
            nets.add(&stem, net).map_err(failed)?;
        }
        let failed = |source| LoadError { path: "built-in".into(), source };
        nets.add("built-in", eval::built_in_net()).map_err(failed)?;
        Ok(nets)
    }

    fn add(&mut self, name: &str, net: Net) -> Result<(), NetError> {
        let taken = |name: &str| self.nets.iter().any(|other| other.info.name == name);
        let mut free = name.to_owned();
        for number in 2.. {
            if !taken(&free) {
                break;
            }
            free = format!("{name} {number}");
        }
        self.nets.push(AtHand::new(free, net)?);
        Ok(())
    }

    /// What there is.
    pub fn infos(&self) -> Vec<NetInfo> {
        self.nets.iter().map(|at_hand| at_hand.info.clone()).collect()
    }

    /// What the engine plays with.
    pub fn evaluation(&self) -> Evaluation {
        self.evaluation.clone()
    }

    /// Takes the output of a network apart.
    ///
    /// # Errors
    /// When the position is illegal or there is no such network.
    pub fn explain(&self, name: Option<&str>, fen: &str) -> Result<Explanation, Refused> {
        let at_hand = self.find(name)?;
        let board = Board::from_fen(fen)?;
        let network = &at_hand.network;
        let trace = eval::trace_network(network, &board);
        let pawn = f64::from(network.arch().scales.pawn);
        let pieces = trace.explanation.pieces.iter().map(|part| PieceWorth {
            square: part.square.to_string(),
            piece: part.piece.letter().to_string(),
            pawns: f64::from(part.raw) / pawn,
        });
        let pieces = pieces.collect();
        let [win, draw, loss] = wdl::chances(trace.explanation.centipawns);
        let white = board.turn() == Color::White;
        Ok(Explanation {
            net: at_hand.info.name.clone(),
            fen: board.to_string(),
            centipawns: trace.white(),
            by_hand: trace.by_hand.map(|by_hand| if white { by_hand } else { -by_hand }),
            wdl: if white { [win, draw, loss] } else { [loss, draw, win] },
            bucket: trace.explanation.bucket as u32,
            pieces,
            views: Color::ALL.map(|view| at_hand.view(view, &trace.explanation.neurons[view.index()])),
        })
    }

    /// The weights of a neuron.
    ///
    /// # Errors
    /// When the position is illegal, or there is no such network or neuron.
    pub fn neuron(&self, name: Option<&str>, fen: &str, index: u32) -> Result<NeuronWeights, Refused> {
        let at_hand = self.find(name)?;
        let board = Board::from_fen(fen)?;
        let width = at_hand.net.arch.width;
        if index as usize >= width {
            let reason = format!("there is no neuron {index}, expected 0 to {}", width - 1);
            return Err(Refused::new(Refusal::Unknown, reason));
        }
        Ok(NeuronWeights {
            net: at_hand.info.name.clone(),
            index,
            bias: at_hand.net.weights.bias[index as usize],
            views: Color::ALL.map(|view| at_hand.neuron_view(view, &board, index as usize)),
        })
    }

    fn find(&self, name: Option<&str>) -> Result<&AtHand, Refused> {
        let found = match name {
            None => self.nets.first(),
            Some(name) => self.nets.iter().find(|at_hand| at_hand.info.name == name),
        };
        found.ok_or_else(|| {
            let name = name.unwrap_or_default();
            Refused::new(Refusal::Unknown, format!("there is no network '{name}'"))
        })
    }
}

impl AtHand {
    fn new(name: String, net: Net) -> Result<AtHand, NetError> {
        let network = Network::new(net.clone(), eval::level()?)?;
        let features = network.features();
        let info = NetInfo {
            name,
            features: features.name().map_or_else(|| features.to_string(), str::to_owned),
            architecture: network.arch().to_string(),
            width: network.arch().width as u32,
            buckets: network.arch().buckets as u32,
        };
        Ok(AtHand { info, net, network })
    }

    fn view(&self, colour: Color, neurons: &[nnue::Neuron]) -> View {
        let scales = &self.network.arch().scales;
        let (full, pawn) = (f32::from(scales.input), scales.pawn as f32);
        let width = neurons.len();
        let mut view = View {
            colour: colour.into(),
            values: vec![0; width],
            active: vec![0.0; width],
            effects: vec![0.0; width],
        };
        for neuron in neurons {
            view.values[neuron.index] = neuron.value;
            view.active[neuron.index] = (f32::from(neuron.value) / full).clamp(0.0, 1.0);
            view.effects[neuron.index] = neuron.effect as f32 / pawn;
        }
        view
    }

    fn neuron_view(&self, view: Color, board: &Board, index: usize) -> NeuronView {
        let width = self.net.arch.width;
        let sight = self.net.features.seen_by(view, board.king(view));
        let weight = |piece: Piece, square: Square| {
            let rows = sight.rows(piece, square);
            let sum = || {
                rows.iter().map(|&row| i32::from(self.net.weights.rows[row as usize * width + index])).sum()
            };
            (!rows.is_empty()).then(sum)
        };
        let map = |piece: Piece| PieceMap {
            piece: piece.letter().to_string(),
            weights: Square::all().map(|square| weight(piece, square)).collect(),
        };
        let mut rows = Vec::new();
        features::chess::Features::active(&self.net.features, board, view, &mut rows);
        let bias = self.net.weights.bias[index];
        let sum = rows.iter().map(|&row| self.net.weights.rows[row as usize * width + index]);
        let value = sum.fold(bias, i16::wrapping_add);
        NeuronView { colour: view.into(), value, maps: Piece::ALL.into_iter().map(map).collect() }
    }
}

#[cfg(test)]
mod tests {
    use features::chess::FeatureSet;
    use nnue::{Affine, Arch, Head, Weights, file};
    use rules::Random;

    use super::*;

    const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1";

    /// A file with a network of random weights whose view depends on the king.
    fn random_net(name: &str) -> PathBuf {
        random_net_beside(name, 0)
    }

    /// The same beside so many percent of the hand-crafted evaluation.
    fn random_net_beside(name: &str, hand_crafted: u16) -> PathBuf {
        let features = FeatureSet::parse("King x Piece").expect("a set");
        let arch = Arch { width: 128, hand_crafted, ..Arch::seed(features.size()) };
        let mut random = Random::new(3);
        let mut within = |limit| random.within(limit);
        let weights = Weights {
            bias: (0..arch.width).map(|_| within(60) as i16).collect(),
            rows: (0..arch.inputs * arch.width).map(|_| within(30) as i16).collect(),
            psqt: Vec::new(),
            heads: (0..arch.buckets)
                .map(|_| {
                    let layer = |(inputs, outputs): (usize, usize)| Affine {
                        bias: (0..outputs).map(|_| within(2000)).collect(),
                        weights: (0..inputs * outputs).map(|_| within(30) as i16).collect(),
                    };
                    Head { layers: arch.layers().into_iter().map(layer).collect() }
                })
                .collect(),
        };
        let net = Net { features, arch, run: String::new(), weights };
        let path = std::env::temp_dir().join(format!("nue-nets-{}-{name}.net", std::process::id()));
        file::save(&net, &path, file::Format::Nue, false).expect("a file");
        path
    }

    #[test]
    fn maps_of_a_neuron_add_up_to_its_value() {
        let path = random_net("maps");
        let nets = Nets::load(&[path.clone(), path.clone()]).expect("networks");
        std::fs::remove_file(path).expect("the file is there");
        let names: Vec<String> = nets.infos().into_iter().map(|info| info.name).collect();
        assert!(names[1].starts_with(&names[0]) && names[0] != names[1], "{names:?}");

        let board = Board::from_fen(FEN).expect("legal");
        let explanation = nets.explain(None, FEN).expect("an explanation");
        assert_eq!(explanation.net, names[0]);
        assert_eq!(explanation.pieces.len() as u32, board.occupied().len() - 2);
        assert_eq!(explanation.wdl.iter().sum::<u32>(), 1000);
        for index in [0, 17, 127] {
            let neuron = nets.neuron(Some(&names[1]), FEN, index).expect("a neuron");
            for (view, shown) in neuron.views.iter().zip(&explanation.views) {
                let weight = |square: Square| {
                    let piece = board.piece_on(square)?.letter().to_string();
                    let map = view.maps.iter().find(|map| map.piece == piece)?;
                    map.weights[square.index()]
                };
                let sum: i32 = Square::all().filter_map(weight).sum();
                assert_eq!(i32::from(neuron.bias) + sum, i32::from(view.value));
                assert_eq!(view.value, shown.values[index as usize]);
                assert_eq!(shown.active[index as usize] > 0.0, view.value > 0);
            }
        }
    }

    #[test]
    fn what_the_hand_crafted_evaluation_adds_is_told_apart() {
        let paths = [random_net("alone"), random_net_beside("beside", 50)];
        let nets = Nets::load(&paths).expect("networks");
        paths.iter().for_each(|path| std::fs::remove_file(path).expect("the file is there"));
        let infos = nets.infos();
        let [alone, beside] =
            [0, 1].map(|at: usize| nets.explain(Some(&infos[at].name), FEN).expect("a network"));
        // Black is to move, and everything is told for White.
        let by_hand = -(eval::evaluate(&Board::from_fen(FEN).expect("legal")) * 50 / 100);
        assert_eq!((alone.by_hand, beside.by_hand), (None, Some(by_hand)));
        assert_eq!(beside.centipawns, alone.centipawns + by_hand);
    }

    #[test]
    fn what_is_not_there_is_refused() {
        let why = |refused: Refused| refused.why;
        let none = Nets::default();
        assert_eq!(none.explain(None, FEN).map_err(why), Err(Refusal::Unknown));
        let path = random_net("refused");
        let nets = Nets::load(std::slice::from_ref(&path)).expect("a network");
        std::fs::remove_file(&path).expect("the file is there");
        assert_eq!(nets.explain(Some("nobody"), FEN).map_err(why), Err(Refusal::Unknown));
        assert_eq!(nets.explain(None, "rubbish").map_err(why), Err(Refusal::Invalid));
        assert_eq!(nets.neuron(None, FEN, 128).map_err(why), Err(Refusal::Unknown));
        assert!(Nets::load(&[path]).is_err());
    }
}
