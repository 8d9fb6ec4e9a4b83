// SPDX-License-Identifier: GPL-3.0-or-later
//! Games of our engine against itself: `seed -> openings -> games with scores`.
//!
//! A game is a function of the settings, the seed and its number, so that games can be played on any number of
//! threads, and a run that was interrupted goes on with the next number. The engine is the one that plays
//! matches; nothing in it knows of data.

mod game;
mod openings;

use std::{
    io::Read,
    path::{Path, PathBuf},
};

use contest::adjudicate;
use engine::{Engine, Evaluation, Limits, Options};
use formats::Kind;
use rules::Random;
use serde_json::json;

use self::game::{Conditions, Finished};
pub use self::openings::Openings;
use crate::{
    Counts, DataError, Effort, Encoder, Watch, flow,
    job::{Job, Manifest, Output, Plan, Settings, of_evaluation, sketch},
    seen::Seen,
};

/// Memory for noticing games and openings that were there before, in mebibytes each.
const MEMORY: usize = 16;

/// A run of self-play.
#[derive(Clone, Debug)]
pub struct Selfplay {
    /// Where the games go: `.vf`.
    pub output: PathBuf,
    /// How many games.
    pub games: u64,
    /// When a search starts no further iteration.
    pub soft_nodes: u64,
    /// When a search ends at once, if ever.
    pub hard_nodes: Option<u64>,
    /// How games begin.
    pub openings: Openings,
    /// The book that the openings were read from.
    pub book: Option<PathBuf>,
    /// A first score beyond this refuses an opening.
    pub first_score: i16,
    /// The share of moves that chance chooses, 0 to 1.
    pub random_moves: f64,
    /// When games end that could go on.
    pub rules: adjudicate::Rules,
    /// Who judges positions.
    pub net: Evaluation,
    /// Mebibytes of hash table for each thread.
    pub hash_mb: usize,
    /// What chance depends on.
    pub seed: u64,
    /// Whether to replace what is there.
    pub force: bool,
}

impl Selfplay {
    /// Plays the games that are not yet played.
    ///
    /// # Errors
    /// When files cannot be had, or the engine cannot be set up.
    pub fn run(&self, effort: Effort, watch: &mut Watch<'_>) -> Result<Manifest, DataError> {
        let encoder = Encoder::of(&self.output)?;
        if encoder.kind() != Kind::Viriformat {
            let (found, expected) =
                ("other records", "games of viriformat, .vf, which `convert` turns into others");
            return Err(DataError::Holds { path: self.output.clone(), found, expected });
        }
        let options = Options { hash_mb: self.hash_mb, evaluation: self.net.clone(), ..Options::default() };
        Engine::with_options(options.clone())?;
        let mut outputs = encoder.outputs(&self.output);
        outputs.push(Output::scratch(&self.output.with_added_extension("keys")));
        let plan = Plan { command: "selfplay", settings: self.settings()?, outputs, force: self.force };
        flow::carry_out(plan, effort, |job| {
            let limits =
                Limits { soft_nodes: Some(self.soft_nodes), nodes: self.hard_nodes, ..Limits::default() };
            let conditions = Conditions {
                openings: &self.openings,
                limits: &limits,
                rules: &self.rules,
                first_score: self.first_score,
                random_moves: self.random_moves,
            };
            let player = || {
                let mut engine = Engine::with_options(options.clone()).expect("options that were tried");
                engine.search_on_caller();
                engine
            };
            let work = |engine: &mut Engine, number: u64| {
                Ok(game::play(engine, &conditions, &mut Random::stream(self.seed, number)))
            };
            let mut novelty = Novelty::new(job)?;
            let mut settle = |job: &mut Job, finished: Option<Finished>| {
                let Some(Finished { record, mut counts }) = finished else {
                    let mut counts = Counts::default();
                    counts.skip_game("no sane opening");
                    return Ok(counts);
                };
                novelty.note(job, &record, &mut counts)?;
                let pieces = encoder.games(&[record], &mut counts);
                job.append(0, &pieces[0])?;
                Ok(counts)
            };
            flow::run_settling(job, 0..self.games, effort.threads, player, work, &mut settle, watch)
        })
    }

    fn settings(&self) -> Result<Settings, DataError> {
        let mut settings = Settings::new("selfplay", &[])?;
        let file = |path: &Path| -> Result<_, DataError> {
            let sketch = sketch(path).map_err(DataError::io(path))?;
            Ok(json!({ "file": path.display().to_string(), "sketch": sketch }))
        };
        settings.set("games", json!(self.games));
        settings.set("nodes", json!([self.soft_nodes, self.hard_nodes]));
        settings.set("openings", self.openings.to_json());
        settings.set("book", self.book.as_deref().map(file).transpose()?.unwrap_or_default());
        settings.set("first_score", json!(self.first_score));
        settings.set("random_moves", json!(self.random_moves));
        settings.set("adjudication", json!(format!("{:?}", self.rules)));
        settings.set("net", of_evaluation(&self.net)?);
        settings.set("hash", json!(self.hash_mb));
        settings.set("seed", json!(self.seed));
        Ok(settings)
    }
}

/// Notices what was there before, also in the run that was interrupted.
struct Novelty {
    openings: Seen,
    games: Seen,
}

impl Novelty {
    fn new(job: &mut Job) -> Result<Novelty, DataError> {
        let mut novelty = Novelty { openings: Seen::new(MEMORY), games: Seen::new(MEMORY) };
        let (mut reader, mut keys) = (job.read_back(1)?, [0; 16]);
        while reader.read_exact(&mut keys).is_ok() {
            let [opening, game] =
                [0, 8].map(|at| u64::from_le_bytes(keys[at..at + 8].try_into().expect("8 bytes")));
            novelty.openings.insert(opening);
            novelty.games.insert(game);
        }
        Ok(novelty)
    }

    fn note(
        &mut self,
        job: &mut Job,
        record: &formats::games::GameRecord,
        counts: &mut Counts,
    ) -> Result<(), DataError> {
        let keys = [
            record.start.key(),
            formats::game_key::game_key(&record.start, record.moves.iter().map(|&(m, _)| m)),
        ];
        let repeated = [!self.openings.insert(keys[0]), !self.games.insert(keys[1])];
        for (name, repeated) in ["repeated openings", "repeated games"].into_iter().zip(repeated) {
            counts.tally(name, u64::from(repeated));
        }
        keys.iter().try_for_each(|key| job.append(1, &key.to_le_bytes()))
    }
}
