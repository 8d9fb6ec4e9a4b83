// SPDX-License-Identifier: GPL-3.0-or-later
//! The choice made once per network: code compiled for one width and one instruction set.

use crate::{
    Arch, ArchError, Level, NetError,
    forward::{Forward, Scratch, Shape},
    head::Layers,
    lines::I16s,
    simd::{Simd, Visitor},
    update::{ANY, Refresh, Update, UpdateBoth},
};

/// Inference for one width and instruction set.
pub(crate) trait Paths: Send + Sync {
    /// The order in which activations come out of packing.
    fn packed(&self) -> [usize; 8];
    /// See [`Update`].
    fn update(&self, rows: &[I16s], from: &[I16s], to: &mut [I16s], change: [&[u32]; 2]);
    /// See [`UpdateBoth`].
    fn update_both(&self, rows: &[I16s], from: &[I16s], to: &mut [I16s], changes: [[&[u32]; 2]; 2]);
    /// See [`Refresh`].
    fn refresh(&self, rows: &[I16s], cached: &mut [I16s], to: &mut [I16s], change: [&[u32]; 2]);
    /// See [`Forward`].
    fn forward(&self, shape: &Shape, layers: &Layers, views: [&[I16s]; 2], scratch: &mut Scratch) -> i32;
}

struct Path<S, const M: usize>(S);

impl<S: Simd, const M: usize> Paths for Path<S, M> {
    fn packed(&self) -> [usize; 8] {
        S::PACKED
    }

    fn update(&self, rows: &[I16s], from: &[I16s], to: &mut [I16s], change: [&[u32]; 2]) {
        self.0.enter(Update::<M> { rows, from, to, change });
    }

    fn update_both(&self, rows: &[I16s], from: &[I16s], to: &mut [I16s], changes: [[&[u32]; 2]; 2]) {
        self.0.enter(UpdateBoth::<M> { rows, from, to, changes });
    }

    fn refresh(&self, rows: &[I16s], cached: &mut [I16s], to: &mut [I16s], change: [&[u32]; 2]) {
        self.0.enter(Refresh::<M> { rows, cached, to, change });
    }

    fn forward(&self, shape: &Shape, layers: &Layers, views: [&[I16s]; 2], scratch: &mut Scratch) -> i32 {
        self.0.enter(Forward::<M> { shape, layers, views, scratch })
    }
}

/// The path of a width on a level; refuses what there is none for.
pub(crate) fn choose(width: usize, level: Level) -> Result<Box<dyn Paths>, NetError> {
    struct Choice(usize);

    impl Visitor for Choice {
        type Output = Option<Box<dyn Paths>>;

        fn visit<S: Simd>(self, simd: S) -> Option<Box<dyn Paths>> {
            if !S::UNROLLED {
                return Arch::WIDTHS.contains(&self.0).then(|| Box::new(Path::<S, ANY>(simd)) as _);
            }
            Some(match self.0 {
                128 => Box::new(Path::<S, 128>(simd)),
                256 => Box::new(Path::<S, 256>(simd)),
                384 => Box::new(Path::<S, 384>(simd)),
                512 => Box::new(Path::<S, 512>(simd)),
                768 => Box::new(Path::<S, 768>(simd)),
                1024 => Box::new(Path::<S, 1024>(simd)),
                1536 => Box::new(Path::<S, 1536>(simd)),
                _ => return None,
            })
        }
    }

    level.visit(Choice(width))?.ok_or(NetError::Arch(ArchError::Width(width)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_width_has_a_path_and_no_other() {
        for width in 0..=2048 {
            let found = choose(width, Level::Scalar).is_ok();
            assert_eq!(found, Arch::WIDTHS.contains(&width), "{width}");
        }
    }
}
