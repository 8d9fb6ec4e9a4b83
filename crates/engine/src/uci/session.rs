// SPDX-License-Identifier: GPL-3.0-or-later
//! The conversation: what each command does, and when.
//!
//! During a search `isready`, `stop`, `ponderhit`, `quit` and questions about the position are answered
//! at once, and a new `position` is taken note of: the search has its own copy. Commands that need the
//! engine (`setoption`, `ucinewgame`, and a `go` after `stop`) wait, in order, until the search has
//! answered. A `go` during a search that nobody stopped is an error. Counts and the bench are made on
//! the spot: whatever is sent meanwhile has its turn afterwards.

use std::{
    collections::VecDeque,
    io,
    sync::{
        Arc,
        mpsc::{Receiver, SyncSender},
    },
    time::Instant,
};

use nnue::Network;
use protocol::uci::{Command, Go, PositionCommand, Reply, SetOption, StartPosition};
use rules::{
    chess::{Board, FenError, Game, Move, ParseUciError},
    perft,
};
use thiserror::Error;

use super::{
    Event,
    flip::flipped,
    options,
    output::Output,
    task::{self, Done, Task},
    text::{self, Style},
};
use crate::{Choice, Clock, Controls, Engine, Limits, Options, bench, eval};

/// A line that cannot be obeyed.
#[derive(Debug, Error)]
enum SessionError {
    #[error("a search is under way, send stop first")]
    Busy,
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error(transparent)]
    Move(#[from] ParseUciError),
}

/// The engine is away only while a search has it, and commands that need it wait for its return.
const ENGINE_IS_BACK: &str = "the engine is back before a command needs it";

pub(super) struct Session {
    output: Output,
    events: SyncSender<Event>,
    game: Game,
    /// Present unless a search has it.
    engine: Option<Engine>,
    /// The engine's network, which can be asked while a search has the engine.
    network: Option<Arc<Network>>,
    task: Option<Task>,
    /// Commands that wait for the answer of the search.
    waiting: VecDeque<Command>,
}

impl Session {
    pub(super) fn new(output: Output, events: SyncSender<Event>) -> Session {
        let engine = Engine::new();
        Session {
            output,
            events,
            game: Game::new(Board::start()),
            network: engine.network().cloned(),
            engine: Some(engine),
            task: None,
            waiting: VecDeque::new(),
        }
    }

    /// Obeys until `quit` or the end of the input.
    pub(super) fn run(mut self, events: &Receiver<Event>) -> io::Result<()> {
        for event in events {
            match event {
                Event::Line(line) => match Command::parse(&line) {
                    Ok(Command::Quit) => break,
                    Ok(command) => self.obey(command)?,
                    Err(error) => self.output.error(&error)?,
                },
                Event::Done(done) => self.finish(*done)?,
                Event::End => break,
            }
        }
        self.leave(events)
    }

    /// Stops the search and every one that still waits; each gives its answer.
    fn leave(mut self, events: &Receiver<Event>) -> io::Result<()> {
        loop {
            self.stop()?;
            match &self.task {
                None => return Ok(()),
                Some(task) if !task.stopping => {} // it has waited and was just begun
                Some(_) => match events.recv() {
                    Ok(Event::Done(done)) => self.finish(*done)?,
                    Ok(Event::Line(_) | Event::End) => {}
                    Err(_) => return Ok(()),
                },
            }
        }
    }

