// SPDX-License-Identifier: GPL-3.0-or-later
//! Texts of the session: reports as protocol lines, and answers for people at a terminal.

use protocol::uci;
use rules::chess::{Board, Move};

use super::options;
use crate::{Bound, Report, Score};

/// How moves and reports are to be written.
#[derive(Copy, Clone)]
pub(super) struct Style {
    pub(super) chess960: bool,
    pub(super) show_wdl: bool,
}

impl Style {
    pub(super) fn text(self, m: Move) -> String {
        m.to_uci(self.chess960)
    }

    /// A report as an `info` line.
    pub(super) fn info(self, report: &Report) -> uci::Info {
        let seconds = report.time.as_secs_f64().max(1e-6);
        uci::Info {
            depth: Some(report.depth),
            seldepth: Some(report.seldepth),
            multipv: Some(report.multipv as u32),
            score: Some(match report.score {
                Score::Cp(value) => uci::Score::Cp(value),
                Score::Mate(moves) => uci::Score::Mate(moves),
            }),
            bound: match report.bound {
                Bound::Exact => uci::Bound::Exact,
                Bound::Lower => uci::Bound::Lower,
                Bound::Upper => uci::Bound::Upper,
            },
            wdl: self.show_wdl.then_some(report.wdl),
            nodes: Some(report.nodes),
            nps: Some((report.nodes as f64 / seconds) as u64),
            hashfull: Some(report.hashfull),
            tbhits: Some(report.tb_hits),
            time: Some(report.time),
            pv: report.pv.iter().map(|&m| self.text(m)).collect(),
            ..uci::Info::default()
        }
    }
}

/// The `info` line of a position without legal moves.
pub(super) fn info_without_moves(board: &Board) -> uci::Info {
    let score = if board.in_check() { uci::Score::Mate(0) } else { uci::Score::Cp(0) };
    uci::Info { depth: Some(0), score: Some(score), ..uci::Info::default() }
}

/// Commands and options, for people.
pub(super) fn help() -> String {
    let mut text = String::from(COMMANDS);
    text.push_str("\nOptions (setoption name NAME value VALUE):\n");
    for (name, help) in options::help() {
        text.push_str(&format!("  {name:<18} {help}\n"));
    }
    text
}

const COMMANDS: &str = "\
Nue speaks the Universal Chess Interface. Chess programs send these commands, people may:
  uci                name the engine and its options
  isready            answer readyok
  ucinewgame         forget the game so far
  position startpos [moves e2e4 ...]
  position fen FEN [moves ...]
  go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [ponder]
     [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]
     [searchmoves e2e4 ...]
  stop               end the search and answer
  ponderhit          the expected move was played
  setoption          change an option, see below
  quit               leave
Beyond the protocol:
  go perft N         count the positions N half-moves away, move by move
  d                  show the position
  eval               show the static evaluation
  flip               exchange the colours
  bench [DEPTH]      search the built-in positions and count nodes
  help               this text
";
