// SPDX-License-Identifier: GPL-3.0-or-later
//! Every shape on every instruction set equals the specification.

use nnue::{Activation, Arch, Level, Net, Network, Room};
use rules::{
    Random,
    chess::{Board, Role, Square},
};

use crate::{
    positions::sample,
    random::{Nature, net, shape},
    specification,
};

fn assert_equal_everywhere(net: &Net, boards: &[Board]) {
    let expected: Vec<i32> = boards.iter().map(|board| specification::evaluate(net, board)).collect();
    for level in Level::available() {
        let network = Network::new(net.clone(), level).expect("a network");
        for (board, &expected) in boards.iter().zip(&expected) {
            assert_eq!(network.evaluate(board), expected, "{} on {level}: {board}", net.arch);
        }
    }
}

#[test]
fn every_width_and_activation_equals_the_specification() {
    let mut random = Random::new(1);
    for width in Arch::WIDTHS {
        for activation in Activation::ALL {
            for hidden in [&[][..], &[16], &[32, 32]] {
                for nature in [Nature::Tame, Nature::Extreme] {
                    let net = net(&mut random, "Piece", shape(width, activation, hidden), nature);
                    assert_equal_everywhere(&net, &sample(&mut random, 2));
                }
            }
        }
    }
}

#[test]
fn every_kind_of_hidden_layer_equals_the_specification() {
    let mut random = Random::new(2);
    for hidden in [&[1][..], &[7, 64], &[64, 1, 17], &[33, 48], &[16, 32, 5], &[64, 64, 64]] {
        for hidden_activation in [Activation::Clipped, Activation::Squared] {
            for (scale, nature) in [(2, Nature::Tame), (64, Nature::Tame), (128, Nature::Extreme)] {
                let mut arch = shape(128, random.pick(&Activation::ALL), hidden);
                (arch.hidden_activation, arch.scales.hidden) = (hidden_activation, scale);
                let net = net(&mut random, "Piece", arch, nature);
                assert_equal_everywhere(&net, &sample(&mut random, 3));
            }
        }
    }
}

#[test]
fn a_layer_taken_twofold_equals_the_specification() {
    let mut random = Random::new(12);
    for hidden in [&[16, 32][..], &[2, 8], &[9, 33, 5], &[16, 64, 64]] {
        for (scale, nature) in [(2, Nature::Tame), (64, Nature::Tame), (256, Nature::Extreme)] {
            let mut arch = shape(256, random.pick(&Activation::ALL), hidden);
            (arch.twofold, arch.scales.hidden, arch.buckets) = (true, scale, 2);
            let mut net = net(&mut random, "Piece", arch, nature);
            assert_equal_everywhere(&net, &sample(&mut random, 3));
            // What the last neuron says is heard.
            let board = Board::start();
            let before = specification::evaluate(&net, &board);
            for head in &mut net.weights.heads {
                head.layers[0].bias[hidden[0] - 1] /= 2;
            }
            assert_ne!(specification::evaluate(&net, &board), before, "{}", net.arch);
        }
    }
}

#[test]
fn sums_at_the_brink_of_16_bits_equal_the_specification() {
    let mut random = Random::new(8);
    for _ in 0..20 {
        let net = net(&mut random, "Piece", shape(128, Activation::Clipped, &[32, 16]), Nature::Brink);
        assert_equal_everywhere(&net, &sample(&mut random, 1));
    }
}

#[test]
fn buckets_and_direct_weights_equal_the_specification() {
    let mut random = Random::new(3);
    for buckets in [1, 2, 7, 8, 16] {
        for hidden in [&[][..], &[16, 32]] {
            let mut arch = shape(256, Activation::Pairwise, hidden);
            (arch.buckets, arch.psqt) = (buckets, true);
            let net = net(&mut random, "HalfKAv2-hm", arch, Nature::Tame);
            assert_equal_everywhere(&net, &sample(&mut random, 10));
        }
    }
}

#[test]
fn any_input_scale_equals_the_specification() {
    let mut random = Random::new(4);
    for input in [1, 2, 11, 64, 126, 127, 128, 181, 254, 255] {
        for activation in Activation::ALL {
            for hidden in [&[][..], &[16]] {
                let mut arch = shape(128, activation, hidden);
                arch.scales.input = input;
                if input > 127 && activation == Activation::Clipped && !hidden.is_empty() {
                    continue; // bytes of dense layers end at 127
                }
                let net = net(&mut random, "Piece", arch, Nature::Tame);
                assert_equal_everywhere(&net, &sample(&mut random, 2));
            }
        }
    }
}

