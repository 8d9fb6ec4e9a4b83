// SPDX-License-Identifier: GPL-3.0-or-later
//! Accumulators kept through a search equal those computed from nothing, whenever they are asked for.

use std::sync::Arc;

use features::chess::{Delta, provided};
use nnue::{Accumulators, Activation, Level, Net, Network};
use rules::{
    Color, Random,
    chess::{Board, MoveKind},
};

use crate::{
    positions::{random_move, starts},
    random::{Nature, net, shape},
    specification,
};

/// How often the special cases came up.
#[derive(Debug, Default)]
struct Seen {
    castles: usize,
    promotions: usize,
    en_passant: usize,
    nulls: usize,
    undone: usize,
    evaluated: usize,
}

/// Wanders through the tree of a position, evaluating now and then.
fn wander(random: &mut Random, net: &Net, accumulators: &mut Accumulators, start: Board, seen: &mut Seen) {
    accumulators.reset();
    let mut path = vec![start];
    for _ in 0..400 {
        let board = *path.last().expect("a position");
        match random.below(20) {
            0..6 if path.len() > 1 => {
                for _ in 0..(1 + random.below(3)).min(path.len() - 1) {
                    path.pop();
                    accumulators.pop();
                    seen.undone += 1;
                }
            }
            6 if !board.in_check() => {
                let mut child = board;
                child.play_null();
                accumulators.push(Delta::default());
                path.push(child);
                seen.nulls += 1;
            }
            _ => {
                let Some(m) = random_move(random, &board) else { continue };
                let mut child = board;
                accumulators.push(Delta::play(&mut child, m));
                path.push(child);
                seen.castles += usize::from(m.is_castle());
                seen.promotions += usize::from(m.is_promotion());
                seen.en_passant += usize::from(m.is(MoveKind::EnPassant));
            }
        }
        if random.one_in(4) {
            let board = path.last().expect("a position");
            let view = random.pick(&Color::ALL);
            if random.one_in(2) {
                let expected = specification::accumulator(net, board, view);
                assert!(
                    accumulators.values(board, view) == expected,
                    "{view} of {board} in {}",
                    net.features
                );
            }
            let expected = specification::evaluate(net, board);
            assert_eq!(accumulators.evaluate(board), expected, "{board} in {}", net.features);
            seen.evaluated += 1;
        }
    }
}

fn wander_everywhere(random: &mut Random, net: &Net, level: Level, seen: &mut Seen) {
    let network = Arc::new(Network::new(net.clone(), level).expect("a network"));
    let mut accumulators = Accumulators::new(network);
    for start in starts() {
        wander(random, net, &mut accumulators, start, seen);
    }
}

#[test]
fn every_feature_set_is_followed_through_the_tree() {
    let mut random = Random::new(1);
    let mut seen = Seen::default();
    for set in provided() {
        let mut arch = shape(128, Activation::Pairwise, &[16]);
        (arch.psqt, arch.buckets) = (true, 4);
        let net = net(&mut random, set.name, arch, Nature::Tame);
        wander_everywhere(&mut random, &net, Level::best(), &mut seen);
    }
    assert!(seen.castles > 100 && seen.promotions > 100 && seen.en_passant > 20, "{seen:?}");
    assert!(seen.nulls > 500 && seen.undone > 5_000 && seen.evaluated > 5_000, "{seen:?}");
}

#[test]
fn sets_given_as_text_are_followed_too() {
    const SETS: [&str; 5] = [
        "RelativeFile × Role × Colour",
        "King × (File × Role5 × Colour ⊕ Rank × Role5 × Colour)",
        "Square × Role × Colour ⊕ File × Role × Colour ⊕ Rank × Colour",
        "File × Role × Colour ⊕ Rank × Role × Colour, counted",
        "RelativeFile × RelativeRank × Role × Colour, rotate",
    ];
    let mut random = Random::new(2);
    for set in SETS {
        let net = net(&mut random, set, shape(128, Activation::Clipped, &[8]), Nature::Tame);
        wander_everywhere(&mut random, &net, Level::best(), &mut Seen::default());
    }
}

#[test]
fn every_level_and_width_keeps_accumulators() {
    let mut random = Random::new(3);
    for level in Level::available() {
        for width in nnue::Arch::WIDTHS {
            let net = net(&mut random, "HalfKA-hm8", shape(width, Activation::Squared, &[]), Nature::Extreme);
            let network = Arc::new(Network::new(net.clone(), level).expect("a network"));
            let mut accumulators = Accumulators::new(network);
            for start in starts().skip(1).take(2) {
                wander(&mut random, &net, &mut accumulators, start, &mut Seen::default());
            }
        }
    }
}

#[test]
fn a_long_game_is_no_trouble() {
    let mut random = Random::new(4);
    let net = net(&mut random, "HalfKA", shape(128, Activation::Clipped, &[]), Nature::Tame);
    let mut accumulators =
        Accumulators::new(Arc::new(Network::new(net.clone(), Level::best()).expect("a network")));
    let mut board = Board::start();
    for _ in 0..1000 {
        let Some(m) = random_move(&mut random, &board) else { break };
        accumulators.push(Delta::play(&mut board, m));
    }
    assert_eq!(accumulators.evaluate(&board), specification::evaluate(&net, &board));
}