    fn obey(&mut self, command: Command) -> io::Result<()> {
        if self.has_to_wait(&command) {
            self.waiting.push_back(command);
            return Ok(());
        }
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.output.line(&Reply::ReadyOk),
            // There is nothing more to tell in debug mode and nothing to register; `run` sees `quit`.
            Command::Debug(_) | Command::Register(_) | Command::Quit => Ok(()),
            Command::SetOption(option) => self.set_option(&option),
            Command::NewGame => {
                self.idle_engine().clear();
                Ok(())
            }
            Command::Position(position) => match game_of(&position) {
                Ok(game) => {
                    self.game = game;
                    Ok(())
                }
                Err(error) => self.output.error(&error),
            },
            Command::Go(go) => self.go(&go),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Bench { depth } => self.bench(depth),
            Command::Diagram => self.output.line(&self.game.board().diagram()),
            Command::Eval => match &self.network {
                Some(network) => self.output.line(&eval::trace_network(network, self.game.board())),
                None => self.output.line(&eval::trace(self.game.board())),
            },
            Command::Flip => {
                self.game = Game::new(flipped(self.game.board()));
                Ok(())
            }
            Command::Help => self.output.line(&text::help()),
        }
    }

    /// Whether the command has its turn only after the answer of the search under way.
    fn has_to_wait(&self, command: &Command) -> bool {
        let Some(task) = &self.task else { return false };
        match command {
            Command::SetOption(_) | Command::NewGame => true,
            Command::Go(_) | Command::Bench { .. } => task.stopping,
            // Behind a command that waits these keep their place, so that a `stop` meets its own `go`.
            Command::Position(_)
            | Command::Stop
            | Command::PonderHit
            | Command::Diagram
            | Command::Eval
            | Command::Flip => task.stopping && !self.waiting.is_empty(),
            _ => false,
        }
    }

    fn introduce(&self) -> io::Result<()> {
        self.output.line(&Reply::Name(format!("Nue {}", env!("CARGO_PKG_VERSION"))))?;
        self.output.line(&Reply::Author("the Nue authors".into()))?;
        for offer in options::offers() {
            self.output.line(&Reply::Option(offer))?;
        }
        self.output.line(&Reply::UciOk)
    }

    fn set_option(&mut self, option: &SetOption) -> io::Result<()> {
        let engine = self.idle_engine();
        if let Err(error) = options::set(engine, option) {
            return self.output.error(&error);
        }
        let (network, count) = (engine.network().cloned(), engine.table_count());
        self.network = network;
        if count > 0 && option.names("SyzygyPath") {
            self.output.line(&format_args!("info string {count} endgame table files"))?;
        }
        Ok(())
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        if self.task.is_some() {
            return self.output.error(&SessionError::Busy);
        }
        if let Some(depth) = go.perft {
            return self.count(depth);
        }
        let limits = match limits(go, self.game.board()) {
            Ok(limits) => limits,
            Err(error) => return self.output.error(&error),
        };
        let task = self.task.insert(Task {
            controls: Controls::new(),
            style: self.style(),
            infinite: go.infinite,
            pondering: go.ponder,
            stopping: false,
            choice: None,
        });
        if !self.game.board().has_legal_move() {
            self.output.line(&Reply::Info(text::info_without_moves(self.game.board())))?;
            task.choice = Some(Choice { best: None, ponder: None });
            return self.answer_if_due();
        }
        task.controls.reset(go.ponder);
        let engine = self.engine.take().expect(ENGINE_IS_BACK);
        task::start(engine, self.game.clone(), limits, task, self.output.clone(), self.events.clone())
    }

    /// Counts the positions `depth` half-moves away, move by move.
    fn count(&mut self, depth: u32) -> io::Result<()> {
        let threads = self.idle_engine().options().threads;
        let counts = perft::divide(self.game.board(), depth, perft::Options { threads, hash_mb: 0 });
        for &(m, leaves) in &counts {
            self.output.line(&format_args!("{}: {leaves}", self.style().text(m)))?;
        }
        let total = if depth == 0 { 1 } else { counts.iter().map(|(_, leaves)| leaves).sum() };
        self.output.line(&format_args!("\nNodes searched: {total}\n"))
    }

    fn bench(&mut self, depth: Option<u32>) -> io::Result<()> {
        if self.task.is_some() {
            return self.output.error(&SessionError::Busy);
        }
        let evaluation = self.idle_engine().options().evaluation.clone();
        let options = Options { evaluation, ..Options::default() };
        match bench::run(options, depth.unwrap_or(bench::DEPTH)) {
            Ok(outcome) => self.output.line(&outcome),
            Err(error) => self.output.error(&error),
        }
    }

    fn stop(&mut self) -> io::Result<()> {
        if let Some(task) = &mut self.task {
            task.stopping = true;
            task.controls.stop();
        }
        self.answer_if_due()
    }

    fn ponder_hit(&mut self) -> io::Result<()> {
        if let Some(task) = &mut self.task {
            task.pondering = false;
            task.controls.ponder_hit();
        }
        self.answer_if_due()
    }

    /// Takes the engine and the answer of a search that has ended.
    fn finish(&mut self, done: Done) -> io::Result<()> {
        self.engine = Some(done.engine);
        if let Some(task) = &mut self.task {
            task.choice = Some(done.choice);
        }
        self.answer_if_due()
    }

    /// Prints the answer of a search as soon as it may be given, and turns to what waited for it.
    fn answer_if_due(&mut self) -> io::Result<()> {
        let Some(task) = self.task.take_if(|task| task.is_due()) else { return Ok(()) };
        let text = |m: Option<Move>| m.map(|m| task.style.text(m));
        let (best, ponder) = task.choice.map_or((None, None), |choice| (choice.best, choice.ponder));
        self.output.line(&Reply::BestMove { best: text(best), ponder: text(ponder) })?;
        // A command that starts a new search makes the rest wait again.
        std::mem::take(&mut self.waiting).into_iter().try_for_each(|command| self.obey(command))
    }

    fn idle_engine(&mut self) -> &mut Engine {
        self.engine.as_mut().expect(ENGINE_IS_BACK)
    }

    fn style(&self) -> Style {
        let options = self.engine.as_ref().expect(ENGINE_IS_BACK).options();
        Style { chess960: options.chess960, show_wdl: options.show_wdl }
    }
}

fn game_of(position: &PositionCommand) -> Result<Game, SessionError> {
    let mut game = Game::new(match &position.start {
        StartPosition::Initial => Board::start(),
        StartPosition::Fen(fen) => Board::from_fen(fen)?,
    });
    for text in &position.moves {
        let m = game.board().parse_uci(text)?;
        game.play(m);
    }
    Ok(game)
}

/// The limits of a search, as the engine understands them.
fn limits(go: &Go, board: &Board) -> Result<Limits, SessionError> {
    let search_moves = go.search_moves.iter().map(|text| board.parse_uci(text)).collect::<Result<_, _>>()?;
    let side = board.turn().index();
    let has_clock = go.time.iter().any(Option::is_some);
    let clock = has_clock.then(|| Clock {
        // Whoever sends only the opponent's clock leaves no time to think.
        remaining: go.time[side].unwrap_or_default(),
        increment: go.increment[side].unwrap_or_default(),
        moves_to_go: go.moves_to_go.filter(|&moves| moves > 0),
    });
    Ok(Limits {
        depth: go.depth.map(|depth| depth.max(1)),
        nodes: go.nodes.map(|nodes| nodes.max(1)),
        mate: go.mate.filter(|&moves| moves > 0),
        movetime: go.move_time.filter(|_| !go.infinite),
        clock: clock.filter(|_| !go.infinite),
        ponder: go.ponder,
        search_moves,
        since: Some(Instant::now()),
        ..Limits::default()
    })
}
