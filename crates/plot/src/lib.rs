// SPDX-License-Identifier: GPL-3.0-or-later
//! How pictures of results are drawn: `drawing -> SVG -> PNG where one is wanted -> file`.
//!
//! [`draw`] opens a canvas of [`plotters`] for a path and writes the file whose kind its name asks for.
//! Everything is drawn once, as SVG; a PNG is painted from that with fonts of our own, so neither needs
//! anything installed. [`style`] has the colours and letters. What is drawn is for the caller to know.

mod file;
mod paint;
pub mod style;

use std::{
    io,
    path::{Path, PathBuf},
};

pub use plotters;
use plotters::{
    coord::Shift,
    drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea},
    prelude::SVGBackend,
    style::colors::WHITE,
};
use thiserror::Error;

pub use crate::file::Format;

/// What is drawn on.
pub type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// What a drawing returns.
pub type Drawn = Result<(), DrawingAreaErrorKind<io::Error>>;

/// A picture that cannot be made.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the message of each variant says what it and its fields mean")]
pub enum PlotError {
    #[error("a plot cannot be written to {}, expected a name that ends in .svg or .png", .0.display())]
    Format(PathBuf),
    #[error("a plot of {width} x {height} cannot be drawn: {cause}")]
    Drawing { width: u32, height: u32, cause: String },
    #[error("{}: {cause}", path.display())]
    Io { path: PathBuf, cause: io::Error },
}

/// Draws a picture and writes it to a file, SVG or PNG by the ending of its name.
///
/// The size is in points; a PNG has [`PIXELS_PER_POINT`] times as many pixels both ways. The canvas is
/// white already. The file is replaced when the picture is whole, never before.
///
/// # Errors
/// When the name ends in anything else, the drawing fails or the file cannot be written.
pub fn draw(
    path: &Path,
    size: (u32, u32),
    drawing: impl FnOnce(&Canvas<'_>) -> Drawn,
) -> Result<(), PlotError> {
    let format = Format::of(path)?;
    let failed = |cause: String| PlotError::Drawing { width: size.0, height: size.1, cause };
    let mut svg = String::new();
    {
        let canvas = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        let drawn = canvas.fill(&WHITE).and_then(|()| drawing(&canvas)).and_then(|()| canvas.present());
        drawn.map_err(|error| failed(error.to_string()))?;
    }
    let bytes = match format {
        Format::Svg => svg.into_bytes(),
        Format::Png => paint::png(&svg, PIXELS_PER_POINT).map_err(failed)?,
    };
    file::write_whole(path, &bytes).map_err(|cause| PlotError::Io { path: path.to_owned(), cause })
}

/// How fine a PNG is.
pub const PIXELS_PER_POINT: u32 = 2;
