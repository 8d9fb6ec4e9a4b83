// SPDX-License-Identifier: GPL-3.0-or-later
//! Fits the coefficients of the hand-crafted evaluation to scored games.
//!
//! `games -> quiet positions -> counts of terms -> gradient descent -> table of coefficients`
//!
//! ```text
//! zstd -dc games.vf.zst | cargo run --release -p features --example fit_terms -- - --out coefficients.txt
//! ```
//!
//! The input is viriformat, or with `--text` lines of `FEN;score;result`, both from White's view, the
//! score in centipawns; the table's centipawns are made to agree with the score's. Every fiftieth game
//! (or line) is held out and tells how good the fit is. The same input gives the same table on every
//! machine of one kind.
#![allow(clippy::print_stdout, reason = "a program of its own that reports to the terminal")]

mod fit;
mod games;
mod model;
mod samples;
mod write;

use std::{
    fs,
    io::{self, Read},
    path::PathBuf,
    thread,
    time::Instant,
};

use anyhow::{Context, Result};
use clap::Parser;
use features::chess::terms::Term;
use rules::chess::Board;

use fit::Plan;
use games::Game;
use model::{Weights, sigmoid};
use samples::{Collector, Samples};

/// Fits the coefficients of the hand-crafted evaluation.
#[derive(Parser)]
struct Args {
    /// A viriformat file, or - for standard input.
    input: PathBuf,
    /// The input is lines of FEN;score;result.
    #[arg(long)]
    text: bool,
    /// Where to write the table of coefficients.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Take one of this many quiet positions.
    #[arg(long, default_value_t = 1)]
    every: u64,
    /// How often every position is learnt.
    #[arg(long, default_value_t = 12)]
    epochs: usize,
    /// First learning rate, in centipawns.
    #[arg(long, default_value_t = 2.0)]
    rate: f32,
    /// The share of the score, against the result, in the target.
    #[arg(long, default_value_t = 0.7)]
    score_share: f32,
    /// Pull of every coefficient towards zero.
    #[arg(long, default_value_t = 5e-11)]
    decay: f32,
    /// Leave these terms at zero (to see what they are worth).
    #[arg(long)]
    without: Vec<String>,
}

/// One of this many games is held out.
const HELD_OUT: usize = 50;
const MIN_FULLMOVES: u16 = 8;
const MAX_SCORE: i16 = 2500;

#[derive(Default)]
struct Split {
    training: Samples,
    held_out: Samples,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let begin = Instant::now();
    let data = read(&args)?;
    println!(
        "{} training and {} held-out positions of {} entries, {:.1?}",
        data.training.len(),
        data.held_out.len(),
        data.training.mean_entries(),
        begin.elapsed()
    );
    let without = args.without.iter().map(|name| find(name)).collect::<Result<_>>()?;
    let slope = best_slope(&data.training);
    println!("slope {slope:.1}");
    let plan = Plan {
        epochs: args.epochs,
        rate: args.rate,
        score_share: args.score_share,
        slope,
        decay: args.decay,
        without,
    };
    let weights = fit::fit(&data.training, &plan, |epoch, loss, weights| {
        if epoch % 5 == 0 || epoch == plan.epochs {
            let held_out = loss_of(weights, &data.held_out, &plan);
            println!("{epoch:3}  training {loss:.6}  held out {held_out:.6}  {:.1?}", begin.elapsed());
        }
    });
    let loss = loss_of(&weights, &data.held_out, &plan);
    let factor = regression(&weights, &data.held_out);
    println!("score = {factor:.3} x evaluation");
    if let Some(path) = &args.out {
        let origin = format!(
            "{} positions, {} epochs, score share {}, held-out loss {loss:.6}.",
            data.training.len(),
            plan.epochs,
            plan.score_share,
        );
        fs::write(path, write::table(&weights.normalized(factor), &origin))
            .with_context(|| path.display().to_string())?;
    }
    Ok(())
}

