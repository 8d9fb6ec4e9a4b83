// SPDX-License-Identifier: GPL-3.0-or-later
//! The checksum of heads and payloads: CRC-32 with the polynomial of Ethernet and zip.

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let mut value = index as u32;
        let mut bit = 0;
        while bit < 8 {
            value = (value >> 1) ^ if value & 1 != 0 { 0xEDB8_8320 } else { 0 };
            bit += 1;
        }
        table[index] = value;
        index += 1;
    }
    table
};

/// The checksum of some bytes.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| (crc >> 8) ^ TABLE[((crc ^ u32::from(byte)) & 255) as usize])
}

#[cfg(test)]
mod tests {
    /// The check value of the standard.
    #[test]
    fn the_standard_vector() {
        assert_eq!(super::crc32(b"123456789"), 0xCBF4_3926);
    }
}
