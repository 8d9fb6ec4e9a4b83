// SPDX-License-Identifier: GPL-3.0-or-later
//! From games to samples, or to games of our own record: `files -> rules -> records`.

mod played;
mod rules;
mod unique;

use std::{cell::RefCell, path::PathBuf};

use ::rules::Random;
use formats::{
    Kind,
    game_key::is_in,
    pgn::bulk::{BulkReader, BulkTags},
    pieces::{Body, Grain},
};
use serde_json::json;

use self::{
    played::Played,
    unique::{Found, Sieve},
};
pub use self::{rules::Rules, unique::Unique};
use crate::{
    Counts, DataError, Effort, Encoder, Watch, flow,
    job::{Manifest, Output},
    raw::{Raw, count_batch, count_errors},
    source::Source,
    triplet,
};

/// An import.
#[derive(Clone, Debug)]
pub struct Import {
    /// Where the records go; the ending says what they are.
    pub output: PathBuf,
    /// What is taken.
    pub rules: Rules,
    /// What may be there only once.
    pub unique: Unique,
    /// Mebibytes for remembering what was there.
    pub memory: usize,
    /// What chance depends on.
    pub seed: u64,
    /// Whether to replace what is there.
    pub force: bool,
}

impl Import {
    /// Imports games; goes on where an earlier run was interrupted.
    ///
    /// # Errors
    /// When files cannot be had or do not fit together, or at the first damage if that is wanted.
    pub fn run(&self, source: &Source, effort: Effort, watch: &mut Watch<'_>) -> Result<Manifest, DataError> {
        let encoder = self.check(source)?;
        let mut outputs = encoder.outputs(&self.output);
        if self.unique != Unique::No {
            outputs.push(Output::scratch(&self.output.with_added_extension("keys")));
        }
        let mut plan = source.plan("import", outputs, self.force)?;
        plan.settings.set("rules", self.rules.to_json());
        plan.settings.set("unique", json!([self.unique.name(), self.memory]));
        plan.settings.set("seed", json!(self.seed));
        flow::carry_out(plan, effort, |job| {
            let mut sieve = Sieve::new(self.unique, self.memory, encoder.files(), job)?;
            let work = |(): &mut (), raw: Raw| self.piece(raw, encoder, effort.strict);
            let pieces = source.pieces(Grain::COARSE);
            flow::run_settling(
                job,
                pieces,
                effort.threads,
                || (),
                work,
                |job, found| sieve.settle(job, found),
                watch,
            )?;
            encoder.finish(job)
        })
    }

    /// Whether the parts of the import fit together.
    fn check(&self, source: &Source) -> Result<Encoder, DataError> {
        let encoder = Encoder::of(&self.output)?;
        if let Some((path, _)) = source.kinds().find(|(_, kind)| !kind.holds_games()) {
            let (found, expected) = ("positions", "games");
            return Err(DataError::Holds { path: path.to_owned(), found, expected });
        }
        let refused = |wanted: &str, expected: &str| {
            Err(DataError::Settings { wanted: wanted.to_owned(), expected: expected.to_owned() })
        };
        if encoder.writes_games() {
            let all =
                self.rules.per_game.is_none() && self.rules.skip_plies == 0 && self.rules.min_clock.is_none();
            if !all {
                return refused("single positions for a file of games", "a file of positions such as .nsam");
            }
            if self.unique == Unique::Positions {
                return refused(
                    "unique positions in a file of games",
                    "unique games, or a file of positions",
                );
            }
            if self.rules.unfinished {
                return refused(
                    "games without result in a file of games",
                    "a file of positions such as .nsam",
                );
            }
        }
        if self.unique != Unique::No && !encoder.is_piecewise() {
            return refused("unique games in a file of coded blocks", ".vf, to be converted afterwards");
        }
        if self.rules.triplets && encoder.kind() != Kind::Samples {
            return refused("triplets in a file that has no room for them", ".nsam");
        }
        Ok(encoder)
    }

    /// What is found in a piece of a file.
    fn piece(&self, raw: Raw, encoder: Encoder, strict: bool) -> Result<Found, DataError> {
        let counts = RefCell::new(Counts::default());
        let mut found = Found::new(encoder.files());
        let Raw { file, kind, body } = raw;
        if let Ok(Body::Pgn(chunk)) = &body {
            let mut reader = BulkReader::new(&chunk.text, chunk.first_line);
            let wanted = |tags: &BulkTags| match self.rules.refuses_tags(tags) {
                None => true,
                Some(reason) => {
                    counts.borrow_mut().skip_game(reason);
                    false
                }
            };
            while let Some(game) = reader.next_game_where(wanted) {
                match game {
                    Ok(game) => {
                        let tag = game.tags.outcome;
                        self.game(game.into(), tag, encoder, &mut counts.borrow_mut(), &mut found);
                    }
                    Err(error) => {
                        let errors = vec![error.in_file(&file)];
                        count_errors(errors, true, &mut counts.borrow_mut(), strict)?;
                    }
                }
            }
        } else {
            let mut batch = Raw { file, kind, body }.decode()?;
            count_batch(&mut batch, &mut counts.borrow_mut(), strict)?;
            for game in batch.games {
                self.game(game.into(), None, encoder, &mut counts.borrow_mut(), &mut found);
            }
        }
        Ok(found.finish(encoder, counts.into_inner()))
    }

    /// What is found in a game.
    fn game(
        &self,
        game: Played,
        tag: Option<::rules::Outcome>,
        encoder: Encoder,
        counts: &mut Counts,
        found: &mut Found,
    ) {
        if let Some(reason) = self.rules.refuses_end(game.moves.len(), game.outcome, tag) {
            return counts.skip_game(reason);
        }
        let key = game.key();
        if !is_in(&self.rules.part, key, PART_SEED) {
            return counts.skip_game("other part");
        }
        if encoder.writes_games() {
            counts.games += 1;
            return found.game(key, game.record().expect("it has a result"), self.unique, encoder, counts);
        }
        // The same game gives the same positions wherever it stands.
        let mut random = Random::stream(self.seed, key);
        let plies = self.rules.choose(game.moves.len(), |ply| game.clock(ply), &mut random);
        let mut samples = game.samples(&plies);
        if self.rules.triplets {
            let before = samples.len();
            samples.retain_mut(|sample| triplet::complete(sample, &mut random));
            counts.skip_positions("only move", (before - samples.len()) as u64);
        }
        if samples.is_empty() {
            return counts.skip_game("no position");
        }
        counts.games += 1;
        found.samples(key, &samples, self.unique, encoder, counts);
    }
}

/// Parts of all games are the same for everybody, so that a test set made today stays apart from the training
/// set made tomorrow.
pub const PART_SEED: u64 = 0;
