// SPDX-License-Identifier: GPL-3.0-or-later
//! Vectors on huge pages: training reads rows and gradients all over hundreds of megabytes.

use nnue::pages::reserve;

/// A vector of equal elements.
pub(crate) fn filled<T: Copy>(value: T, count: usize) -> Vec<T> {
    let mut vector = reserve(count);
    vector.resize(count, value);
    vector
}

/// Makes a vector longer or shorter; what it held may be lost.
pub(crate) fn resize<T: Copy>(vector: &mut Vec<T>, value: T, count: usize) {
    if count > vector.capacity() {
        *vector = reserve(count);
    }
    vector.resize(count, value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_have_their_elements() {
        for count in [0, 5, 5 << 20] {
            let mut vector = filled(7u8, count);
            assert!(vector.len() == count && vector.iter().all(|&byte| byte == 7));
            resize(&mut vector, 7, count + 9);
            assert!(vector.len() == count + 9 && vector.iter().all(|&byte| byte == 7));
            resize(&mut vector, 7, 3);
            assert_eq!(vector.len(), 3);
        }
    }
}
