// SPDX-License-Identifier: GPL-3.0-or-later
//! Laws of training: gradients are derivatives, threads change nothing, and what is learned can be played.

mod beside;
mod data;
mod golden;
mod gradients;
mod learning;
mod narrow;
mod positions;
mod resume;
mod rounding;
mod shapes;
mod teacher;
mod threads;
