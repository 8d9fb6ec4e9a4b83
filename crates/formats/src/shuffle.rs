// SPDX-License-Identifier: GPL-3.0-or-later
//! A random order that is the same on every machine.

use rules::Random;

/// Shuffles by Fisher and Yates: the seed decides the order.
pub(crate) fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut random = Random::new(seed);
    for last in (1..items.len()).rev() {
        items.swap(last, random.below(last + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_decides_the_order() {
        let shuffled = |seed| {
            let mut numbers: Vec<u32> = (0..50).collect();
            shuffle(&mut numbers, seed);
            numbers
        };
        assert_eq!(shuffled(1), shuffled(1));
        assert_ne!(shuffled(1), shuffled(2));
        let mut sorted = shuffled(3);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<_>>());
    }
}
