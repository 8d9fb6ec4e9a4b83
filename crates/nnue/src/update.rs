// SPDX-License-Identifier: GPL-3.0-or-later
//! Accumulators from accumulators: rows of weights added and taken away in one pass.

use crate::{
    lines::I16s,
    simd::{Kernel, Simd},
};

/// The width that stands for any: the accumulators tell it, and no loop is unrolled.
pub(crate) const ANY: usize = 0;

/// The lines of an accumulator of `M` neurons, or as many as were given if `M` is [`ANY`].
#[inline(always)]
pub(crate) fn lines<const M: usize>(given: usize) -> usize {
    if M == ANY { given } else { M / I16s::LEN }
}

/// How many lines are held in registers while all rows pass over them.
const TILE: usize = 4;

/// Writes `from`, with rows added and removed, to `to`.
pub(crate) struct Update<'a, const M: usize> {
    /// The weights of all features.
    pub(crate) rows: &'a [I16s],
    pub(crate) from: &'a [I16s],
    pub(crate) to: &'a mut [I16s],
    /// Rows to add, rows to remove.
    pub(crate) change: [&'a [u32]; 2],
}

impl<const M: usize> Kernel for Update<'_, M> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let lines = lines::<M>(self.to.len());
        update(simd, lines, self.rows, self.from, self.to, self.change);
    }
}

/// Does the work of [`Update`] for both views, which stand one after the other.
pub(crate) struct UpdateBoth<'a, const M: usize> {
    /// The weights of all features.
    pub(crate) rows: &'a [I16s],
    pub(crate) from: &'a [I16s],
    pub(crate) to: &'a mut [I16s],
    /// For each view rows to add, rows to remove.
    pub(crate) changes: [[&'a [u32]; 2]; 2],
}

impl<const M: usize> Kernel for UpdateBoth<'_, M> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let lines = lines::<M>(self.to.len() / 2);
        let (from, to) = (&self.from[..2 * lines], &mut self.to[..2 * lines]);
        for (view, change) in self.changes.into_iter().enumerate() {
            let place = view * lines..(view + 1) * lines;
            update(simd, lines, self.rows, &from[place.clone()], &mut to[place], change);
        }
    }
}

#[inline(always)]
fn update<S: Simd>(
    simd: S,
    lines: usize,
    rows: &[I16s],
    from: &[I16s],
    to: &mut [I16s],
    [added, removed]: [&[u32]; 2],
) {
    let (from, to) = (&from[..lines], &mut to[..lines]);
    let row = |rows, feature| row(rows, lines, feature);
    // A move, a capture or promotion of one feature per piece, castling; the rest is rare.
    match (added, removed) {
        (&[a], &[r]) => fused(simd, from, to, [row(rows, a)], [row(rows, r)]),
        (&[a], &[r, s]) => fused(simd, from, to, [row(rows, a)], [row(rows, r), row(rows, s)]),
        (&[], &[r]) => fused(simd, from, to, [], [row(rows, r)]),
        (&[a, b], &[r, s]) => {
            fused(simd, from, to, [row(rows, a), row(rows, b)], [row(rows, r), row(rows, s)]);
        }
        _ => {
            for first in (0..lines).step_by(TILE) {
                let tile = gather(simd, lines, rows, &from[first..], first, [added, removed]);
                for i in 0..TILE {
                    simd.store_i16(tile[i], &mut to[first + i]);
                }
            }
        }
    }
}

/// Brings a cached accumulator up to date and copies it to `to`.
pub(crate) struct Refresh<'a, const M: usize> {
    /// The weights of all features.
    pub(crate) rows: &'a [I16s],
    pub(crate) cached: &'a mut [I16s],
    pub(crate) to: &'a mut [I16s],
    /// Rows to add, rows to remove.
    pub(crate) change: [&'a [u32]; 2],
}

impl<const M: usize> Kernel for Refresh<'_, M> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Refresh { rows, cached, to, change } = self;
        let lines = lines::<M>(to.len());
        let (cached, to) = (&mut cached[..lines], &mut to[..lines]);
        for first in (0..lines).step_by(TILE) {
            let tile = gather(simd, lines, rows, &cached[first..], first, change);
            for i in 0..TILE {
                simd.store_i16(tile[i], &mut cached[first + i]);
                simd.store_i16(tile[i], &mut to[first + i]);
            }
        }
    }
}

/// The weights of one feature.
#[inline(always)]
fn row(rows: &[I16s], lines: usize, feature: u32) -> &[I16s] {
    let start = feature as usize * lines;
    &rows[start..start + lines]
}

#[inline(always)]
fn fused<S: Simd, const A: usize, const R: usize>(
    simd: S,
    from: &[I16s],
    to: &mut [I16s],
    added: [&[I16s]; A],
    removed: [&[I16s]; R],
) {
    for i in 0..to.len() {
        let mut value = simd.load_i16(&from[i]);
        for row in added {
            value = simd.add_i16(value, simd.load_i16(&row[i]));
        }
        for row in removed {
            value = simd.sub_i16(value, simd.load_i16(&row[i]));
        }
        simd.store_i16(value, &mut to[i]);
    }
}

/// A tile of lines from `first` on with all rows added and removed.
#[inline(always)]
fn gather<S: Simd>(
    simd: S,
    lines: usize,
    rows: &[I16s],
    from: &[I16s],
    first: usize,
    [added, removed]: [&[u32]; 2],
) -> [S::I16; TILE] {
    let mut tile = [simd.splat_i16(0); TILE];
    for i in 0..TILE {
        tile[i] = simd.load_i16(&from[i]);
    }
    for &feature in added {
        let row = &row(rows, lines, feature)[first..first + TILE];
        for i in 0..TILE {
            tile[i] = simd.add_i16(tile[i], simd.load_i16(&row[i]));
        }
    }
    for &feature in removed {
        let row = &row(rows, lines, feature)[first..first + TILE];
        for i in 0..TILE {
            tile[i] = simd.sub_i16(tile[i], simd.load_i16(&row[i]));
        }
    }
    tile
}
