// SPDX-License-Identifier: GPL-3.0-or-later
//! From games to samples: `files of any kind -> pieces -> work on many threads -> records with a manifest`.
//!
//! Everything streams: memory does not grow with the input. The same input and seed give the same bytes whatever
//! the number of threads. Whatever is killed goes on where it was when it is started again. Nothing here prints.

mod convert;
mod counts;
mod encode;
mod error;
mod filter;
pub mod flow;
pub mod import;
pub mod job;
pub mod label;
pub mod pipeline;
mod raw;
pub mod score;
mod seen;
pub mod selfplay;
mod shuffle;
pub mod source;
mod split;
pub mod stats;
mod triplet;

pub use convert::Convert;
pub use counts::{Counts, DAMAGED, Tally};
pub use encode::{Encoder, Pieces};
pub use error::DataError;
pub use filter::Filter;
pub use flow::{Done, Effort, Watch};
pub use import::Import;
pub use job::Manifest;
pub use label::Label;
pub use raw::Raw;
pub use seen::Seen;
pub use selfplay::Selfplay;
pub use shuffle::Shuffle;
pub use source::Source;
pub use split::Split;
pub use stats::Stats;
pub use triplet::other_move;

pub use formats::sample::ply;
