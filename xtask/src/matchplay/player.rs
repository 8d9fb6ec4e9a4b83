// SPDX-License-Identifier: GPL-3.0-or-later
//! One UCI engine as a child process.
//!
//! A thread per engine reads its output, stamps each line with the time it came, and keeps `info`
//! lines to itself, so that the referee sleeps until there is something to do.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};

use super::{opinion::Opinion, spec::EngineSpec};

/// How long an engine may take to start, and to get ready for a game (large tables take time).
const READY_LIMIT: Duration = Duration::from_secs(30);

/// A running engine.
pub(crate) struct Player {
    process: Child,
    input: ChildStdin,
    output: Receiver<Said>,
}

/// A line of output other than `info`.
struct Said {
    at: Instant,
    line: String,
    /// The last `info` line with a score since the line before.
    info: String,
}

/// What came of asking for a move.
pub(crate) enum Answer {
    /// A move in time.
    Move {
        /// The move as the engine wrote it.
        text: String,
        /// What the engine thought of the position.
        opinion: Option<Opinion>,
        /// From sending `go` to receiving the move.
        elapsed: Duration,
    },
    /// The time ran out; the engine answered afterwards.
    Late,
    /// The time ran out and the engine did not answer at all.
    Stalled,
    /// The process ended or closed its pipes.
    Crashed,
}

impl Player {
    /// Starts the program, shakes hands and sets its options.
    pub(crate) fn start(spec: &EngineSpec, chess960: bool) -> anyhow::Result<Player> {
        let mut process = Command::new(&spec.command)
            .args(&spec.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("starting {}", spec.command))?;
        let input = process.stdin.take().expect("piped stdin");
        let stdout = process.stdout.take().expect("piped stdout");
        let (sender, output) = channel();
        thread::spawn(move || read_lines(stdout, &sender));
        let mut player = Player { process, input, output };
        player.shake_hands(spec, chess960).with_context(|| format!("engine {}", spec.name))?;
        Ok(player)
    }

    fn shake_hands(&mut self, spec: &EngineSpec, chess960: bool) -> anyhow::Result<()> {
        self.send("uci")?;
        let mut declared = Vec::new();
        self.wait_for("uciok", |line| declared.extend(option_name(line)))?;
        let declares = |name: &str| declared.iter().any(|other: &String| other.eq_ignore_ascii_case(name));

        for (name, value) in &spec.options {
            if !declares(name) {
                bail!("option '{name}' does not exist; it has {}", declared.join(", "));
            }
            self.send(&format!("setoption name {name} value {value}"))?;
        }
        if chess960 {
            if !declares("UCI_Chess960") {
                bail!("it does not play Chess960");
            }
            self.send("setoption name UCI_Chess960 value true")?;
        }
        // The match supplies the openings; an engine's own book would hide what is being measured.
        let book_is_set = spec.options.iter().any(|(name, _)| name.eq_ignore_ascii_case("OwnBook"));
        if declares("OwnBook") && !book_is_set {
            self.send("setoption name OwnBook value false")?;
        }
        self.new_game()
    }

    /// Announces a new game and waits until the engine is ready for it.
    pub(crate) fn new_game(&mut self) -> anyhow::Result<()> {
        self.send("ucinewgame")?;
        self.send("isready")?;
        self.wait_for("readyok", |_| ())
    }

    /// Asks for a move; the answer is late when it takes longer than `limit`, and the engine stalls when
    /// `patience` later there is still none.
    pub(crate) fn think(&mut self, position: &str, go: &str, limit: Duration, patience: Duration) -> Answer {
        let asked = Instant::now();
        if self.send(&format!("{position}\n{go}")).is_err() {
            return Answer::Crashed;
        }
        match self.best_move(asked + limit) {
            Ok(said) if said.at <= asked + limit => Answer::Move {
                text: said.line.split_ascii_whitespace().nth(1).unwrap_or_default().to_owned(),
                opinion: Opinion::from_info(&said.info),
                elapsed: said.at - asked,
            },
            Ok(_) => Answer::Late,
            Err(RecvTimeoutError::Disconnected) => Answer::Crashed,
            Err(RecvTimeoutError::Timeout) => {
                if self.send("stop").is_err() {
                    return Answer::Crashed;
                }
                match self.best_move(Instant::now() + patience) {
                    Ok(_) => Answer::Late,
                    Err(RecvTimeoutError::Timeout) => Answer::Stalled,
                    Err(RecvTimeoutError::Disconnected) => Answer::Crashed,
                }
            }
        }
    }

