// SPDX-License-Identifier: GPL-3.0-or-later
//! The Universal Chess Interface, both directions.
//!
//! `line -> Command` is what an engine reads, `Reply -> line` what it writes; a match runner uses the
//! other two arrows. Parsing never panics, and the text of a value parses back to the same value.

mod command;
mod go;
mod info;
mod options;
mod position;
mod reply;
mod words;

pub use command::{Command, ParseCommandError, SetOption};
pub use go::Go;
pub use info::{Bound, Info, Score};
pub use options::{OptionKind, OptionOffer};
pub use position::{PositionCommand, StartPosition};
pub use reply::{ParseReplyError, Reply};
pub use words::NumberError;
