// SPDX-License-Identifier: GPL-3.0-or-later
//! Memory for large tables, on huge pages where the system gives them.
//!
//! A network reads rows all over tens of megabytes, and a search its tables; with pages of 4 KiB nearly each of
//! these reads also misses the translation buffer of the CPU.
#![allow(unsafe_code, reason = "memory from the allocator, advice to the kernel and the CPU")]

use std::{
    alloc::{Layout, alloc, dealloc},
    ops::{Deref, DerefMut},
    ptr::NonNull,
};

use crate::lines::Line;

/// Pages are asked for in this size, and every table begins with one.
const HUGE_PAGE: usize = 2 << 20;

/// A type of which zero bytes are a value, and which need not be dropped.
///
/// # Safety
/// Both must hold.
pub unsafe trait Zeroed {}

// SAFETY: zero is a number.
unsafe impl Zeroed for i16 {}
// SAFETY: zero is a number.
unsafe impl Zeroed for i32 {}
// SAFETY: an array holds nothing but its elements.
unsafe impl<T: Zeroed, const N: usize> Zeroed for [T; N] {}
// SAFETY: a line holds nothing but its content.
unsafe impl<T: Zeroed> Zeroed for Line<T> {}

/// A slice that owns its memory.
pub struct Pages<T: Zeroed> {
    memory: NonNull<T>,
    count: usize,
}

// SAFETY: the memory belongs to this value alone, as with a box.
unsafe impl<T: Zeroed + Send> Send for Pages<T> {}
// SAFETY: as with a box.
unsafe impl<T: Zeroed + Sync> Sync for Pages<T> {}

impl<T: Zeroed> Pages<T> {
    fn layout(count: usize) -> Option<Layout> {
        let bytes = size_of::<T>().checked_mul(count)?.checked_next_multiple_of(HUGE_PAGE)?;
        Layout::from_size_align(bytes, HUGE_PAGE.max(align_of::<T>())).ok()
    }

    /// `count` values of zero bytes, or none if the memory is not to be had.
    pub fn zeroed(count: usize) -> Option<Pages<T>> {
        let layout = Self::layout(count)?;
        if layout.size() == 0 {
            return Some(Pages { memory: NonNull::dangling(), count });
        }
        // SAFETY: the layout is not empty.
        let memory = NonNull::new(unsafe { alloc(layout) })?;
        // The advice has to come before the memory is written first: then it would have its pages already.
        advise(memory.as_ptr(), layout.size());
        // SAFETY: the range was just allocated, in this size.
        unsafe { memory.write_bytes(0, layout.size()) };
        Some(Pages { memory: memory.cast(), count })
    }
}

impl<T: Zeroed> Deref for Pages<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `zeroed` made `count` values there; without any the pointer is aligned and not read.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr(), self.count) }
    }
}

impl<T: Zeroed> DerefMut for Pages<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: `zeroed` made `count` values there, and `self` is borrowed alone.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_ptr(), self.count) }
    }
}

impl<T: Zeroed> Drop for Pages<T> {
    fn drop(&mut self) {
        if let Some(layout) = Self::layout(self.count)
            && layout.size() > 0
        {
            // SAFETY: allocated in `zeroed` with the same layout, and freed only here.
            unsafe { dealloc(self.memory.as_ptr().cast(), layout) }
        }
    }
}

/// An empty vector with room for `capacity` values on huge pages; without room if that is not to be had.
pub fn reserve<T>(capacity: usize) -> Vec<T> {
    let mut vector = Vec::new();
    if vector.try_reserve_exact(capacity).is_ok() {
        advise(vector.as_mut_ptr(), capacity.saturating_mul(size_of::<T>()));
    }
    vector
}

/// Asks for huge pages for the `bytes` of an allocation that begins at `start`; being refused does no harm.
#[cfg(target_os = "linux")]
fn advise<T>(start: *mut T, bytes: usize) {
    let start: *mut u8 = start.cast();
    let offset = start.align_offset(HUGE_PAGE);
    if bytes < HUGE_PAGE || offset > bytes - HUGE_PAGE {
        return;
    }
    // SAFETY: `offset` is below the size of the allocation.
    let aligned = unsafe { start.add(offset) };
    // SAFETY: the range lies inside one allocation of ours; the advice changes how it is paged, not its content.
    unsafe { libc::madvise(aligned.cast(), bytes - offset, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise<T>(_: *mut T, _: usize) {}

/// Asks the CPU to fetch a value that will be read soon.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint without effect on memory, and the address is valid.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// One large value in memory of its own.
pub struct Paged<T: Zeroed>(Pages<T>);

impl<T: Zeroed> Paged<T> {
    /// A value of zero bytes, or none if the memory is not to be had.
    pub fn zeroed() -> Option<Paged<T>> {
        Pages::zeroed(1).map(Paged)
    }
}

impl<T: Zeroed> Deref for Paged<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0[0]
    }
}

impl<T: Zeroed> DerefMut for Paged<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_pages_hold_zeros_and_keep_what_is_written() {
        let mut pages = Pages::<[i16; 3]>::zeroed(1_000_000).expect("six megabytes");
        assert_eq!(pages.as_ptr().addr() % HUGE_PAGE, 0);
        assert!(pages.iter().all(|row| *row == [0; 3]));
        pages[999_999] = [1, 2, 3];
        assert_eq!(pages.last(), Some(&[1, 2, 3]));
        assert!(Pages::<i16>::zeroed(0).is_some_and(|pages| pages.is_empty()));
    }

    #[test]
    fn vectors_have_room() {
        for capacity in [0, 5, 3 * HUGE_PAGE + 1] {
            let mut vector: Vec<u8> = reserve(capacity);
            assert!(vector.is_empty() && vector.capacity() >= capacity);
            vector.resize(capacity, 7);
            assert!(vector.iter().all(|&byte| byte == 7));
        }
        assert_eq!(reserve::<u64>(usize::MAX / 16).capacity(), 0);
    }

    #[test]
    fn memory_that_does_not_exist_is_refused() {
        assert!(Pages::<[i16; 512]>::zeroed(usize::MAX / 1024).is_none());
    }
}
