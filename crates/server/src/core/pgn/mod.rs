// SPDX-License-Identifier: GPL-3.0-or-later
//! Studies and games as PGN, in and out: variations, comments, glyphs; shapes as `[%csl …]` and `[%cal …]`, which
//! other programs read too.

mod game;
mod read;
mod shapes;
mod write;

pub use self::{
    game::{date_text, result_of, study_of_game},
    read::read_study,
    write::write_study,
};
use crate::message::Header;

/// A title from the players and the event.
fn title_of(headers: &[Header]) -> String {
    let value = |name: &str| {
        let header = headers.iter().find(|header| header.name == name)?;
        (!matches!(header.value.as_str(), "" | "?")).then_some(header.value.as_str())
    };
    let title = match (value("White"), value("Black"), value("Event")) {
        (Some(white), Some(black), _) => format!("{white} – {black}"),
        (_, _, Some(event)) => event.to_owned(),
        _ => "PGN".to_owned(),
    };
    title.chars().take(60).collect()
}
