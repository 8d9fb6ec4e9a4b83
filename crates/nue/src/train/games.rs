// SPDX-License-Identifier: GPL-3.0-or-later
//! Elo in the loop: fixed-node games of a network in the making, by the arena.

use std::path::{Path, PathBuf};

use arena::{Conditions, Duel, DuelResult, Duels, EngineSpec, Program, StartError};
use contest::{
    Pentanomial, TimeControl,
    adjudicate::{self, DrawRule, ResignRule},
};
use data::selfplay::Openings;
use engine::Engine;
use formats::book::Opening;
use rules::Random;
use trainer::{
    EloSpec,
    run::{Rating, Referee},
};

/// Openings are the same for every match of every run.
const SEED: u64 = 1;
/// The largest static score of an opening, in centipawns.
const LEVEL: i32 = 150;
/// What a match without a loss or a win is called.
const MOST_ELO: f64 = 1000.0;

/// Matches against a reference.
pub(crate) struct Games {
    pub(crate) spec: EloSpec,
    pub(crate) reference: Option<PathBuf>,
    pub(crate) threads: usize,
}

impl Referee for Games {
    fn play(&mut self, net: &Path) -> Result<Rating, String> {
        let engine = EngineSpec {
            name: "nue".to_owned(),
            program: Program::Own,
            options: vec![("Hash".to_owned(), "8".to_owned())],
            time_control: None,
        };
        let conditions = Conditions {
            adjudication: adjudicate::Rules {
                draw: Some(DrawRule { from_move: 40, count: 8, score: 8 }),
                resign: Some(ResignRule { count: 4, score: 600, two_sided: true }),
                max_moves: Some(400),
            },
            ..Conditions::default()
        };
        let duels = Duels {
            engine: &engine,
            time_control: TimeControl::Nodes(self.spec.nodes),
            conditions: &conditions,
            concurrency: self.threads,
        };
        let options = [option(Some(net)), option(self.reference.as_deref())];
        let mut openings = (0..self.spec.games / 2).zip(openings());
        let mut pairs = Pentanomial::default();
        duels
            .run(|result: Option<DuelResult>| {
                if let Some(result) = result {
                    let [_, draws, wins] = result.games.counts();
                    pairs.add((2 * wins + draws) as usize);
                }
                let duel =
                    |(number, opening)| Duel { number, options: options.clone(), openings: vec![opening] };
                Ok::<_, StartError>(openings.next().map(duel))
            })
            .map_err(|error| error.to_string())?;
        let elo = pairs.elo();
        Ok(Rating { elo: elo.value.clamp(-MOST_ELO, MOST_ELO), error: elo.error })
    }
}

fn option(net: Option<&Path>) -> Vec<(String, String)> {
    let file = net.map_or_else(|| "<hand-crafted>".to_owned(), |path| path.display().to_string());
    vec![("EvalFile".to_owned(), file)]
}

/// Level positions after some random moves.
fn openings() -> impl Iterator<Item = Opening> {
    let mut engine = Engine::new();
    (0..).filter_map(move |number| {
        let game = Openings::default().draw(&mut Random::stream(SEED, number))?;
        let start = *game.board();
        (engine.evaluate(&start).abs() <= LEVEL).then_some(Opening { start, moves: Vec::new() })
    })
}
