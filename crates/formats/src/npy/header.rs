// SPDX-License-Identifier: GPL-3.0-or-later
//! The header of a `.npy` file: `magic, version, length, a Python dictionary, blanks, line feed`.

use std::io::BufRead;

use super::MAGIC;
use crate::{
    bytes::Counted,
    error::{Place, Problem, ReadError},
};

/// The size of every header that we write: numpy's own for arrays of one or two dimensions.
pub(super) const BYTES: usize = 128;

/// The header of an array of so many rows, with columns if it has two dimensions.
pub(super) fn write(descr: &str, rows: u64, columns: Option<usize>) -> [u8; BYTES] {
    let shape = match columns {
        Some(columns) => format!("({rows}, {columns})"),
        None => format!("({rows},)"),
    };
    let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    let mut bytes = [b' '; BYTES];
    bytes[..6].copy_from_slice(MAGIC);
    bytes[6..8].copy_from_slice(&[1, 0]);
    bytes[8..10].copy_from_slice(&(BYTES as u16 - 10).to_le_bytes());
    bytes[10..10 + text.len()].copy_from_slice(text.as_bytes());
    bytes[BYTES - 1] = b'\n';
    bytes
}

/// Reads a header and checks that it is that of our kind of array; returns the number of rows.
pub(super) fn read<R: BufRead>(
    input: &mut Counted<R>,
    descr: &'static str,
    columns: Option<u64>,
) -> Result<u64, ReadError> {
    let fatal = |problem| ReadError::fatal(Place::Byte(0), problem);
    let start: [u8; 8] = input.array("the header")?;
    if !start.starts_with(MAGIC) {
        return Err(fatal(Problem::value("header", "of another kind", "that of a .npy file")));
    }
    let length = match start[6] {
        1 => u16::from_le_bytes(input.array("the header")?).into(),
        2 | 3 => u32::from_le_bytes(input.array("the header")?),
        version => return Err(fatal(Problem::value("version", version, "1, 2 or 3"))),
    };
    let limit = u64::from(u16::MAX);
    if u64::from(length) > limit {
        let found = length.into();
        return Err(fatal(Problem::TooLong { what: "the header", found, unit: "bytes", limit }));
    }
    let text = input.vector(length.into(), "the header")?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let field = |name: &str| Some(text.split_once(&format!("'{name}':"))?.1.trim_start());
    if !field("descr").is_some_and(|rest| rest.starts_with(&format!("'{descr}'"))) {
        return Err(fatal(Problem::value("type of the array", text, descr)));
    }
    if !field("fortran_order").is_some_and(|rest| rest.starts_with("False")) {
        return Err(fatal(Problem::value("order of the array", text, "rows one after the other")));
    }
    let shape =
        field("shape").and_then(|rest| rest.strip_prefix('(')?.split_once(')')).map(|(inside, _)| inside);
    let sizes: Option<Vec<u64>> = shape.and_then(|inside| {
        let parts = inside.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.map(|part| part.parse().ok()).collect()
    });
    match (sizes.as_deref(), columns) {
        (Some(&[rows]), None) => Ok(rows),
        (Some(&[rows, found]), Some(columns)) if found == columns => Ok(rows),
        _ => {
            let expected = if columns.is_some() { "(n, 833)" } else { "(n,)" };
            Err(fatal(Problem::value("shape of the array", text, expected)))
        }
    }
}
