// SPDX-License-Identifier: GPL-3.0-or-later
//! Files that may be compressed: the first bytes tell how, the name does not matter.

use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    path::Path,
};

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;

use crate::zstd_stream::Zstd;

/// Bytes read and decompressed at a time.
const BUFFER: usize = 1 << 18;

/// Opens a plain, zstd, gzip or bzip2 file for reading.
///
/// # Errors
/// When the file cannot be read; a damaged archive is noticed only when reading comes to the damage.
pub fn open(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    decompressed(BufReader::with_capacity(BUFFER, File::open(path)?))
}

/// The bytes behind compressed or plain ones, for those who open files in their own way.
///
/// # Errors
/// When the first bytes cannot be read.
pub fn decompressed(mut input: impl BufRead + Send + 'static) -> io::Result<Box<dyn BufRead + Send>> {
    let compression = Compression::of(input.fill_buf()?);
    Ok(match compression {
        Compression::None => Box::new(input),
        Compression::Zstd => Box::new(BufReader::with_capacity(BUFFER, Zstd::new(input)?)),
        Compression::Gzip => Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(input))),
        Compression::Bzip2 => Box::new(BufReader::with_capacity(BUFFER, MultiBzDecoder::new(input))),
    })
}

enum Compression {
    None,
    Zstd,
    Gzip,
    Bzip2,
}

impl Compression {
    /// What the first bytes of a file say.
    fn of(start: &[u8]) -> Compression {
        match start {
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Compression::Zstd,
            [0x1F, 0x8B, ..] => Compression::Gzip,
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Compression::Bzip2,
            _ => Compression::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read, Write};

    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn text() -> String {
        (0..5000).map(|n| format!("line {n} {}\n", n * n % 977)).collect()
    }

    fn read(bytes: Vec<u8>) -> io::Result<String> {
        let mut text = String::new();
        decompressed(Cursor::new(bytes))?.read_to_string(&mut text)?;
        Ok(text)
    }

    fn zstd(text: &str) -> Vec<u8> {
        compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)
    }

    #[test]
    fn plain_bytes_pass_through() {
        for text in ["", "x", "BZ", "[Event \"?\"]\n"] {
            assert_eq!(read(text.as_bytes().to_vec()).unwrap(), text);
        }
    }

    #[test]
    fn every_compression_is_recognised() {
        let text = text();
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(text.as_bytes()).unwrap();
        assert_eq!(read(gz.finish().unwrap()).unwrap(), text);
        let mut bz = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bz.write_all(text.as_bytes()).unwrap();
        assert_eq!(read(bz.finish().unwrap()).unwrap(), text);
        assert_eq!(read(zstd(&text)).unwrap(), text);
    }

    #[test]
    fn zstd_frames_follow_each_other() {
        let mut bytes = zstd("one ");
        bytes.extend([0x53, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 9, 9, 9]); // a frame to skip
        bytes.extend(zstd("two "));
        bytes.extend(zstd(""));
        bytes.extend(zstd("three"));
        assert_eq!(read(bytes).unwrap(), "one two three");
    }

    /// A frame may ask for a window of any size; 128 MiB must do.
    #[test]
    fn a_wild_window_is_refused() {
        let frame = |window: u8| [&[0x28, 0xB5, 0x2F, 0xFD, 0x00, window][..], &[0x09, 0, 0, b'x']].concat();
        assert_eq!(read(frame((27 - 10) << 3)).unwrap(), "x");
        assert!(read(frame((28 - 10) << 3)).is_err());
        assert!(read(frame(0xFF)).is_err());
    }

    #[test]
    fn damage_is_an_error() {
        let mut bytes = zstd(&text());
        bytes.truncate(bytes.len() / 2);
        assert!(read(bytes).is_err());
        let mut bytes = zstd("text");
        bytes.extend(b"no frame");
        assert!(read(bytes).is_err());
    }
}