    fn best_move(&mut self, deadline: Instant) -> Result<Said, RecvTimeoutError> {
        loop {
            let said = self.output.recv_timeout(deadline.saturating_duration_since(Instant::now()))?;
            if said.line.split_ascii_whitespace().next() == Some("bestmove") {
                return Ok(said);
            }
        }
    }

    fn wait_for(&mut self, word: &str, mut on_line: impl FnMut(&str)) -> anyhow::Result<()> {
        let deadline = Instant::now() + READY_LIMIT;
        loop {
            let said = match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(said) => said,
                Err(RecvTimeoutError::Timeout) => bail!("no '{word}' within {READY_LIMIT:?}"),
                Err(RecvTimeoutError::Disconnected) => bail!("process ended before '{word}'"),
            };
            if said.line.trim() == word {
                return Ok(());
            }
            on_line(&said.line);
        }
    }

    fn send(&mut self, command: &str) -> anyhow::Result<()> {
        // One write per command: a line sent in pieces would wake the engine twice.
        self.input.write_all(format!("{command}\n").as_bytes()).context("process has closed its input")
    }
}

impl Drop for Player {
    /// Asks the engine to quit and makes sure that it does.
    fn drop(&mut self) {
        let deadline = Instant::now() + Duration::from_secs(1);
        if self.send("quit").is_ok() {
            while Instant::now() < deadline {
                match self.process.try_wait() {
                    Ok(None) => thread::sleep(Duration::from_millis(5)),
                    _ => return,
                }
            }
        }
        // Failure means that the process is already gone, which is what we want.
        if self.process.kill().is_ok() {
            let _reaped = self.process.wait();
        }
    }
}

/// Passes on every line until the engine closes its output or nobody listens.
fn read_lines(stdout: ChildStdout, listener: &Sender<Said>) {
    let mut stdout = BufReader::new(stdout);
    let (mut bytes, mut info) = (Vec::new(), String::new());
    // Bytes, not `lines()`: one stray Latin-1 letter in a name must not end the conversation.
    while stdout.read_until(b'\n', &mut bytes).is_ok_and(|length| length > 0) {
        let at = Instant::now();
        let line = String::from_utf8_lossy(&bytes);
        if line.starts_with("info") {
            if line.contains(" score ") && is_main_line(&line) {
                info.clear();
                info.push_str(&line);
            }
        } else {
            let said = Said { at, line: line.into_owned(), info: std::mem::take(&mut info) };
            if listener.send(said).is_err() {
                return;
            }
        }
        bytes.clear();
    }
}

fn is_main_line(info: &str) -> bool {
    info.split_once(" multipv ").is_none_or(|(_, rest)| rest.split(' ').next() == Some("1"))
}

/// The name in a line `option name Clear Hash type button`.
fn option_name(line: &str) -> Option<String> {
    let rest = line.trim().strip_prefix("option name ")?;
    Some(rest.split(" type ").next()?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_option_names() {
        assert_eq!(option_name("option name Clear Hash type button").as_deref(), Some("Clear Hash"));
        assert_eq!(option_name("option name Hash type spin default 16").as_deref(), Some("Hash"));
        assert_eq!(option_name("id name Hash"), None);
    }

    #[test]
    fn second_lines_are_not_the_opinion() {
        assert!(is_main_line("info depth 3 score cp 1"));
        assert!(is_main_line("info depth 3 multipv 1 score cp 1"));
        assert!(!is_main_line("info depth 3 multipv 2 score cp 1"));
    }
}
