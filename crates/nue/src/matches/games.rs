// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue match`: engines play each other.

use std::process::ExitCode;

use anyhow::ensure;
use clap::Args;
use contest::pairing::{Pairing, Schedule};
use serde_json::json;

use super::{options::ArenaOptions, run};
use crate::game_options::ENGINES_HELP;

/// Play engines against each other.
///
/// Two or more engines, everybody against everybody or some against the rest. The table counts games and
/// pairs of games (one opening, both colours), from which Elo, its error and the likelihood of superiority
/// (LOS) are computed. Stop the match as you like: the same command goes on where it was.
#[derive(Args)]
#[command(after_help = format!("Examples:
  nue match --engine cmd=./nue,name=new --engine cmd=/tmp/nue-base,name=base --book UHO.epd.zst --games 500 \\
      --tc 8+0.08 --concurrency 2 --pgn match.pgn
  nue match --engine own --engine cmd=toga2 --engine cmd=gnuchess,arg=--uci --book UHO.epd.zst \\
      --tc nodes=20000 --gauntlet 1

{ENGINES_HELP}"))]
pub(crate) struct Match {
    #[command(flatten)]
    options: ArenaOptions,

    /// Games that each two engines play: an even number; may be raised when a match goes on
    #[arg(long, value_name = "N", default_value_t = 200)]
    games: usize,

    /// The first N engines each play all the others, not each other
    #[arg(long, value_name = "N")]
    gauntlet: Option<usize>,
}

impl Match {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        self.options.check()?;
        let games = self.games;
        ensure!(games > 0 && games.is_multiple_of(2), "{games} games, expected an even number");
        let pairing = match self.gauntlet {
            Some(challengers) => Pairing::Gauntlet { challengers },
            None => Pairing::RoundRobin,
        };
        let schedule = Schedule::new(pairing, self.options.engines.len(), games / 2)?;
        let mut settings = self.options.settings();
        settings.insert("gauntlet".to_owned(), json!(self.gauntlet));
        let book = self.options.play.book()?;
        let played = run::play(&self.options, book.as_ref(), schedule, &settings, None)?;
        if self.options.json {
            say!("{:#}", played.json);
        }
        Ok(ExitCode::SUCCESS)
    }
}
