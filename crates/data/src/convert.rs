// SPDX-License-Identifier: GPL-3.0-or-later
//! From one kind of file to another, whole or through a filter.

use std::path::PathBuf;

use formats::{Kind, sample::Sample};
use rules::Random;
use serde_json::json;

use crate::{
    Counts, DataError, Done, Effort, Encoder, Watch,
    filter::Filter,
    flow,
    job::Manifest,
    raw::{Raw, count_batch},
    source::{Grain, Source},
    triplet,
};

/// A conversion.
#[derive(Clone, Debug)]
pub struct Convert {
    /// The name of the command in the manifest.
    pub command: &'static str,
    /// Where the records go; the ending says what they are.
    pub output: PathBuf,
    /// Which positions pass.
    pub filter: Filter,
    /// Whether positions get another move, drawn at random.
    pub triplets: bool,
    /// What chance depends on.
    pub seed: u64,
    /// Whether to replace what is there.
    pub force: bool,
}

impl Convert {
    /// Converts; goes on where an earlier run was interrupted.
    ///
    /// # Errors
    /// When files cannot be had or do not fit together, or at the first damage if that is wanted.
    pub fn run(&self, source: &Source, effort: Effort, watch: &mut Watch<'_>) -> Result<Manifest, DataError> {
        let encoder = Encoder::of(&self.output)?;
        let single = self.filter != Filter::default() || self.triplets;
        if single && encoder.writes_games() {
            let (found, expected) = ("whole games", "single positions, such as .nsam");
            return Err(DataError::Holds { path: self.output.clone(), found, expected });
        }
        if self.triplets && encoder.kind() != Kind::Samples {
            let (found, expected) = ("no room for triplets", "room: .nsam");
            return Err(DataError::Holds { path: self.output.clone(), found, expected });
        }
        let mut plan = source.plan(self.command, encoder.outputs(&self.output), self.force)?;
        plan.settings.set("filter", self.filter.to_json());
        plan.settings.set("triplets", json!(self.triplets));
        plan.settings.set("seed", json!(self.seed));
        flow::carry_out(plan, effort, |job| {
            let work = |(): &mut (), raw: Raw| self.piece(raw, encoder, single, effort.strict);
            flow::run(job, source.pieces(encoder.grain()), effort.threads, || (), work, watch)?;
            encoder.finish(job)
        })
    }

    fn piece(&self, raw: Raw, encoder: Encoder, single: bool, strict: bool) -> Result<Done, DataError> {
        let mut counts = Counts::default();
        let mut batch = raw.decode()?;
        count_batch(&mut batch, &mut counts, strict)?;
        counts.games += batch.games.len() as u64;
        if batch.holds_games && !single {
            return Ok(Done { pieces: encoder.games(&batch.games, &mut counts), counts });
        }
        let of_games = batch.games.iter().flat_map(|game| game.samples());
        let mut samples: Vec<Sample> = Vec::new();
        for mut sample in of_games.chain(batch.samples.iter().copied()) {
            if let Some(reason) = self.filter.refuses(&sample, self.seed) {
                counts.skip_position(reason);
                continue;
            }
            if self.triplets {
                let mut random = Random::stream(self.seed, sample.board.key());
                if !triplet::complete(&mut sample, &mut random) {
                    counts.skip_position(if sample.played.is_some() { "only move" } else { "no move" });
                    continue;
                }
            }
            samples.push(sample);
        }
        Ok(Done { pieces: encoder.samples(&samples, &mut counts), counts })
    }
}

impl Encoder {
    /// Pieces of input that suit the output.
    pub fn grain(&self) -> Grain {
        match self.kind() {
            // A block learns from its games, and the more there are the better.
            Kind::Archive => Grain { bytes: 2 << 20, ..Grain::COARSE },
            _ => Grain::COARSE,
        }
    }
}
