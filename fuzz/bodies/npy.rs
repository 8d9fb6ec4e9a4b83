// SPDX-License-Identifier: GPL-3.0-or-later
//! Any bytes as arrays, with and without a good header: reading ends and never panics, and positions that were
//! read are written as the same row.

use std::io::Cursor;

use formats::npy::{InputsReader, InputsWriter, OutputsReader, OutputsWriter, input_row, position};

/// Checks one input.
pub(crate) fn check(data: &[u8]) {
    read(data);
    let inputs = InputsWriter::new(Cursor::new(Vec::new())).and_then(InputsWriter::finish).expect("a vector");
    let outputs =
        OutputsWriter::new(Cursor::new(Vec::new())).and_then(OutputsWriter::finish).expect("a vector");
    for header in [inputs.into_inner(), outputs.into_inner()] {
        // The header of an empty array, made to promise many rows.
        let header = String::from_utf8_lossy(&header[6..]).replace("(0,", "(9,");
        read(&[b"\x93NUMPY", header.as_bytes(), data].concat());
    }
}

fn read(data: &[u8]) {
    if let Ok(boards) = InputsReader::new(data) {
        for board in boards.filter_map(Result::ok) {
            assert!(position(&input_row(&board)).is_ok_and(|again| again == board));
        }
    }
    if let Ok(moves) = OutputsReader::new(data) {
        moves.for_each(drop);
    }
}
