// SPDX-License-Identifier: GPL-3.0-or-later
//! A player behind a pipe: the referee's side of a UCI conversation.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use contest::{Clock, TimeControl};
use protocol::uci::{self, Go, OptionOffer, PositionCommand, Reply, SetOption, StartPosition};
use rules::{
    Color,
    chess::{Board, Move},
};

use super::Process;
use crate::{EngineSpec, Fault, Offence, Opinion, Patience, Player, Proposal, Question, StartError, Thought};

/// Longer than any game, and short enough to be added to any moment.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 3600);

/// Times are told in milliseconds, and one of none would be read as no limit at all.
const SHORTEST: Duration = Duration::from_millis(1);

/// A UCI program that plays.
pub struct UciPlayer {
    process: Process,
    patience: Patience,
    chess960: bool,
    offers: Vec<OptionOffer>,
}

impl UciPlayer {
    /// Starts a program, shakes hands and sets its options.
    ///
    /// # Errors
    /// When there is no such program, it lacks an option, or it misbehaves already now.
    pub fn start(
        spec: &EngineSpec,
        command: Command,
        chess960: bool,
        patience: Patience,
    ) -> Result<UciPlayer, StartError> {
        let process =
            Process::spawn(command).map_err(|cause| StartError::Spawn { name: spec.name.clone(), cause })?;
        let mut player = UciPlayer { process, patience, chess960, offers: Vec::new() };
        let misbehaves = |offence| StartError::Offence { name: spec.name.clone(), offence };
        let names = player.introduce().map_err(misbehaves)?;
        let settings = settings(spec, &names, chess960)?;
        player.prepare(&settings).map_err(misbehaves)?;
        Ok(player)
    }

    /// Asks for the name and options; returns the names of the options, also of those that are oddly offered.
    fn introduce(&mut self) -> Result<Vec<String>, Offence> {
        let mut names = Vec::new();
        let sent = self.process.send(&uci::Command::Uci.to_string())?;
        let deadline = within(self.patience.start, sent);
        loop {
            let Some(heard) = self.process.hear(deadline)? else {
                self.process.trusted = false;
                let words = format!("does not answer 'uci' within {:?}", self.patience.start);
                return Err(Offence::new(Fault::NoHandshake, words));
            };
            match Reply::parse(&heard.line) {
                Ok(Reply::UciOk) => return Ok(names),
                Ok(Reply::Option(offer)) => self.offers.push(offer),
                _ => {}
            }
            names.extend(option_name(&heard.line));
        }
    }

    fn prepare(&mut self, settings: &[SetOption]) -> Result<(), Offence> {
        for setting in settings {
            self.process.send(&setting.to_string())?;
        }
        self.get_ready(self.patience.start)
    }

    fn get_ready(&mut self, time: Duration) -> Result<(), Offence> {
        self.process.listener.forget();
        let deadline = within(time, self.process.send(&uci::Command::IsReady.to_string())?);
        loop {
            let Some(heard) = self.process.hear(deadline)? else {
                self.process.trusted = false;
                let words = format!("does not answer 'isready' within {time:?}");
                return Err(Offence::new(Fault::NotReady, words));
            };
            if Reply::parse(&heard.line) == Ok(Reply::ReadyOk) {
                return Ok(());
            }
        }
    }

    /// Waits for the move that was asked for; once the time is over the program is told to stop, and the
    /// clock will judge what it still says.
    fn await_move(
        &mut self,
        clock: &Clock,
        color: Color,
        asked: Instant,
    ) -> Result<(Instant, Proposal), Offence> {
        let limit = clock.limit(color);
        if let Some(proposal) = self.best_move(within(limit.unwrap_or(self.patience.thought), asked))? {
            return Ok(proposal);
        }
        let stopped = self.process.send(&uci::Command::Stop.to_string())?;
        match self.best_move(within(self.patience.stop, stopped))? {
            Some(proposal) if limit.is_some() => Ok(proposal),
            answer => {
                self.process.trusted = answer.is_some();
                Err(Offence::new(Fault::Stall, "stalls"))
            }
        }
    }

