// SPDX-License-Identifier: GPL-3.0-or-later
//! Laws of inference, tried on random networks and random games with fixed seeds.
//!
//! What a network computes is written down a second time in `specification`, slowly and plainly; every
//! instruction set, every way to reach a position and every way through a file must give the same.

mod files;
mod forward;
mod mean;
mod positions;
mod random;
mod specification;
mod stack;
