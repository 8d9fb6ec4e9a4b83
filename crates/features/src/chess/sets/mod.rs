// SPDX-License-Identifier: GPL-3.0-or-later
//! Feature sets: what a network sees of a position.
//!
//! `text -> Expression -> FeatureSet (tables) -> active and changed indices`
//!
//! A set is written in Lombardo's algebra (thesis, Buenos Aires 2024, chapter 2): basic sets such as
//! `File` or `Role` joined by products `×` and sums `⊕`. Whatever depends on one piece and the own king
//! can be written so and is compiled to tables; [`Features`] is the contract for everything else.
//! `docs/features.md` explains the language.

mod basic;
mod bucket;
mod changes;
mod compile;
mod counts;
mod delta;
mod error;
mod expression;
mod frame;
mod parse;
mod possible;
mod provided;
mod roles;
mod statistics;
mod table;
mod token;

pub use basic::{Basic, Seen};
pub use bucket::Buckets;
pub use changes::{Changes, Features, Update};
pub use counts::Counts;
pub use delta::Delta;
pub use error::ExpressionError;
pub use expression::{Expression, Term};
pub use frame::{Frame, Half, View};
pub use provided::{Provided, provided};
pub use roles::Roles;
pub use statistics::{Statistics, statistics};
pub use table::{FeatureSet, Sight};