#[test]
fn random_networks_do_not_all_say_the_same() {
    // Guards the other tests: equal outputs would prove little if they did not depend on the position.
    let mut random = Random::new(5);
    for hidden in [&[][..], &[32, 32]] {
        let net = net(&mut random, "HalfKP-SF12", shape(256, Activation::Clipped, hidden), Nature::Tame);
        let boards = sample(&mut random, 10);
        let mut outputs: Vec<i32> = boards.iter().map(|board| specification::evaluate(&net, board)).collect();
        outputs.sort_unstable();
        outputs.dedup();
        assert!(outputs.len() > boards.len() / 2, "{} of {}", outputs.len(), boards.len());
    }
}

#[test]
fn diagrams_are_evaluated_without_being_positions() {
    let mut random = Random::new(6);
    let net = net(&mut random, "HalfKP-SF12", Arch::seed(0), Nature::Tame);
    let network = Network::new(net, Level::best()).expect("a network");
    let board = Board::start();
    let piece = |square| board.piece_on(square).map(|piece| (piece, square));
    let mut pieces: Vec<_> = Square::all().filter_map(piece).collect();
    assert_eq!(network.evaluate_pieces(&pieces, board.turn()), Some(network.evaluate(&board)));
    pieces.retain(|&(piece, _)| piece.role() != Role::Queen);
    let queenless =
        Board::from_fen("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1").expect("legal");
    assert_eq!(network.evaluate_pieces(&pieces, board.turn()), Some(network.evaluate(&queenless)));
    pieces.retain(|&(piece, _)| piece.role() != Role::King);
    assert_eq!(network.evaluate_pieces(&pieces, board.turn()), None);
}

#[test]
fn networks_of_different_shapes_share_a_room() {
    let mut random = Random::new(8);
    let shapes = [
        shape(512, Activation::Clipped, &[32, 32]),
        shape(128, Activation::Clipped, &[7]),
        shape(1024, Activation::Pairwise, &[16, 32]),
        shape(256, Activation::Squared, &[]),
        Arch { buckets: 8, psqt: true, ..shape(128, Activation::Squared, &[8, 8, 8]) },
    ];
    let nets: Vec<Net> =
        shapes.into_iter().map(|arch| net(&mut random, "HalfKP", arch, Nature::Tame)).collect();
    let boards = sample(&mut random, 20);
    for level in Level::available() {
        let mut room = Room::new();
        let networks: Vec<Network> =
            nets.iter().map(|net| Network::new(net.clone(), level).expect("a network")).collect();
        for board in &boards {
            let piece = |square| board.piece_on(square).map(|piece| (piece, square));
            let pieces: Vec<_> = Square::all().filter_map(piece).collect();
            for (network, net) in networks.iter().zip(&nets) {
                let found = network.evaluate_pieces_in(&mut room, &pieces, board.turn());
                assert_eq!(found, Some(specification::evaluate(net, board)), "{} on {level}", net.arch);
            }
        }
    }
}

#[test]
fn a_network_that_could_overflow_is_refused() {
    let mut random = Random::new(7);
    let mut net = net(&mut random, "Piece", shape(128, Activation::Squared, &[]), Nature::Tame);
    let refusal = |net: &Net| Network::new(net.clone(), Level::Scalar).expect_err("a refusal").to_string();

    net.weights.heads[0].layers[0].weights[5] = 129;
    assert_eq!(
        refusal(&net),
        "an output weight times its activation can reach 32895, expected at most 32767"
    );
    net.weights.heads[0].layers[0].weights[5] = 0;
    net.weights.heads[0].layers[0].bias[0] = i32::MIN;
    assert!(refusal(&net).starts_with("a layer's sum can reach 214"), "{}", refusal(&net));
    net.weights.heads[0].layers[0].bias[0] = 0;
    net.arch.inputs = 767;
    assert_eq!(
        refusal(&net),
        "the features 'Square × Role × Colour' have 768 indices, the network takes 767"
    );
}

#[test]
fn the_order_of_neurons_makes_no_difference() {
    let mut random = Random::new(11);
    for activation in Activation::ALL {
        for hidden in [&[][..], &[16, 8]] {
            let mut arch = shape(128, activation, hidden);
            arch.buckets = 3;
            let net = net(&mut random, "Piece", arch, Nature::Tame);
            let mut ordered = net.clone();
            nnue::order_neurons(&mut ordered, &sample(&mut random, 20)).expect("a network");
            assert_eq!(ordered == net, hidden.is_empty(), "{}", net.arch);
            for board in sample(&mut random, 20) {
                assert_eq!(
                    specification::evaluate(&ordered, &board),
                    specification::evaluate(&net, &board),
                    "{} at {board}",
                    net.arch
                );
            }
        }
    }
}
