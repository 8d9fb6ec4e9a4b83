// SPDX-License-Identifier: GPL-3.0-or-later
//! A conversation with the real program: send lines, wait for lines, never wait for ever.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

use protocol::uci::{Info, Reply};

/// No answer may take longer, not even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running `nue` and its output so far.
pub(crate) struct Conversation {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    heard: Vec<String>,
}

impl Conversation {
    /// Starts the program.
    pub(crate) fn start() -> Conversation {
        let mut process = Command::new(env!("CARGO_BIN_EXE_nue"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = process.stdout.take().expect("its output is piped");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = process.stdin.take();
        Conversation { process, input, lines, heard: Vec::new() }
    }

    /// Sends lines.
    pub(crate) fn send(&mut self, lines: &str) {
        self.send_bytes(format!("{lines}\n").as_bytes());
    }

    /// Sends anything at all.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).expect("the program reads");
        input.flush().expect("the program reads");
    }

    /// Closes the input of the program.
    pub(crate) fn hang_up(&mut self) {
        self.input = None;
    }

    /// Reads until a line begins with `start`; returns the lines before it and the line.
    pub(crate) fn until(&mut self, start: &str) -> (Vec<String>, String) {
        let deadline = Instant::now() + PATIENCE;
        let mut before = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    self.heard.push(line.clone());
                    if line.starts_with(start) {
                        return (before, line);
                    }
                    before.push(line);
                }
                Err(error) => panic!("no '{start}' ({error}), heard: {:#?}", self.heard),
            }
        }
    }

    /// Sends lines and reads until a line begins with `start`, which is returned.
    pub(crate) fn ask(&mut self, lines: &str, start: &str) -> String {
        self.send(lines);
        self.until(start).1
    }

    /// Sends lines, reads until `bestmove`, and returns the `info` lines and the move.
    pub(crate) fn search(&mut self, lines: &str) -> (Vec<Info>, Option<String>) {
        self.send(lines);
        self.answer()
    }

    /// Reads until `bestmove`; returns the `info` lines and the move.
    pub(crate) fn answer(&mut self) -> (Vec<Info>, Option<String>) {
        let (before, last) = self.until("bestmove");
        let infos = before.iter().filter_map(|line| match Reply::parse(line) {
            Ok(Reply::Info(info)) => Some(info),
            _ => None,
        });
        match Reply::parse(&last) {
            Ok(Reply::BestMove { best, .. }) => (infos.collect(), best),
            other => panic!("{last}: {other:?}"),
        }
    }

    /// Makes sure that nothing but `info` is said for a while.
    pub(crate) fn expect_no_answer(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) if line.starts_with("info") => self.heard.push(line),
                Ok(line) => panic!("too early: {line}"),
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => panic!("the program ended, heard: {:#?}", self.heard),
            }
        }
    }

    /// The FEN of the current position.
    pub(crate) fn fen(&mut self) -> String {
        let line = self.ask("d", "FEN:");
        self.until("Checkers:");
        line.trim_start_matches("FEN:").trim().to_owned()
    }

    /// Waits for the program to end.
    pub(crate) fn wait(mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.process.try_wait().expect("the program can be waited for") {
                return status;
            }
            assert!(Instant::now() < deadline, "the program does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Sends `quit` and makes sure that the program ends well.
    pub(crate) fn quit(mut self) {
        self.send("quit");
        assert!(self.wait().success());
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // A failed test must not leave a search behind; after a good one the process has ended anyway.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
