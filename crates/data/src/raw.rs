// SPDX-License-Identifier: GPL-3.0-or-later
//! A piece of input before decoding, and the counting of what could not be decoded.

use std::{path::Path, sync::Arc};

use formats::{
    Kind, ReadError,
    pieces::{Batch, Body},
};

use crate::{Counts, DataError};

/// A piece of a file as it was cut out.
pub struct Raw {
    /// The file.
    pub file: Arc<Path>,
    /// What the file is.
    pub kind: Kind,
    /// What was cut out, or why the file cannot be opened.
    pub body: Result<Body, DataError>,
}

impl Raw {
    /// Decodes the piece.
    ///
    /// # Errors
    /// When its file could not be opened.
    pub fn decode(self) -> Result<Batch, DataError> {
        let mut batch = self.body?.decode(self.kind);
        let errors = batch.errors.into_iter();
        batch.errors = errors.map(|error| error.in_file(&self.file)).collect();
        Ok(batch)
    }
}

/// Counts what could not be read of a piece.
///
/// # Errors
/// The first of it, for those who are strict.
pub(crate) fn count_batch(batch: &mut Batch, counts: &mut Counts, strict: bool) -> Result<(), DataError> {
    counts.skip_games("no result", batch.unfinished);
    count_errors(std::mem::take(&mut batch.errors), batch.holds_games, counts, strict)
}

/// Counts what could not be read.
pub(crate) fn count_errors(
    errors: Vec<ReadError>,
    are_games: bool,
    counts: &mut Counts,
    strict: bool,
) -> Result<(), DataError> {
    for error in errors {
        if strict {
            return Err(DataError::Strict(error));
        }
        if are_games { counts.damaged_game(&error) } else { counts.damaged_position(&error) }
    }
    Ok(())
}
