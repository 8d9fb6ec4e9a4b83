// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue eval`: the static evaluation of a position, taken apart.

mod raw;

use std::{path::PathBuf, process::ExitCode, sync::Arc};

use anyhow::{Context, bail};
use clap::Args;
use engine::{
    Evaluation,
    eval::{self, NetworkTrace},
    wdl,
};
use nnue::{Contribution, Network, Neuron};
use rules::{Color, chess::Board};
use serde_json::{Value, json};

use crate::{net_file, position::PositionArgs};

/// Show the static evaluation of a position.
///
/// Of a network it is the output, the chances that follow from it, what each piece contributes (the value with it
/// less the value without it, exactly; by hand, if it stands beside that, as far as the rest can be played), and the neurons of the accumulators without which the output would change
/// most. The hand-crafted evaluation is shown term by term.
#[derive(Args)]
#[command(after_help = "Examples:
  nue eval '4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1'
  nue eval --net halfkp.nnue 4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1
  nue eval --net hand-crafted
  nue eval --net halfkp.nnue --json
  cut -f 1 positions.tsv | nue eval --net halfkp.nnue --raw -

The variable NUE_SIMD (scalar, neon, avx2, avx512bw or avx512) makes a network use that instruction set.")]
pub(crate) struct Eval {
    /// The position; the start position if not given
    #[arg(value_name = "FEN", conflicts_with = "fen")]
    words: Vec<String>,

    #[command(flatten)]
    position: PositionArgs,

    /// Whom to ask: the file of a network, built-in or hand-crafted
    #[arg(long, value_name = "FILE", default_value = "built-in")]
    net: Evaluation,

    /// How many neurons of each view to show
    #[arg(long, value_name = "N", default_value_t = eval::NEURONS_SHOWN)]
    neurons: usize,

    /// Print JSON, for programs
    #[arg(long)]
    json: bool,

    /// Read one FEN a line from a file, or with '-' from standard input, and print one raw output a line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["words", "fen", "json", "neurons"])]
    raw: Option<PathBuf>,
}

impl Eval {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let network = match &self.net {
            Evaluation::BuiltIn => Some(eval::built_in()),
            Evaluation::HandCrafted => None,
            Evaluation::File(path) => Some(Arc::new(net_file::network(path)?)),
        };
        match (&network, &self.raw) {
            (Some(network), Some(positions)) => raw::run(network, positions)?,
            (Some(network), None) => self.show(network)?,
            (None, Some(_)) => {
                bail!("--raw: the hand-crafted evaluation has no raw output, expected a network")
            }
            (None, None) if self.json => say!("{:#}", by_hand(&self.board()?)),
            (None, None) => say!("{}", eval::trace(&self.board()?)),
        }
        Ok(ExitCode::SUCCESS)
    }

    fn board(&self) -> anyhow::Result<Board> {
        if self.words.is_empty() {
            return self.position.board();
        }
        // Shells take a FEN without quotes apart.
        let fen = self.words.join(" ");
        Board::from_fen(&fen).with_context(|| format!("'{fen}' is no position"))
    }

    fn show(&self, network: &Network) -> anyhow::Result<()> {
        let board = self.board()?;
        let mut trace = eval::trace_network(network, &board);
        trace.neurons = self.neurons;
        if self.json {
            say!("{:#}", by_network(&self.net, network, &board, &trace));
        } else {
            say!("{trace}");
        }
        Ok(())
    }
}

/// What both evaluations tell; pawns are White's, everything else is of the side to move.
fn summary(evaluation: &str, board: &Board, centipawns: i32) -> Value {
    let [win, draw, loss] = wdl::chances(centipawns);
    let white = if board.turn() == Color::White { centipawns } else { -centipawns };
    json!({
        "evaluation": evaluation,
        "fen": board.to_string(),
        "turn": board.turn().to_string(),
        "centipawns": centipawns,
        "white_pawns": f64::from(white) / 100.0,
        "chances_permille": { "win": win, "draw": draw, "loss": loss },
    })
}

fn by_hand(board: &Board) -> Value {
    summary("hand-crafted", board, eval::evaluate(board))
}

fn by_network(net: &Evaluation, network: &Network, board: &Board, trace: &NetworkTrace<'_>) -> Value {
    let explanation = &trace.explanation;
    let pawn = f64::from(network.arch().scales.pawn);
    let piece = |&Contribution { piece, square, raw }: &Contribution| {
        json!({
            "square": square.to_string(),
            "piece": piece.letter().to_string(),
            "white_raw": raw,
            "white_pawns": f64::from(raw) / pawn,
        })
    };
    let neuron = |&Neuron { index, value, effect }: &Neuron| json!({ "index": index, "value": value, "white_raw": effect, "white_pawns": f64::from(effect) / pawn });
    let neurons = |view: Color| {
        explanation.neurons[view.index()].iter().take(trace.neurons).map(neuron).collect::<Value>()
    };
    let mut value = summary("network", board, explanation.centipawns);
    value["net"] = json!({
        "file": net.to_string(),
        "features": network.features().to_string(),
        "architecture": network.arch().to_string(),
        "instructions": network.level().to_string(),
    });
    value["raw"] = json!(explanation.raw);
    value["hand_crafted_centipawns"] = json!(trace.by_hand);
    value["bucket"] = json!(explanation.bucket);
    value["buckets"] = json!(network.arch().buckets);
    value["pieces"] = explanation.pieces.iter().map(piece).collect();
    value["neurons"] = json!({ "white": neurons(Color::White), "black": neurons(Color::Black) });
    value
}
