// SPDX-License-Identifier: GPL-3.0-or-later
//! Laws that hold in every position, tried on random games and random diagrams with fixed seeds.
//!
//! Each module is one subject. Where an answer can be had in a second way, slow and obvious or from
//! another library, the two are compared; where not, parts that must fit together are.

mod boards;
mod exchange;
mod incremental;
mod moves;
mod notation;
mod oracle;
mod positions;
mod repetition;
