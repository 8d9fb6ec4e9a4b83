// SPDX-License-Identifier: GPL-3.0-or-later
//! An engine for tests: it plays random or given moves, and misbehaves when told to.
//!
//! `mock-engine BEHAVIOUR [at=N] [seed=N] [score=CP] [delay=MS] [moves=e2e4:e7e5]`: from its first words, or
//! at the `N`th `go` (the first by default) of its life, it does what the behaviour says, and plays well-formed
//! random moves otherwise. For `tired` and `mortal` it is the `N`th game.

#![allow(clippy::print_stdout, reason = "an engine talks on its standard output")]

use std::{
    io::{self, BufRead, Write},
    process::ExitCode,
    thread,
    time::Duration,
};

use contest::Random;
use protocol::uci::{Command, PositionCommand, StartPosition};
use rules::chess::Board;

struct Mock {
    behaviour: String,
    at: u32,
    score: i32,
    delay: Duration,
    moves: Vec<String>,
    random: Random,
    board: Board,
    games: u32,
    searches: u32,
    /// The move that is held back until `stop`.
    held: Option<String>,
    hopeless: bool,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let mut mock = Mock {
        behaviour: arguments.next().unwrap_or_else(|| "random".to_owned()),
        at: 1,
        score: 0,
        delay: Duration::ZERO,
        moves: Vec::new(),
        random: Random::new(1),
        board: Board::start(),
        games: 0,
        searches: 0,
        held: None,
        hopeless: false,
    };
    for argument in arguments {
        let (key, value) = argument.split_once('=').expect("key=value");
        match key {
            "at" => mock.at = value.parse().expect("a number"),
            "seed" => mock.random = Random::new(value.parse().expect("a number")),
            "score" => mock.score = value.parse().expect("a number"),
            "delay" => mock.delay = Duration::from_millis(value.parse().expect("a number")),
            "moves" => mock.moves = value.split(':').map(str::to_owned).collect(),
            _ => panic!("unknown key '{key}'"),
        }
    }
    if mock.behaviour == "stillborn" {
        return ExitCode::from(7);
    }
    for line in io::stdin().lock().lines() {
        let Ok(command) = Command::parse(&line.expect("a line")) else { continue };
        if let Some(code) = mock.obey(command) {
            return code;
        }
    }
    ExitCode::SUCCESS
}

impl Mock {
    fn is(&self, behaviour: &str) -> bool {
        self.behaviour == behaviour
    }

    /// Obeys, or not; the exit code says that it is time to leave.
    fn obey(&mut self, command: Command) -> Option<ExitCode> {
        match command {
            Command::Uci if self.is("flood-start") => flood(b"id name and so on\n"),
            Command::Uci if !self.is("silent") => {
                say("id name Mock\nid author nobody\noption name Hash type spin default 1 min 1 max 9");
                say("option name UCI_Chess960 type check default False\nuciok"); // as some engines write it
            }
            Command::NewGame => {
                self.games += 1;
                if self.is("mortal") && self.games >= self.at {
                    return Some(ExitCode::from(5));
                }
            }
            Command::IsReady if self.is("tired") && self.games >= self.at => {}
            Command::IsReady if !self.is("unready") => say("readyok"),
            // With this much memory it plays no legal move, so that options can be seen to have been set.
            Command::SetOption(option) if option.names("Hash") => {
                self.hopeless = option.value.as_deref() == Some("9");
            }
            Command::Position(position) => self.set_up(&position),
            Command::Go(_) => {
                self.searches += 1;
                return self.search();
            }
            Command::Stop => {
                if let Some(m) = self.held.take() {
                    say(&format!("bestmove {m}"));
                }
            }
            Command::Quit => return Some(ExitCode::SUCCESS),
            _ => {}
        }
        None
    }

    fn set_up(&mut self, position: &PositionCommand) {
        self.board = match &position.start {
            StartPosition::Initial => Board::start(),
            StartPosition::Fen(fen) => Board::from_fen(fen).expect("a position"),
        };
        for text in &position.moves {
            self.board.play(self.board.parse_uci(text).expect("a legal move"));
        }
    }

    fn search(&mut self) -> Option<ExitCode> {
        thread::sleep(self.delay);
        let best = self.choose();
        let behaviour = if self.searches >= self.at { self.behaviour.as_str() } else { "random" };
        match if self.hopeless { "illegal" } else { behaviour } {
            "stall" => return None,
            "slow" => {
                self.held = Some(best);
                return None;
            }
            "crash" => return Some(ExitCode::from(3)),
            "illegal" => say("bestmove a1h8"),
            "garbage" => {
                say("info depth many score cp lots\n\n\u{0}\u{ff} noise without sense");
                say("bestmove \u{3c0}\u{3c0}\u{3c0}");
            }
            "empty" => say("bestmove"),
            "none" => say("bestmove (none)"),
            "flood" => flood(b"info depth 1 score cp 1 pv e2e4\n"),
            "flood-line" => flood(b"info string and so on and on "),
            "flood-answers" => flood(b"readyok\n"),
            "flood-idle" => {
                self.answer(&best);
                flood(b"info string is it my turn yet\n");
            }
            "chatty" => {
                say("Hello\nWhitespace \t\ninfo string bestmove a1a1\nunknown words");
                self.answer(&best);
            }
            _ => self.answer(&best),
        }
        None
    }

    /// The next given move, or a random legal one.
    fn choose(&mut self) -> String {
        if let Some(m) = self.moves.get(self.searches as usize - 1) {
            return m.clone();
        }
        let moves = self.board.legal_moves();
        self.random.pick(&moves).to_uci(false)
    }

    fn answer(&self, best: &str) {
        say(&format!("info depth 1 score cp {}\nbestmove {best}", self.score));
    }
}

/// Says something; if nobody listens any more, the end of the input will tell.
fn say(text: &str) {
    let _ = write(format!("{text}\n").as_bytes());
}

fn write(bytes: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(bytes)?;
    output.flush()
}

fn flood(drop: &[u8]) {
    let wave = drop.repeat(1000);
    while write(&wave).is_ok() {}
}
