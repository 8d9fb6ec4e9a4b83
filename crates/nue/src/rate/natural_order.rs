// SPDX-License-Identifier: GPL-3.0-or-later
//! Names in the order in which people count: `net-9` before `net-10`.

use std::cmp::Ordering;

/// Compares two names; runs of digits count as numbers.
pub(crate) fn compare(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        let (first, second) = (part(a), part(b));
        let order = match (number(first), number(second)) {
            (Some(first), Some(second)) => first.len().cmp(&second.len()).then(first.cmp(second)),
            _ => first.cmp(second),
        };
        if order != Ordering::Equal || first.is_empty() {
            return order.then(a.cmp(b));
        }
        (a, b) = (&a[first.len()..], &b[second.len()..]);
    }
}

/// The digits or the other letters that a name begins with.
fn part(name: &str) -> &str {
    let is_digit = |c: char| c.is_ascii_digit();
    let digits = name.starts_with(is_digit);
    let end = name.find(|c: char| c.is_ascii_digit() != digits).unwrap_or(name.len());
    &name[..end]
}

/// The digits of a number without leading zeros.
fn number(part: &str) -> Option<&str> {
    part.starts_with(|c: char| c.is_ascii_digit()).then(|| part.trim_start_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_count_so() {
        let sorted = ["", "a", "a1", "a2", "a2b", "a10", "a010b", "b1-9", "b1-10", "b2"];
        for (index, a) in sorted.iter().enumerate() {
            for (other, b) in sorted.iter().enumerate() {
                assert_eq!(compare(a, b), index.cmp(&other), "{a} {b}");
            }
        }
    }
}
