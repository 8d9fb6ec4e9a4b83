// SPDX-License-Identifier: GPL-3.0-or-later
//! Matches between two UCI engines: openings -> slots playing pairs -> records -> tally and PGN.
//!
//! Each opening is played twice with colours reversed. A slot is a thread with a process of each
//! engine; slots take pairs from a shared counter and hand finished games to the main thread, which
//! alone prints and writes.

mod adjudicate;
mod book;
mod clock;
mod game;
mod opinion;
mod pgn;
mod player;
mod report;
#[cfg(all(test, unix))]
mod scripted;
mod slot;
mod spec;
mod tally;

use std::{
    path::PathBuf,
    sync::{atomic::AtomicUsize, mpsc},
    thread,
    time::Duration,
};

use anyhow::ensure;

use self::{
    adjudicate::{DrawRule, ResignRule},
    clock::TimeControl,
    game::Conditions,
    pgn::{PgnFile, Tags},
    spec::EngineSpec,
    tally::Tally,
};

/// Options of `cargo xtask match`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// An engine, given twice: cmd=PATH[,name=N][,arg=A]...[,option.NAME=VALUE]...
    #[arg(long = "engine", value_name = "SPEC", required = true)]
    engines: Vec<EngineSpec>,
    /// Number of games, an even number
    #[arg(long, default_value_t = 200)]
    games: usize,
    /// Time control: seconds for the game plus seconds per move, or nodes=N for each move
    #[arg(long = "tc", value_name = "BASE+INCREMENT", default_value = "5+0.05")]
    time_control: TimeControl,
    /// Openings, an EPD file (.epd or .epd.zst)
    #[arg(long, value_name = "FILE")]
    book: PathBuf,
    /// Games played at the same time
    #[arg(long, default_value_t = 2)]
    concurrency: usize,
    /// Which openings are drawn from the book
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to write the games
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Moves by each side after which a game is a draw
    #[arg(long, default_value_t = 400)]
    max_moves: usize,
    /// Milliseconds by which a clock may be overdrawn
    #[arg(long, value_name = "MS", default_value_t = 10)]
    margin: u64,
    /// Draw from move MOVE on when both engines stay within SCORE centipawns for COUNT moves
    #[arg(long, value_name = "MOVE,COUNT,SCORE", default_value = "40,8,8")]
    draw: DrawRule,
    /// Win when both engines see one side ahead by SCORE centipawns for COUNT moves
    #[arg(long, value_name = "COUNT,SCORE", default_value = "4,600")]
    resign: ResignRule,
    /// Play every game to its end on the board
    #[arg(long)]
    no_adjudication: bool,
    /// Play by the rules of Chess960
    #[arg(long)]
    chess960: bool,
}

/// Plays the match and prints a line per game and a summary.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let [first, second] = &options.engines[..] else {
        anyhow::bail!("{} engines given, expected two", options.engines.len());
    };
    ensure!(first.name != second.name, "both engines are called '{}': give one a name=", first.name);
    ensure!(
        options.games > 0 && options.games.is_multiple_of(2),
        "{} games, expected an even number",
        options.games
    );
    ensure!(options.concurrency > 0, "no game could be played at a concurrency of 0");

    let pairs = options.games / 2;
    let conditions = Conditions {
        time_control: options.time_control,
        margin: Duration::from_millis(options.margin),
        patience: Duration::from_secs(5),
        max_moves: options.max_moves,
        draw: (!options.no_adjudication).then_some(options.draw),
        resign: (!options.no_adjudication).then_some(options.resign),
        chess960: options.chess960,
    };
    let openings = book::draw_openings(&options.book, pairs, options.seed)?;
    let mut pgn = options.pgn.as_deref().map(PgnFile::create).transpose()?;
    let mut tally = Tally::new(pairs);

    let next_pair = AtomicUsize::new(0);
    let (sender, finished) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..options.concurrency.min(pairs) {
            let sender = sender.clone();
            let (openings, next_pair) = (&openings, &next_pair);
            scope.spawn(move || slot::play_pairs([first, second], openings, next_pair, &conditions, &sender));
        }
        drop(sender); // the channel ends with the last slot
        let mut done = 0;
        for game in finished {
            // Leaving the loop drops the receiver, which stops every slot after its current game.
            let game = game?;
            tally.add(game.pair, game.white, game.record.outcome, game.record.fault);
            done += 1;
            let names = if game.white == 0 { [first, second] } else { [second, first] }.map(|e| &*e.name);
            report::print_game(done, options.games, names, &game.record, &tally);
            if let Some(pgn) = &mut pgn {
                let tags = Tags {
                    round: done,
                    names,
                    time_control: conditions.time_control.to_string(),
                    chess960: conditions.chess960,
                };
                pgn.write(&tags, &game.record)?;
            }
        }
        anyhow::Ok(())
    })?;
    report::print_summary([&first.name, &second.name], &tally);
    Ok(())
}
