// SPDX-License-Identifier: GPL-3.0-or-later
//! What inference costs on every instruction set of the CPU: `cargo bench -p nnue [-- NETWORK_FILE]`.
//!
//! Every legal move of a few positions is pushed, evaluated and popped, as a search does with siblings; boards and
//! deltas are made beforehand, so that only the network's part is measured. Without a file the network is
//! HalfKP 256x2-32-32 with random weights. Numbers are those of the
//! fastest of many short rounds, in nanoseconds: what else runs on the machine only ever adds to them.

use std::{env, hint::black_box, path::Path, sync::Arc, time::Instant};

use features::chess::{Delta, FeatureSet};
use nnue::{Accumulators, Affine, Arch, Head, Level, Net, Network, Weights, file};
use rules::{Random, chess::Board};

const ROUNDS: usize = 200;
const POSITIONS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 6",
    "r2q1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NB1N2/PP3PPP/R2Q1RK1 w - - 0 11",
    "2rq1rk1/1p3ppp/p2p1n2/4p1B1/4P1b1/1QN2P2/PPP3PP/2KR1B1R b - - 0 15",
    "8/pp3k1p/2p2pp1/3p4/3P1P2/1P2P1P1/P4K1P/8 w - - 0 30",
    "r4rk1/1bq1bppp/p2ppn2/1p6/3BPP2/2NB4/PPPQ2PP/R4R1K w - - 2 14",
    "3r2k1/p4ppp/1p2r3/2p5/2P1P3/1P3P2/P2R2PP/3R2K1 b - - 0 25",
];

/// Where neurons are looked at to put them in order, as the engine does with positions of its own.
const ELSEWHERE: [&str; 8] = [
    "r1bq1rk1/pp1nbppp/2p1pn2/3p4/2PP1B2/2N1PN2/PPQ2PPP/R3KB1R w KQ - 3 8",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "r1bqr1k1/1pp2pbp/p1np1np1/4p3/2PP4/2N1PNP1/PP3PBP/R1BQ1RK1 b - - 0 9",
    "2r2rk1/pp1bqpp1/2nppn1p/2p3N1/1bP5/1PN3P1/PBQPPPBP/3R1RK1 w - - 0 14",
    "5rk1/1p4pp/2q1p3/p2pPr2/P2P4/1P2Q1P1/5P1P/2R3K1 w - - 2 27",
    "8/1p1b2k1/p2p2p1/P1nPp1Pp/2P1P2P/2K2B2/8/3N4 b - - 5 41",
    "r2qr1k1/pb1n1pbp/1pp1p1p1/3pP3/3P1B2/2P1RN2/PPBN1PPP/R2Q2K1 b - - 4 15",
    "3rr1k1/ppp2ppp/8/5Q2/4n3/1B5R/PPP1qPP1/5RK1 b - - 0 22",
];

/// A position and all that can follow it.
struct Family {
    parent: Board,
    children: Vec<(Delta, Board)>,
}

fn families(positions: [&str; 8]) -> Vec<Family> {
    let family = |fen: &str| {
        let parent = Board::from_fen(fen).expect("a legal position");
        let child = |m| {
            let mut child = parent;
            (Delta::play(&mut child, m), child)
        };
        Family { children: parent.legal_moves().iter().map(|&m| child(m)).collect(), parent }
    };
    positions.into_iter().map(family).collect()
}

/// Nanoseconds of one call in the fastest of many rounds.
fn fastest(calls: usize, mut round: impl FnMut()) -> f64 {
    round();
    let repeats = 20_000 / calls + 1;
    let once = |_| {
        let start = Instant::now();
        (0..repeats).for_each(|_| round());
        start.elapsed().as_nanos() as f64 / (repeats * calls) as f64
    };
    (0..ROUNDS).map(once).fold(f64::INFINITY, f64::min)
}

