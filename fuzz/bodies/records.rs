// SPDX-License-Identifier: GPL-3.0-or-later
//! Any bytes as records of one size: reading ends and never panics, and what was read is written and read as
//! the same.

use formats::{bullet, marlin, sample, sample::Sample};

/// Checks one input.
pub(crate) fn check(data: &[u8]) {
    for sample in marlin::reader(data).filter_map(Result::ok) {
        assert!(marlin::decode(&marlin::encode(&sample)).is_ok_and(|again| again == sample));
        // The other formats of positions take whatever one of them has read.
        let seen = bullet::decode(&bullet::encode(&sample)).expect("a legal position from either side");
        assert!(bullet::decode(&bullet::encode(&seen)).is_ok_and(|again| again == seen));
        assert!(Sample::from_bytes(&sample.to_bytes()).is_ok_and(|again| again == sample));
    }
    for sample in bullet::reader(data).filter_map(Result::ok) {
        assert!(bullet::decode(&bullet::encode(&sample)).is_ok_and(|again| again == sample));
    }
    let file = [&sample::HEADER[..], data].concat();
    for sample in sample::reader(file.as_slice()).expect("a good header").filter_map(Result::ok) {
        assert!(Sample::from_bytes(&sample.to_bytes()).is_ok_and(|again| again == sample));
    }
}
