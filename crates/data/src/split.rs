// SPDX-License-Identifier: GPL-3.0-or-later
//! One set of games divided into several, by game and never by position.

use std::path::PathBuf;

use formats::{
    game_key::{game_key, share_of},
    games::GameRecord,
    pieces::Grain,
};
use serde_json::json;

use crate::{
    Counts, DataError, Done, Effort, Encoder, Watch, flow,
    job::Manifest,
    raw::{Raw, count_batch},
    source::Source,
};

/// A division of games.
#[derive(Clone, Debug)]
pub struct Split {
    /// The files with their shares, which need not add up to anything: they are compared with each other.
    pub parts: Vec<(PathBuf, f64)>,
    /// What the division depends on.
    pub seed: u64,
    /// Whether to replace what is there.
    pub force: bool,
}

impl Split {
    /// Divides games; goes on where an earlier run was interrupted.
    ///
    /// # Errors
    /// When files cannot be had or do not fit together, or at the first damage if that is wanted.
    pub fn run(&self, source: &Source, effort: Effort, watch: &mut Watch<'_>) -> Result<Manifest, DataError> {
        let encoders = self.check(source)?;
        let outputs = encoders.iter().zip(&self.parts).flat_map(|(encoder, (path, _))| encoder.outputs(path));
        let mut plan = source.plan("split", outputs.collect(), self.force)?;
        let parts: Vec<_> =
            self.parts.iter().map(|(path, share)| json!([path.display().to_string(), share])).collect();
        plan.settings.set("parts", json!(parts));
        plan.settings.set("seed", json!(self.seed));
        flow::carry_out(plan, effort, |job| {
            let work = |(): &mut (), raw: Raw| self.piece(raw, &encoders, effort.strict);
            flow::run(job, source.pieces(Grain::COARSE), effort.threads, || (), work, watch)
        })
    }

    fn check(&self, source: &Source) -> Result<Vec<Encoder>, DataError> {
        if let Some((path, _)) = source.kinds().find(|(_, kind)| !kind.holds_games()) {
            let (found, expected) =
                ("positions", "whole games: positions of one game are alike and must stay together");
            return Err(DataError::Holds { path: path.to_owned(), found, expected });
        }
        let total: f64 = self.parts.iter().map(|(_, share)| share).sum();
        let good = |share: f64| share.is_finite() && share > 0.0;
        if self.parts.len() < 2 || !total.is_finite() || !self.parts.iter().all(|(_, share)| good(*share)) {
            let wanted = format!("{} parts with shares that add up to {total}", self.parts.len());
            let expected = "at least two parts, each with a share above 0".to_owned();
            return Err(DataError::Settings { wanted, expected });
        }
        let encoders = self.parts.iter().map(|(path, _)| {
            let encoder = Encoder::of(path)?;
            if encoder.files() > 1 {
                let (found, expected) = ("arrays", "games or positions, which `convert` turns into arrays");
                return Err(DataError::Holds { path: path.clone(), found, expected });
            }
            Ok(encoder)
        });
        encoders.collect()
    }

    /// The number of the part that a game belongs to.
    fn part_of(&self, game: &GameRecord) -> usize {
        let key = game_key(&game.start, game.moves.iter().map(|&(m, _)| m));
        let total: f64 = self.parts.iter().map(|(_, share)| share).sum();
        let place = share_of(key, self.seed) * total;
        let mut end = 0.0;
        let found = self.parts.iter().position(|(_, share)| {
            end += share;
            place < end
        });
        found.unwrap_or(self.parts.len() - 1)
    }

    fn piece(&self, raw: Raw, encoders: &[Encoder], strict: bool) -> Result<Done, DataError> {
        let mut counts = Counts::default();
        let mut batch = raw.decode()?;
        count_batch(&mut batch, &mut counts, strict)?;
        let mut parts = vec![Vec::new(); encoders.len()];
        for game in batch.games {
            parts[self.part_of(&game)].push(game);
        }
        let mut pieces = Vec::new();
        for (number, (games, encoder)) in parts.iter().zip(encoders).enumerate() {
            counts.games += games.len() as u64;
            counts.tally(&format!("games of part {}", number + 1), games.len() as u64);
            pieces.extend(if games.is_empty() {
                vec![Vec::new()]
            } else {
                encoder.games(games, &mut counts)
            });
        }
        Ok(Done { pieces, counts })
    }
}