/// Pushes, works and pops every child whose king stays in its class, or with `kings` every one whose does not.
fn siblings(
    families: &[Family],
    net: &Arc<Network>,
    kings: bool,
    mut work: impl FnMut(&mut Accumulators, &Board) -> i32,
) -> f64 {
    let features = net.features();
    let stays = |parent: &Board, child: &Board| {
        rules::Color::ALL
            .into_iter()
            .all(|view| features.class(view, parent.king(view)) == features.class(view, child.king(view)))
    };
    let mut stacks: Vec<_> = families
        .iter()
        .map(|family| {
            let mut accumulators = Accumulators::new(net.clone());
            accumulators.update(&family.parent);
            let children = family.children.iter().filter(|(_, child)| stays(&family.parent, child) != kings);
            (accumulators, children.collect::<Vec<_>>())
        })
        .collect();
    let calls = stacks.iter().map(|(_, children)| children.len()).sum();
    fastest(calls, || {
        for (accumulators, children) in &mut stacks {
            for (delta, child) in children.iter() {
                accumulators.push(*delta);
                black_box(work(accumulators, child));
                accumulators.pop();
            }
        }
    })
}

/// The network alone, on accumulators that are known.
fn forward(families: &[Family], net: &Arc<Network>) -> f64 {
    let mut stacks: Vec<_> =
        families.iter().map(|family| (Accumulators::new(net.clone()), family.parent)).collect();
    fastest(stacks.len(), || {
        for (accumulators, board) in &mut stacks {
            black_box(accumulators.evaluate(board));
        }
    })
}

/// Shares of accumulator values above zero, and of fours with at least one: what a sparse layer works on.
fn density(families: &[Family], net: &Arc<Network>) -> (f64, f64) {
    let mut accumulators = Accumulators::new(net.clone());
    let (mut neurons, mut positive, mut fours) = (0, 0, 0);
    for board in families.iter().flat_map(|family| family.children.iter().map(|(_, child)| child)) {
        accumulators.reset();
        for view in rules::Color::ALL {
            let values = accumulators.values(board, view);
            neurons += values.len();
            positive += values.iter().filter(|&&value| value > 0).count();
            fours += values.chunks(4).filter(|four| four.iter().any(|&value| value > 0)).count();
        }
    }
    (positive as f64 / neurons as f64, 4.0 * fours as f64 / neurons as f64)
}

fn random_net() -> Net {
    let features = FeatureSet::parse("HalfKP-SF12").expect("a provided set");
    let arch = Arch::seed(features.size());
    let mut random = Random::new(1);
    let mut within = |limit| random.within(limit);
    let mut affine = |(inputs, outputs)| Affine {
        bias: (0..outputs).map(|_| within(2000)).collect(),
        weights: (0..inputs * outputs).map(|_| within(40) as i16).collect(),
    };
    let heads = vec![Head { layers: arch.layers().into_iter().map(&mut affine).collect() }];
    let bias = (0..arch.width).map(|_| within(60) as i16 - 60).collect();
    let rows = (0..arch.inputs * arch.width).map(|_| within(30) as i16).collect();
    let weights = Weights { bias, rows, psqt: Vec::new(), heads };
    Net { features, arch, run: String::new(), weights }
}

#[allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]
fn main() {
    // Cargo itself adds `--bench`.
    let path = env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let mut net = match &path {
        Some(path) => file::load(Path::new(path)).expect("a network file"),
        None => random_net(),
    };
    let elsewhere = families(ELSEWHERE).into_iter().flat_map(|family| family.children);
    let boards: Vec<Board> = elsewhere.map(|(_, board)| board).collect();
    nnue::order_neurons(&mut net, &boards).expect("a network");
    let families = families(POSITIONS);
    println!("{}: {} (ns)", net.features, net.arch);
    let network = Arc::new(Network::new(net.clone(), Level::best()).expect("a network"));
    let (neurons, fours) = density(&families, &network);
    println!("{:.1} % of neurons active, {:.1} % of fours not all zero", 100.0 * neurons, 100.0 * fours);
    println!("level        update   refresh   forward   update + forward");
    for level in Level::available() {
        let net = Arc::new(Network::new(net.clone(), level).expect("a network"));
        let update = siblings(&families, &net, false, |accumulators, board| {
            accumulators.update(board);
            0
        });
        // A king's move refreshes its own view and updates the other.
        let refresh = siblings(&families, &net, true, |accumulators, board| {
            accumulators.update(board);
            0
        });
        let forward = forward(&families, &net);
        let both = siblings(&families, &net, false, |accumulators, board| accumulators.evaluate(board));
        println!("{level:<10} {update:>8.1} {refresh:>9.1} {forward:>9.1} {both:>18.1}");
    }
}
