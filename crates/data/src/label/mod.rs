// SPDX-License-Identifier: GPL-3.0-or-later
//! Scores for positions: `games or samples -> judges on many threads -> the same with scores`.
//!
//! A judge is a UCI engine in a process of its own, or our engine without one. Each is asked about a game, or a
//! few positions, as if it had never been asked before, so that scores depend neither on the number of threads
//! nor on where an earlier run was interrupted.

mod judge;
mod own;
mod uci;
mod unit;

use std::path::PathBuf;

use arena::EngineSpec;
use contest::TimeControl;
use engine::{Evaluation, Options};
use serde_json::{Value, json};

pub use self::{
    judge::{Judge, Judgement, Line},
    own::{Care, OwnJudge},
    uci::UciJudge,
};
use crate::{
    Counts, DataError, Done, Effort, Encoder, Watch, flow,
    job::{Manifest, of_evaluation},
    raw::{Raw, count_batch},
    source::{Grain, Source},
};

/// Who gives the scores.
#[derive(Clone, Debug)]
pub enum Labeller {
    /// Our engine.
    Own {
        /// What it judges with.
        net: Evaluation,
        /// How much it does.
        care: Care,
        /// Mebibytes of hash table for each thread.
        hash_mb: usize,
    },
    /// A UCI engine.
    Uci {
        /// How it is started.
        spec: Box<EngineSpec>,
        /// Whether positions may be of Chess960.
        chess960: bool,
        /// Nodes or depth.
        limit: TimeControl,
    },
}

impl Labeller {
    fn options(net: &Evaluation, hash_mb: usize) -> Options {
        Options { hash_mb, evaluation: net.clone(), ..Options::default() }
    }

    /// Whether such a judge can be had at all.
    fn try_out(&self) -> Result<(), DataError> {
        match self {
            Labeller::Own { net, care, hash_mb } => {
                OwnJudge::new(Labeller::options(net, *hash_mb), *care).map(drop)
            }
            Labeller::Uci { spec, chess960, .. } => UciJudge::try_out(spec, *chess960),
        }
    }

    /// A judge for one thread.
    fn judge(&self) -> Box<dyn Judge> {
        match self {
            Labeller::Own { net, care, hash_mb } => {
                let judge = OwnJudge::new(Labeller::options(net, *hash_mb), *care);
                Box::new(judge.expect("options that were tried out"))
            }
            Labeller::Uci { spec, chess960, limit } => {
                Box::new(UciJudge::new(EngineSpec::clone(spec), *chess960, *limit))
            }
        }
    }

    /// How large pieces of work may be, so that little is lost when it is interrupted.
    fn grain(&self) -> Grain {
        match self {
            Labeller::Own { care: Care::Static | Care::Quiescence, .. } => {
                Grain { bytes: 1 << 17, records: 1 << 12 }
            }
            Labeller::Own { .. } | Labeller::Uci { .. } => Grain::FINE,
        }
    }

    fn to_json(&self) -> Result<Value, DataError> {
        Ok(match self {
            Labeller::Own { net, care, hash_mb } => json!({
                "net": of_evaluation(net)?,
                "care": format!("{care:?}"),
                "hash": hash_mb,
            }),
            Labeller::Uci { spec, chess960, limit } => {
                json!({ "engine": spec.to_string(), "limit": limit.to_string(), "chess960": chess960 })
            }
        })
    }
}

/// A labelling.
#[derive(Clone, Debug)]
pub struct Label {
    /// Where the records go; the ending says what they are.
    pub output: PathBuf,
    /// Who gives the scores.
    pub labeller: Labeller,
    /// Whether positions in check, or before a capture or promotion, are left without a score.
    pub quiet: bool,
    /// Whether to replace what is there.
    pub force: bool,
}

impl Label {
    /// Labels; goes on where an earlier run was interrupted.
    ///
    /// # Errors
    /// When files or judges cannot be had, or at the first damage if that is wanted.
    pub fn run(&self, source: &Source, effort: Effort, watch: &mut Watch<'_>) -> Result<Manifest, DataError> {
        let encoder = Encoder::of(&self.output)?;
        self.labeller.try_out()?;
        let mut plan = source.plan("label", encoder.outputs(&self.output), self.force)?;
        plan.settings.set("labeller", self.labeller.to_json()?);
        plan.settings.set("quiet", json!(self.quiet));
        flow::carry_out(plan, effort, |job| {
            let work =
                |judge: &mut Box<dyn Judge>, raw: Raw| self.piece(raw, &mut **judge, encoder, effort.strict);
            let pieces = source.pieces(self.labeller.grain());
            flow::run(job, pieces, effort.threads, || self.labeller.judge(), work, watch)?;
            encoder.finish(job)
        })
    }

    fn piece(
        &self,
        raw: Raw,
        judge: &mut dyn Judge,
        encoder: Encoder,
        strict: bool,
    ) -> Result<Done, DataError> {
        let mut counts = Counts::default();
        let mut batch = raw.decode()?;
        count_batch(&mut batch, &mut counts, strict)?;
        let pieces = if batch.holds_games {
            let games = unit::label_games(batch.games, self.quiet, judge, &mut counts);
            counts.games += games.len() as u64;
            encoder.games(&games, &mut counts)
        } else {
            encoder.samples(&unit::label_samples(batch.samples, self.quiet, judge, &mut counts), &mut counts)
        };
        Ok(Done { pieces, counts })
    }
}
