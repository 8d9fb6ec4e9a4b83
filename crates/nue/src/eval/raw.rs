// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue eval --raw`: one FEN a line in, one raw output a line out, for checks against other implementations.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Read, Write},
    path::Path,
};

use anyhow::Context;
use nnue::Network;
use rules::chess::Board;

/// Answers every line of a file, or of standard input for `-`.
pub(crate) fn run(network: &Network, positions: &Path) -> anyhow::Result<()> {
    let input: Box<dyn Read> = if positions == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(positions).with_context(|| positions.display().to_string())?)
    };
    answer(network, BufReader::new(input), BufWriter::new(io::stdout().lock()))
}

/// Answers every line. What was understood is answered even if a later line is not.
fn answer(
    network: &Network,
    mut input: BufReader<impl Read>,
    mut output: BufWriter<impl Write>,
) -> anyhow::Result<()> {
    let mut line = String::new();
    for number in 1_u64.. {
        // Whoever waits for an answer before the next question gets it.
        if input.buffer().is_empty() {
            output.flush()?;
        }
        line.clear();
        if input.read_line(&mut line).with_context(|| format!("line {number} cannot be read"))? == 0 {
            break;
        }
        let board = Board::from_fen(line.trim_end()).with_context(|| format!("line {number} is no position"));
        match board {
            Ok(board) => writeln!(output, "{}", network.evaluate(&board))?,
            Err(error) => {
                output.flush()?;
                return Err(error);
            }
        }
    }
    Ok(output.flush()?)
}
