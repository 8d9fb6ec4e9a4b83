// SPDX-License-Identifier: GPL-3.0-or-later
//! Features of chess positions.

pub mod terms;
