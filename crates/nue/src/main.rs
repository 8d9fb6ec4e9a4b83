// SPDX-License-Identifier: GPL-3.0-or-later
//! Nue's one program. Without an argument it speaks UCI, as chess programs expect of an engine; each
//! other activity is a subcommand in a file of its own.

#![allow(clippy::print_stderr, reason = "this crate is the program, it may print")]

#[macro_use]
mod screen;

mod bench;
mod data;
mod eval;
mod feature_sets;
mod game_options;
mod matches;
mod net;
mod net_file;
mod perft;
mod position;
mod rate;
mod serve;
mod solve;
mod spsa;
mod train;
mod uci;
mod workers;

use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};

/// A chess engine and its tools.
#[derive(Parser)]
#[command(version, after_help = "Without a command, nue speaks UCI on standard input and output.")]
struct Program {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Uci(uci::Uci),
    Serve(serve::Serve),
    Bench(bench::Bench),
    Perft(perft::Perft),
    Epd(solve::Solve),
    Eval(eval::Eval),
    Features(feature_sets::FeatureSets),
    Net(net::Net),
    Data(data::Data),
    Match(matches::games::Match),
    Sprt(matches::sprt::Sprt),
    Rate(rate::Rate),
    Spsa(spsa::Spsa),
    Train(train::Train),
    Resume(train::resume::Resume),
    Export(train::export::Export),
    Crosscheck(train::crosscheck::Crosscheck),
}

fn main() -> ExitCode {
    run(Program::parse()).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn run(program: Program) -> anyhow::Result<ExitCode> {
    engine::eval::level().context("NUE_SIMD")?;
    match program.command.unwrap_or(Command::Uci(uci::Uci {})) {
        Command::Uci(uci) => uci.run(),
        Command::Serve(serve) => serve.run(),
        Command::Bench(bench) => bench.run(),
        Command::Perft(perft) => perft.run(),
        Command::Epd(solve) => solve.run(),
        Command::Eval(eval) => eval.run(),
        Command::Features(features) => features.run(),
        Command::Net(net) => net.run(),
        Command::Data(data) => data.run(),
        Command::Match(games) => games.run(),
        Command::Sprt(sprt) => sprt.run(),
        Command::Rate(rate) => rate.run(),
        Command::Spsa(spsa) => spsa.run(),
        Command::Train(train) => train.run(),
        Command::Resume(resume) => resume.run(),
        Command::Export(export) => export.run(),
        Command::Crosscheck(crosscheck) => crosscheck.run(),
    }
}
