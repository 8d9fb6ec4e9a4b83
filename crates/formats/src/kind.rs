// SPDX-License-Identifier: GPL-3.0-or-later
//! What a file is, by its first bytes and its name.

use std::{
    fs::File,
    io::{self, BufRead},
    path::Path,
};

use crate::{archive, npy, sample};

/// A kind of file with games or positions.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Games as text with everything said about them.
    Pgn,
    /// Games with a score per move: [`crate::viriformat`].
    Viriformat,
    /// The same, entropy-coded: [`crate::archive`].
    Archive,
    /// Stockfish's training data: [`crate::binpack`].
    Binpack,
    /// Positions of 32 bytes as the mover sees them: [`crate::bullet`].
    Bullet,
    /// Positions of 32 bytes: [`crate::marlin`].
    Marlin,
    /// Positions of 48 bytes with all that is known: [`crate::sample`].
    Samples,
    /// One position per line: [`crate::lines`].
    Lines,
    /// Stockfish's training data as text: [`crate::plain`].
    Plain,
    /// The puzzles of Lichess: [`crate::puzzles`].
    Puzzles,
    /// Blume's arrays: [`crate::npy`].
    Npy,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 11] = [
        Kind::Pgn,
        Kind::Viriformat,
        Kind::Archive,
        Kind::Binpack,
        Kind::Bullet,
        Kind::Marlin,
        Kind::Samples,
        Kind::Lines,
        Kind::Plain,
        Kind::Puzzles,
        Kind::Npy,
    ];

    /// How names of such files end; the first is the one to write.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Kind::Pgn => &["pgn"],
            Kind::Viriformat => &["vf", "viri", "viriformat"],
            Kind::Archive => &["nga"],
            Kind::Binpack => &["binpack"],
            Kind::Bullet => &["bullet", "bf"],
            Kind::Marlin => &["marlin", "mf"],
            Kind::Samples => &["nsam"],
            Kind::Lines => &["txt", "fen", "epd"],
            Kind::Plain => &["plain"],
            Kind::Puzzles => &["csv"],
            Kind::Npy => &["npy"],
        }
    }

    /// The ending of names to write.
    pub const fn extension(self) -> &'static str {
        self.extensions()[0]
    }

    /// What a name says, leaving aside how the file is compressed.
    pub fn of(path: &Path) -> Option<Kind> {
        let extension = |path: &Path| Some(path.extension()?.to_str()?.to_ascii_lowercase());
        let plain = match extension(path)?.as_str() {
            "zst" | "gz" | "bz2" => path.with_extension(""),
            _ => path.to_owned(),
        };
        let extension = extension(&plain)?;
        Kind::ALL.into_iter().find(|kind| kind.extensions().contains(&extension.as_str()))
    }

    /// Whether such files hold games rather than positions.
    pub const fn holds_games(self) -> bool {
        matches!(self, Kind::Pgn | Kind::Viriformat | Kind::Archive | Kind::Binpack)
    }

    /// What a file is. Decompressing its beginning may take a second, so the name of a compressed one is believed if
    /// it tells.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn of_file(path: &Path) -> io::Result<Option<Kind>> {
        let is_compressed =
            path.extension().is_some_and(|ending| ["zst", "gz", "bz2"].iter().any(|other| ending == *other));
        match Kind::of(path) {
            Some(kind) if is_compressed => File::open(path).map(|_| Some(kind)),
            _ => Ok(Kind::detect(path, crate::open(path)?.fill_buf()?)),
        }
    }

    /// What the first (decompressed) bytes say, or else the name.
    pub fn detect(path: &Path, start: &[u8]) -> Option<Kind> {
        let text = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start);
        if start.starts_with(b"BINP") {
            Some(Kind::Binpack)
        } else if start.starts_with(&archive::MAGIC) {
            Some(Kind::Archive)
        } else if start.starts_with(npy::MAGIC) {
            Some(Kind::Npy)
        } else if start.starts_with(&sample::HEADER[..14]) {
            Some(Kind::Samples)
        } else if matches!(text, [b'[', b'A'..=b'Z', ..]) {
            Some(Kind::Pgn)
        } else if text.starts_with(b"PuzzleId,") {
            Some(Kind::Puzzles)
        } else if text.starts_with(b"fen ") {
            Some(Kind::Plain)
        } else {
            Kind::of(path)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_first_bytes_tell() {
        let of = |name: &str| Kind::of(Path::new(name));
        assert_eq!(of("a/b.vf.zst"), Some(Kind::Viriformat));
        assert_eq!(of("B.PGN.BZ2"), Some(Kind::Pgn));
        assert_eq!(of("b.nga"), Some(Kind::Archive));
        assert_eq!((of("b"), of("b.zst"), of("b.exe")), (None, None, None));
        let detect = |name: &str, start: &[u8]| Kind::detect(Path::new(name), start);
        assert_eq!(detect("x.txt", b"BINP\0\0"), Some(Kind::Binpack));
        assert_eq!(detect("x.vf", &sample::HEADER), Some(Kind::Samples));
        assert_eq!(detect("x", b"\xEF\xBB\xBF[Event \"?\"]"), Some(Kind::Pgn));
        assert_eq!(detect("x.vf", b"\xFF\xFF"), Some(Kind::Viriformat));
        assert_eq!(detect("x", b""), None);
    }

    #[test]
    fn every_ending_belongs_to_one_kind() {
        for kind in Kind::ALL {
            for extension in kind.extensions() {
                assert_eq!(Kind::of(Path::new(&format!("file.{extension}"))), Some(kind));
            }
        }
    }
}
