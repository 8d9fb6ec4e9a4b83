// SPDX-License-Identifier: GPL-3.0-or-later
//! Memory for weights, on large pages where the system gives them.
//!
//! A network reads rows all over tens of megabytes; with pages of 4 KiB nearly each of them misses the
//! translation buffer.
#![allow(unsafe_code, reason = "advice to the kernel about a range of memory")]

/// Below this size large pages are not worth asking for.
const LARGE: usize = 2 << 20;

/// An empty vector with room for exactly `capacity` elements, or none if the memory is not to be had.
pub(crate) fn reserve<T>(capacity: usize) -> Option<Vec<T>> {
    let mut vector: Vec<T> = Vec::new();
    vector.try_reserve_exact(capacity).ok()?;
    advise(vector.as_mut_ptr().cast(), capacity * size_of::<T>());
    Some(vector)
}

/// Asks for large pages before the memory is touched first; being refused does no harm.
#[cfg(target_os = "linux")]
fn advise(start: *mut u8, bytes: usize) {
    let offset = start.align_offset(LARGE);
    if bytes < LARGE || offset >= bytes - LARGE {
        return;
    }
    // SAFETY: `offset` is below the size of the allocation that begins at `start`.
    let aligned = unsafe { start.add(offset) };
    // SAFETY: the range lies inside one allocation of ours, and this advice changes no content.
    unsafe { libc::madvise(aligned.cast(), bytes - offset, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise(_: *mut u8, _: usize) {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::I16s;

    #[test]
    fn reserved_memory_is_aligned_and_large_enough() {
        for bytes in [64, LARGE - 64, LARGE, 5 * LARGE] {
            let mut lines = reserve::<I16s>(bytes / 64).expect("a few megabytes");
            lines.resize(bytes / 64, I16s::ZERO);
            assert_eq!(lines.as_ptr().addr() % 64, 0);
        }
    }

    #[test]
    fn memory_that_does_not_exist_is_refused() {
        assert!(reserve::<I16s>(usize::MAX / 128).is_none());
    }
}
