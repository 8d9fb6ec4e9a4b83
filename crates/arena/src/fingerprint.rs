// SPDX-License-Identifier: GPL-3.0-or-later
//! What a file holds, in a few letters: another build, or another book, is another match.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use rules::Checksum;

/// Length and checksum of a file.
///
/// # Errors
/// When the file cannot be read.
pub fn fingerprint(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let (mut length, mut sum) = (0, Checksum::new());
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = match file.read(&mut buffer) {
            Ok(0) => return Ok(format!("{length} bytes, {:016x}", sum.value())),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        length += count;
        sum = sum.and(&buffer[..count]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_and_content_count() {
        let path = std::env::temp_dir().join(format!("nue-fingerprint-{}", std::process::id()));
        for (text, expected) in [("", "0 bytes, cbf29ce484222325"), ("foobar", "6 bytes, 85944171f73967e8")] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(fingerprint(&path).unwrap(), expected);
        }
        std::fs::remove_file(&path).unwrap();
        assert!(fingerprint(&path).is_err());
    }
}