    /// The next `bestmove` before the deadline, and when it came.
    fn best_move(&mut self, deadline: Instant) -> Result<Option<(Instant, Proposal)>, Offence> {
        while let Some(heard) = self.process.hear(deadline)? {
            match Reply::parse(&heard.line) {
                Ok(Reply::BestMove { best, .. }) => {
                    let opinion = heard.info.as_deref().and_then(opinion);
                    return Ok(Some((heard.at, Proposal { text: best, opinion })));
                }
                Err(error) if heard.line.starts_with("bestmove") => {
                    return Err(Offence::new(Fault::Garbage, format!("sends garbage: {error}")));
                }
                _ => {}
            }
        }
        Ok(None)
    }
}

impl Player for UciPlayer {
    fn offers(&self) -> &[OptionOffer] {
        &self.offers
    }

    fn set_options(&mut self, options: &[(String, String)]) -> Result<(), Offence> {
        let lines: Vec<String> =
            options.iter().map(|(name, value)| setting(name, value).to_string()).collect();
        if !lines.is_empty() {
            self.process.send(&lines.join("\n"))?;
        }
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), Offence> {
        self.process.send(&uci::Command::NewGame.to_string())?;
        self.get_ready(self.patience.ready)
    }

    fn think(&mut self, question: &Question<'_>) -> Thought {
        let position = position(question.start, question.moves, self.chess960);
        let request = format!("{position}\n{}", go(question.clock, question.color()));
        self.process.listener.forget();
        // If it cannot be asked, finding out why takes time that is nobody's thinking.
        let now = Instant::now();
        let asked = match self.process.send(&request) {
            Ok(asked) => asked,
            Err(offence) => return Thought { asked: now, answered: now, answer: Err(offence) },
        };
        match self.await_move(question.clock, question.color(), asked) {
            Ok((answered, proposal)) => Thought { asked, answered, answer: Ok(proposal) },
            Err(offence) => Thought { asked, answered: Instant::now(), answer: Err(offence) },
        }
    }
}

/// The end of a time that may be as long as anybody likes.
fn within(time: Duration, begun: Instant) -> Instant {
    begun + time.min(FOREVER)
}

/// The name in an `option` line, even if the rest is none of the protocol's (`default True`).
fn option_name(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    let begins = words.next() == Some("option") && words.next() == Some("name");
    let name: Vec<&str> = words.take_while(|&word| word != "type").collect();
    (begins && !name.is_empty()).then(|| name.join(" "))
}

/// The options to set: those of the description, and what the match itself needs.
fn settings(spec: &EngineSpec, offers: &[String], chess960: bool) -> Result<Vec<SetOption>, StartError> {
    let offered = |name: &str| offers.iter().any(|offer| offer.eq_ignore_ascii_case(name));
    let mut settings = Vec::new();
    for (name, value) in &spec.options {
        if !offered(name) {
            return Err(StartError::UnknownOption {
                name: spec.name.clone(),
                option: name.clone(),
                offered: offers.join(", "),
            });
        }
        settings.push(setting(name, value));
    }
    if chess960 {
        if !offered("UCI_Chess960") {
            return Err(StartError::NoChess960 { name: spec.name.clone() });
        }
        settings.push(setting("UCI_Chess960", "true"));
    }
    // The match supplies the openings; an engine's own book would hide what is being measured.
    if offered("OwnBook") && !settings.iter().any(|setting| setting.names("OwnBook")) {
        settings.push(setting("OwnBook", "false"));
    }
    Ok(settings)
}

fn setting(name: &str, value: &str) -> SetOption {
    SetOption { name: name.to_owned(), value: Some(value.to_owned()) }
}

fn opinion(info: &str) -> Option<Opinion> {
    match Reply::parse(info) {
        Ok(Reply::Info(info)) => Opinion::from_info(&info),
        _ => None,
    }
}

fn position(start: &Board, moves: &[Move], chess960: bool) -> PositionCommand {
    let start = if chess960 {
        StartPosition::Fen(start.to_shredder_fen())
    } else if *start == Board::start() {
        StartPosition::Initial
    } else {
        StartPosition::Fen(start.to_string())
    };
    PositionCommand { start, moves: moves.iter().map(|m| m.to_uci(chess960)).collect() }
}

