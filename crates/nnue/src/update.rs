// SPDX-License-Identifier: GPL-3.0-or-later
//! Accumulators from accumulators: rows of weights added and taken away in one pass.

use crate::{
    lines::I16s,
    simd::{Kernel, Simd},
};

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
        update::<S, M>(simd, self.rows, self.from, self.to, self.change);
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
        let (from, to) = (&self.from[..2 * M / I16s::LEN], &mut self.to[..2 * M / I16s::LEN]);
        for (view, change) in self.changes.into_iter().enumerate() {
            let place = view * M / I16s::LEN..(view + 1) * M / I16s::LEN;
            update::<S, M>(simd, self.rows, &from[place.clone()], &mut to[place], change);
        }
    }
}

#[inline(always)]
fn update<S: Simd, const M: usize>(
    simd: S,
    rows: &[I16s],
    from: &[I16s],
    to: &mut [I16s],
    [added, removed]: [&[u32]; 2],
) {
    let (from, to) = (&from[..M / I16s::LEN], &mut to[..M / I16s::LEN]);
    let row = row::<M>;
    // A move, a capture or promotion of one feature per piece, castling; the rest is rare.
    match (added, removed) {
        (&[a], &[r]) => fused(simd, from, to, [row(rows, a)], [row(rows, r)]),
        (&[a], &[r, s]) => fused(simd, from, to, [row(rows, a)], [row(rows, r), row(rows, s)]),
        (&[], &[r]) => fused(simd, from, to, [], [row(rows, r)]),
        (&[a, b], &[r, s]) => {
            fused(simd, from, to, [row(rows, a), row(rows, b)], [row(rows, r), row(rows, s)]);
        }
        _ => {
            for first in (0..M / I16s::LEN).step_by(TILE) {
                let tile = gather::<S, M>(simd, rows, &from[first..], first, added, removed);
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
        let Refresh { rows, cached, to, change: [added, removed] } = self;
        let (cached, to) = (&mut cached[..M / I16s::LEN], &mut to[..M / I16s::LEN]);
        for first in (0..M / I16s::LEN).step_by(TILE) {
            let tile = gather::<S, M>(simd, rows, &cached[first..], first, added, removed);
            for i in 0..TILE {
                simd.store_i16(tile[i], &mut cached[first + i]);
                simd.store_i16(tile[i], &mut to[first + i]);
            }
        }
    }
}

/// The weights of one feature.
#[inline(always)]
fn row<const M: usize>(rows: &[I16s], feature: u32) -> &[I16s] {
    let lines = M / I16s::LEN;
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
fn gather<S: Simd, const M: usize>(
    simd: S,
    rows: &[I16s],
    from: &[I16s],
    first: usize,
    added: &[u32],
    removed: &[u32],
) -> [S::I16; TILE] {
    let mut tile = [simd.splat_i16(0); TILE];
    for i in 0..TILE {
        tile[i] = simd.load_i16(&from[i]);
    }
    for &feature in added {
        let row = &row::<M>(rows, feature)[first..first + TILE];
        for i in 0..TILE {
            tile[i] = simd.add_i16(tile[i], simd.load_i16(&row[i]));
        }
    }
    for &feature in removed {
        let row = &row::<M>(rows, feature)[first..first + TILE];
        for i in 0..TILE {
            tile[i] = simd.sub_i16(tile[i], simd.load_i16(&row[i]));
        }
    }
    tile
}
