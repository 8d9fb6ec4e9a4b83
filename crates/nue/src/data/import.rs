// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue data import`: games to samples, or to games of our own record.

use std::ops::Range;

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};
use data::import::{Rules, Unique};

use super::common::{Inputs, Target, Work};

/// Turn games into training records.
///
/// A file of positions (.nsam, .bullet, .marlin, .txt, .plain, .npy) gets positions chosen by the rules, each with the
/// move played, result, ratings, clocks and `%eval` as far as the format keeps them; a file of games (.vf, .nga,
/// .binpack) gets whole games. Damaged games are skipped and counted with file and line.
#[derive(Args)]
#[command(after_help = "Rules, each of which an option can change:
  blume     both ratings above 1700, 10 random positions of each game
  lombardo  1 random position of each game, none of the first 20 half-moves
  all       every position of every game that has a result

Examples:
  nue data import games.pgn.zst -o blume.npy --rules blume
  nue data import games.pgn.zst -o triplets.nsam --rules lombardo --triplets --unique positions
  nue data import lichess.pgn.zst -o human.nsam --ratings 1400..1600 --no-bullet --min-clock 30 --skip-plies 10
  nue data import games.pgn.zst -o train.vf --part 0..0.95
  nue data import games.pgn.zst -o valid.vf --part 0.95..1")]
pub(crate) struct Import {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    target: Target,

    /// Which rules the options below start from
    #[arg(long, value_name = "RULES", default_value = "all")]
    rules: Preset,

    /// Both ratings lie in this range, its ends included [default: any; blume 1701..]
    #[arg(long, value_name = "MIN..MAX", value_parser = parse_ratings)]
    ratings: Option<[u16; 2]>,

    /// So many random positions of each game, 0 for all [default: 0; blume 10, lombardo 1]
    #[arg(long, value_name = "N")]
    per_game: Option<usize>,

    /// No positions of the first N half-moves [default: 0; lombardo 20]
    #[arg(long, value_name = "N")]
    skip_plies: Option<usize>,

    /// No games of fewer than N half-moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_plies: usize,

    /// No positions in which the mover has fewer seconds left, or an unknown time
    #[arg(long, value_name = "SECONDS")]
    min_clock: Option<u32>,

    /// No games with less time for 40 moves, or an unknown time control
    #[arg(long, value_name = "SECONDS")]
    min_duration: Option<u32>,

    /// The same as --min-duration 180
    #[arg(long, conflicts_with = "min_duration")]
    no_bullet: bool,

    /// No games that ended by forfeit, by the tag Termination
    #[arg(long)]
    no_forfeits: bool,

    /// Games without a result too
    #[arg(long)]
    unfinished: bool,

    /// Only games whose hash lies in this part of 0..1: other parts share no game with it
    #[arg(long, value_name = "FROM..TO", default_value = "0..1", value_parser = parse_part)]
    part: Range<f64>,

    /// Give each position another legal move, drawn at random (PQR triplets)
    #[arg(long)]
    triplets: bool,

    /// What may be there only once
    #[arg(long, value_name = "WHAT", default_value = "no")]
    unique: UniqueChoice,

    /// MiB for remembering what was there, a quarter of a million keys each; the oldest are forgotten first
    #[arg(long, value_name = "MB", default_value_t = 128)]
    unique_memory: usize,

    /// What chance depends on
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    work: Work,
}

#[derive(Copy, Clone, ValueEnum)]
enum Preset {
    All,
    Blume,
    Lombardo,
}

#[derive(Copy, Clone, ValueEnum)]
enum UniqueChoice {
    No,
    Positions,
    Games,
}

/// A range of which either end may be missing.
fn parse_ratings(text: &str) -> anyhow::Result<[u16; 2]> {
    let expected = || format!("'{text}' is no range of ratings, expected MIN..MAX");
    let (from, to) = text.split_once("..").with_context(expected)?;
    let end = |text: &str, missing: u16| match text.trim() {
        "" => Ok(missing),
        number => number.parse().with_context(expected),
    };
    let range = [end(from, 0)?, end(to, u16::MAX)?];
    ensure!(range[0] <= range[1], "{}", expected());
    Ok(range)
}

/// A part of everything between 0 and 1.
fn parse_part(text: &str) -> anyhow::Result<Range<f64>> {
    let expected = || format!("'{text}' is no part, expected FROM..TO between 0 and 1");
    let (from, to) = text.split_once("..").with_context(expected)?;
    let (from, to): (f64, f64) =
        (from.trim().parse().with_context(expected)?, to.trim().parse().with_context(expected)?);
    ensure!((0.0..1.0).contains(&from) && from < to && to <= 1.0, "{}", expected());
    Ok(from..to)
}

impl Import {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let import = data::Import {
            output: self.target.output.clone(),
            rules: self.rules(),
            unique: match self.unique {
                UniqueChoice::No => Unique::No,
                UniqueChoice::Positions => Unique::Positions,
                UniqueChoice::Games => Unique::Games,
            },
            memory: self.unique_memory,
            seed: self.seed,
            force: self.target.force,
        };
        self.work.on_files(&self.inputs, |source, effort, watch| import.run(source, effort, watch))
    }

    fn rules(&self) -> Rules {
        let preset = match self.rules {
            Preset::All => Rules::default(),
            Preset::Blume => Rules::blume(),
            Preset::Lombardo => Rules::lombardo(),
        };
        Rules {
            ratings: self.ratings.map_or(preset.ratings, |[from, to]| from..=to),
            per_game: self.per_game.map_or(preset.per_game, |count| (count > 0).then_some(count)),
            skip_plies: self.skip_plies.unwrap_or(preset.skip_plies),
            min_plies: self.min_plies,
            min_clock: self.min_clock,
            min_duration: if self.no_bullet { Some(180) } else { self.min_duration },
            no_forfeits: self.no_forfeits,
            unfinished: self.unfinished,
            part: self.part.clone(),
            triplets: self.triplets,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_may_lack_an_end() {
        assert_eq!(parse_ratings("1701..").unwrap(), [1701, u16::MAX]);
        assert_eq!(parse_ratings("..1500").unwrap(), [0, 1500]);
        assert_eq!(parse_ratings("1400..1500").unwrap(), [1400, 1500]);
        for text in ["", "1500", "a..b", "1500..1400", "1..99999"] {
            assert!(parse_ratings(text).is_err(), "{text}");
        }
    }

    #[test]
    fn parts_lie_between_nothing_and_everything() {
        assert_eq!(parse_part("0..0.95").unwrap(), 0.0..0.95);
        for text in ["", "0.5", "0..2", "0.5..0.5", "-1..1", "NaN..1"] {
            assert!(parse_part(text).is_err(), "{text}");
        }
    }
}
