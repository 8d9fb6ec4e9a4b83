// SPDX-License-Identifier: GPL-3.0-or-later
//! The mean of networks, number by number.

use nnue::{Activation, Arch, Net, NetError, mean};
use rules::Random;

use crate::random::{Nature, net, shape};

fn arch() -> Arch {
    Arch { buckets: 3, psqt: true, ..shape(128, Activation::Clipped, &[16, 8]) }
}

/// All numbers of a network.
fn numbers(net: &Net) -> Vec<i64> {
    let weights = &net.weights;
    let short = [&weights.bias, &weights.rows].into_iter().flatten().map(|&number| i64::from(number));
    let long = weights.psqt.iter().map(|&number| i64::from(number));
    let layers = weights.heads.iter().flat_map(|head| &head.layers).flat_map(|layer| {
        let bias = layer.bias.iter().map(|&number| i64::from(number));
        bias.chain(layer.weights.iter().map(|&number| i64::from(number)))
    });
    short.chain(long).chain(layers).collect()
}

#[test]
fn every_number_is_the_nearest_to_the_mean() {
    let mut random = Random::new(11);
    let nets: Vec<Net> = (0..4).map(|_| net(&mut random, "Compact", arch(), Nature::Extreme)).collect();
    for count in 1..=nets.len() {
        let found = mean(&nets[0], &nets[1..count]).expect("a mean");
        let lists: Vec<Vec<i64>> = nets[..count].iter().map(numbers).collect();
        for (at, found) in numbers(&found).into_iter().enumerate() {
            let sum: i64 = lists.iter().map(|list| list[at]).sum();
            assert_eq!(found as f64, (sum as f64 / count as f64).round());
        }
        assert_eq!(found.run.matches("random weights").count(), count, "{}", found.run);
    }
}

#[test]
fn another_shape_is_refused() {
    let mut random = Random::new(12);
    let mut of = |features, arch| net(&mut random, features, arch, Nature::Tame);
    let (first, like, narrow) = (of("Compact", arch()), of("Compact", arch()), of("Piece", arch()));
    assert!(matches!(mean(&first, &[like.clone(), narrow]), Err(NetError::Unlike(1))));
    let bare = of("Compact", Arch { psqt: false, ..arch() });
    assert!(matches!(mean(&first, &[bare, like.clone()]), Err(NetError::Unlike(0))));
    let beside = of("Compact", Arch { hand_crafted: 50, ..arch() });
    assert!(matches!(mean(&first, &[beside, like]), Err(NetError::Unlike(0))));
}
