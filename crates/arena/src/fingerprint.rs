// SPDX-License-Identifier: GPL-3.0-or-later
//! What a file holds, in a few letters: another build, or another book, is another match.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

/// Length and FNV-1a hash of a file.
///
/// # Errors
/// When the file cannot be read.
pub fn fingerprint(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let (mut length, mut hash) = (0, 0xCBF2_9CE4_8422_2325_u64);
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = match file.read(&mut buffer) {
            Ok(0) => return Ok(format!("{length} bytes, {hash:016x}")),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        length += count;
        for &byte in &buffer[..count] {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_published_one() {
        // From the test vectors of the FNV page: "" and "foobar".
        let path = std::env::temp_dir().join(format!("nue-fingerprint-{}", std::process::id()));
        for (text, expected) in [("", "0 bytes, cbf29ce484222325"), ("foobar", "6 bytes, 85944171f73967e8")] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(fingerprint(&path).unwrap(), expected);
        }
        std::fs::remove_file(&path).unwrap();
        assert!(fingerprint(&path).is_err());
    }
}
