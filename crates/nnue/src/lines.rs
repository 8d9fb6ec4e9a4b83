// SPDX-License-Identifier: GPL-3.0-or-later
//! Lines of 64 bytes: the unit in which numbers are stored and worked on.
//!
//! A line is a cache line and one AVX-512 register, two of AVX2, four of NEON. Because every buffer is a
//! slice of lines, it is aligned, no loop has a remainder, and vector loads need no checks.

/// Sixty-four bytes on a 64-byte boundary.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Line<T>(pub(crate) T);

/// Accumulator values and the weights of features.
pub(crate) type I16s = Line<[i16; 32]>;
/// Weights of a dense layer: four inputs for each of sixteen neurons.
pub(crate) type I8s = Line<[i8; 64]>;
/// Sums of sixteen neurons.
pub(crate) type I32s = Line<[i32; 16]>;
/// Activations, four bytes to a group, since the dense layers take four inputs at a time.
pub(crate) type Groups = Line<[u32; 16]>;

impl I16s {
    /// How many numbers a line holds.
    pub(crate) const LEN: usize = 32;
    pub(crate) const ZERO: I16s = Line([0; 32]);
}

impl I8s {
    pub(crate) const ZERO: I8s = Line([0; 64]);
}

impl I32s {
    /// How many numbers a line holds.
    pub(crate) const LEN: usize = 16;
    pub(crate) const ZERO: I32s = Line([0; 16]);
}

impl Groups {
    /// How many groups of four activations a line holds.
    pub(crate) const LEN: usize = 16;
    pub(crate) const ZERO: Groups = Line([0; 16]);
}
