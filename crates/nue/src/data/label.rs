// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue data label`: scores by an engine.

use anyhow::{bail, ensure};
use arena::EngineSpec;
use clap::Args;
use contest::TimeControl;
use data::label::{Care, Labeller};
use engine::Evaluation;

use super::common::{Inputs, Target, Work};

/// Give positions scores.
///
/// With --engine any UCI engine judges them, one process for each thread, started again when it crashes. Without, our
/// own engine does, with any network or its hand-crafted evaluation, and no process at all. Games keep their form and get
/// a score for each position; positions without a move also get the best one if there was a search for it.
#[derive(Args)]
#[command(after_help = "Examples:
  nue data label games.vf -o labelled.vf --engine cmd=stockfish,option.Hash=16 --depth 9
  nue data label positions.epd -o positions.nsam --nodes 5000 --net new.nnue
  nue data label games.vf -o relabelled.vf --static --net new.nnue

An engine is described as for `nue match`: cmd=PATH,arg=A,option.NAME=VALUE.")]
pub(crate) struct Label {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    target: Target,

    /// A UCI engine that judges instead of our own
    #[arg(long, value_name = "ENGINE")]
    engine: Option<EngineSpec>,

    /// Search each position this deep
    #[arg(long, value_name = "N", group = "care")]
    depth: Option<u32>,

    /// Search so many nodes of each position
    #[arg(long, value_name = "N", group = "care")]
    nodes: Option<u64>,

    /// Our own evaluation after all captures worth making
    #[arg(long, group = "care", conflicts_with = "engine")]
    quiescence: bool,

    /// Our own evaluation without any search
    #[arg(long = "static", group = "care", conflicts_with = "engine")]
    static_only: bool,

    /// Leave those without a score that are not learned from: in check, or before a capture or promotion
    #[arg(long)]
    quiet: bool,

    /// What our own engine judges with: the file of a network, built-in or hand-crafted
    #[arg(long, value_name = "FILE", default_value = "built-in", conflicts_with = "engine")]
    net: Evaluation,

    /// MiB of hash table for each thread of our own engine
    #[arg(long, value_name = "MB", default_value_t = 16, conflicts_with = "engine")]
    hash: usize,

    /// Tell a UCI engine that positions may be of Chess960
    #[arg(long)]
    chess960: bool,

    #[command(flatten)]
    work: Work,
}

impl Label {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let label = data::Label {
            output: self.target.output.clone(),
            labeller: self.labeller()?,
            quiet: self.quiet,
            force: self.target.force,
        };
        self.work.on_files(&self.inputs, |source, effort, watch| label.run(source, effort, watch))
    }

    fn labeller(&self) -> anyhow::Result<Labeller> {
        let care = match (self.depth, self.nodes) {
            (Some(depth), _) => Care::Depth(depth),
            (_, Some(nodes)) => Care::Nodes(nodes),
            _ if self.quiescence => Care::Quiescence,
            _ if self.static_only => Care::Static,
            _ => {
                bail!("nothing says how much to search, expected --depth, --nodes, --quiescence or --static")
            }
        };
        ensure!(!matches!(care, Care::Depth(0) | Care::Nodes(0)), "a search of 0, expected at least 1");
        let Some(spec) = &self.engine else {
            return Ok(Labeller::Own { net: self.net.clone(), care, hash_mb: self.hash });
        };
        let limit = match care {
            Care::Depth(depth) => TimeControl::Depth(depth),
            Care::Nodes(nodes) => TimeControl::Nodes(nodes),
            Care::Static | Care::Quiescence => bail!("a UCI engine needs --depth or --nodes"),
        };
        Ok(Labeller::Uci { spec: Box::new(spec.clone()), chess960: self.chess960, limit })
    }
}