fn find(name: &str) -> Result<Term> {
    let term = Term::ALL.iter().find(|term| term.name() == name);
    term.copied().with_context(|| format!("no term is called '{name}'"))
}

fn read(args: &Args) -> Result<Split> {
    let mut bytes = Vec::new();
    if args.input.as_os_str() == "-" {
        io::stdin().read_to_end(&mut bytes)?;
    } else {
        bytes = fs::read(&args.input).with_context(|| args.input.display().to_string())?;
    }
    if args.text { read_text(&String::from_utf8(bytes)?) } else { read_games(&bytes, args.every) }
}

fn read_text(text: &str) -> Result<Split> {
    let mut split = Split::default();
    let mut collector = Collector::new();
    for (number, line) in text.lines().enumerate() {
        let mut fields = line.split(';');
        let mut field = || fields.next().map(str::trim).with_context(|| format!("line {number} is short"));
        let board: Board = field()?.parse()?;
        let (score, result) = (field()?.parse()?, field()?.parse()?);
        let part = if number % HELD_OUT == 0 { &mut split.held_out } else { &mut split.training };
        part.push(&board, score, result, &mut collector);
    }
    Ok(split)
}

fn read_games(bytes: &[u8], every: u64) -> Result<Split> {
    let games = games::split(bytes)?;
    let half = games.len().div_ceil(2) / HELD_OUT * HELD_OUT;
    let (first, second) = games.split_at(half);
    let (first, second) = thread::scope(|scope| {
        let first = scope.spawn(|| collect(first, every));
        let second = scope.spawn(|| collect(second, every));
        let join = |part: thread::ScopedJoinHandle<'_, Result<Split>>| {
            part.join().expect("a reading thread panicked")
        };
        (join(first), join(second))
    });
    let (mut split, second) = (first?, second?);
    split.training.append(second.training);
    split.held_out.append(second.held_out);
    Ok(split)
}

fn collect(games: &[Game<'_>], every: u64) -> Result<Split> {
    let mut split = Split::default();
    let mut collector = Collector::new();
    for (number, game) in games.iter().enumerate() {
        let held_out = number % HELD_OUT == 0;
        let part = if held_out { &mut split.held_out } else { &mut split.training };
        let every = if held_out { 1 } else { every };
        game.replay(|board, m, score| {
            let quiet = m.is_quiet() && !board.in_check();
            let usual = board.fullmoves() > MIN_FULLMOVES && score.abs() < MAX_SCORE;
            if quiet && usual && board.key() % every == 0 {
                part.push(board, score.into(), game.result(), &mut collector);
            }
        })?;
    }
    Ok(split)
}

fn loss_of(weights: &Weights, samples: &Samples, plan: &Plan) -> f32 {
    let error = |facts| plan.target(facts) - sigmoid(weights.evaluate(samples, facts) / plan.slope);
    let sum: f64 = samples.facts.iter().map(|facts| f64::from(error(facts)).powi(2)).sum();
    (sum / samples.len() as f64) as f32
}

/// The centipawns per logistic unit with which scores foretell results best.
fn best_slope(samples: &Samples) -> f32 {
    let some: Vec<_> = samples.facts.iter().step_by(16).collect();
    let loss = |slope: f32| -> f64 {
        some.iter().map(|facts| f64::from(facts.result - sigmoid(facts.score / slope)).powi(2)).sum()
    };
    let (mut low, mut high) = (50.0, 800.0);
    for _ in 0..30 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if loss(left) < loss(right) { high = right } else { low = left }
    }
    (low + high) / 2.0
}

/// The factor that turns evaluations into scores, by least squares over positions within 4 pawns.
fn regression(weights: &Weights, samples: &Samples) -> f32 {
    let (mut products, mut squares) = (0.0f64, 0.0f64);
    for facts in samples.facts.iter().filter(|facts| facts.score.abs() < 400.0) {
        let value = f64::from(weights.evaluate(samples, facts));
        products += value * f64::from(facts.score);
        squares += value * value;
    }
    (products / squares) as f32
}
