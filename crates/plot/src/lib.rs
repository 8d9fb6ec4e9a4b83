// SPDX-License-Identifier: GPL-3.0-or-later
//! How pictures of results are drawn: `drawing -> strokes -> SVG or PNG -> file`.
//!
//! [`draw`] opens a canvas of [`plotters`] for a path and writes the file whose kind its name asks for.
//! Everything is drawn once; a PNG is painted with fonts of our own, so neither needs anything installed.
//! [`style`] has the colours and letters. What is drawn is for the caller to know.

mod backend;
mod file;
mod pixels;
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

use crate::pixels::Pixels;
pub use crate::{backend::Backend, file::Format};

/// What is drawn on.
pub type Canvas<'a> = DrawingArea<Backend<'a>, Shift>;

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
    let mut pixels = match format {
        Format::Svg => None,
        Format::Png => {
            Some(Pixels::new(size, PIXELS_PER_POINT).ok_or_else(|| failed("too large".to_owned()))?)
        }
    };
    {
        let backend = Backend::new(SVGBackend::with_string(&mut svg, size), pixels.as_mut());
        let canvas = backend.into_drawing_area();
        let drawn = canvas.fill(&WHITE).and_then(|()| drawing(&canvas)).and_then(|()| canvas.present());
        drawn.map_err(|error| failed(error.to_string()))?;
    }
    let bytes = match pixels {
        None => svg.into_bytes(),
        Some(pixels) => pixels.png().map_err(failed)?,
    };
    file::write_whole(path, &bytes).map_err(|cause| PlotError::Io { path: path.to_owned(), cause })
}

/// How fine a PNG is.
pub const PIXELS_PER_POINT: u32 = 2;
