// SPDX-License-Identifier: GPL-3.0-or-later
//! Files: their kinds, and writing them whole or not at all.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::PlotError;

/// A kind of picture file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// Lines and letters, sharp at every size.
    Svg,
    /// Pixels.
    Png,
}

impl Format {
    /// The kind that a file name asks for; worth knowing before the work that leads to the picture.
    ///
    /// # Errors
    /// When the name ends neither in `.svg` nor in `.png`.
    pub fn of(path: &Path) -> Result<Format, PlotError> {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("svg") => Ok(Format::Svg),
            Some("png") => Ok(Format::Png),
            _ => Err(PlotError::Format(path.to_owned())),
        }
    }
}

/// Writes a file beside its place and moves it there: whoever looks sees the old one or the new one.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.to_owned().into_os_string();
    name.push(".tmp");
    let temporary = PathBuf::from(name);
    let written = File::create(&temporary)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_data()))
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary); // the error that counts is the other one
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_says_the_kind() {
        assert_eq!(Format::of(Path::new("a/b.svg")).unwrap(), Format::Svg);
        assert_eq!(Format::of(Path::new("B.PNG")).unwrap(), Format::Png);
        for name in ["plot", "plot.pdf", ".svg", "png"] {
            let error = Format::of(Path::new(name)).unwrap_err().to_string();
            let expected =
                format!("a plot cannot be written to {name}, expected a name that ends in .svg or .png");
            assert_eq!(error, expected);
        }
    }
}