/// What a player is told about its limits and, where clocks run, about both clocks.
fn go(clock: &Clock, color: Color) -> Go {
    match clock.control(color) {
        TimeControl::Clock { .. } => Go {
            time: Color::ALL.map(|color| Some(clock.left(color)?.max(SHORTEST))),
            increment: Color::ALL.map(|color| clock.increment(color)),
            moves_to_go: clock.moves_to_go(color),
            ..Go::default()
        },
        TimeControl::MoveTime(time) => Go { move_time: Some(time.max(SHORTEST)), ..Go::default() },
        TimeControl::Nodes(nodes) => Go { nodes: Some(nodes), ..Go::default() },
        TimeControl::Depth(depth) => Go { depth: Some(depth), ..Go::default() },
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    fn go_text(white: &str, black: &str, color: Color) -> String {
        let controls = [white, black].map(|text| text.parse().expect("a time control"));
        go(&Clock::new(controls, Duration::ZERO), color).to_string()
    }

    #[test]
    fn limits_are_told_as_the_protocol_wants_them() {
        let text = go_text("8+0.08", "4+0.04", Color::White);
        assert_eq!(text, "go wtime 8000 btime 4000 winc 80 binc 40");
        let text = go_text("40/60", "40/60", Color::Black);
        assert_eq!(text, "go wtime 60000 btime 60000 winc 0 binc 0 movestogo 40");
        assert_eq!(go_text("1+0.1", "nodes=500", Color::White), "go wtime 1000 winc 100");
        assert_eq!(go_text("1+0.1", "nodes=500", Color::Black), "go nodes 500");
        assert_eq!(go_text("movetime=0.25", "depth=9", Color::White), "go movetime 250");
        assert_eq!(go_text("movetime=0.25", "depth=9", Color::Black), "go depth 9");
        assert_eq!(go_text("0.0001", "1", Color::White), "go wtime 1 btime 1000 winc 0 binc 0");
        assert_eq!(go_text("movetime=0.0004", "1", Color::White), "go movetime 1");
    }

    #[test]
    fn odd_options_keep_their_names() {
        assert_eq!(
            option_name("option name UCI_Chess960 type check default True").as_deref(),
            Some("UCI_Chess960")
        );
        assert_eq!(
            option_name("option name Move Overhead type spin default 5 step 1").as_deref(),
            Some("Move Overhead")
        );
        assert_eq!(option_name("option name Clear"), Some("Clear".to_owned()));
        for line in ["option", "option name", "option name type check", "id name type", "uciok"] {
            assert_eq!(option_name(line), None, "{line}");
        }
    }

    #[test]
    fn positions_are_told_from_their_start() {
        let start = Board::start();
        let moves = ["e2e4", "e7e5"].into_iter().fold((start, Vec::new()), |(board, mut moves), text| {
            let m = board.parse_uci(text).unwrap();
            moves.push(m);
            (board.after(m), moves)
        });
        assert_eq!(position(&start, &moves.1, false).to_string(), "position startpos moves e2e4 e7e5");
        let castle = Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let m = castle.parse_uci("e1g1").unwrap();
        let text = position(&castle, &[m], false).to_string();
        assert_eq!(text, "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1");
        let text = position(&castle, &[m], true).to_string();
        assert_eq!(text, "position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1 moves e1h1");
    }

    #[test]
    fn unknown_options_are_refused() {
        let spec: EngineSpec = "cmd=x,option.Hash=4".parse().unwrap();
        let offers = ["hash", "OwnBook"].map(str::to_owned);
        let lines: Vec<String> =
            settings(&spec, &offers, false).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(lines, ["setoption name Hash value 4", "setoption name OwnBook value false"]);
        assert!(matches!(settings(&spec, &offers, true), Err(StartError::NoChess960 { .. })));
        let error = settings(&spec, &offers[1..], false).unwrap_err().to_string();
        assert_eq!(error, "engine x has no option 'Hash', expected one of OwnBook");
    }
}
