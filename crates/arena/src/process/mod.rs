// SPDX-License-Identifier: GPL-3.0-or-later
//! A UCI program as a child process: `lines out, stamped lines in`.

mod listener;
mod uci;

use std::{
    io::{self, Write},
    process::{Child, ChildStdin, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use self::listener::{Heard, Listener, Silence};
pub use self::uci::UciPlayer;
use crate::{Fault, Offence};

/// How long a program may take to obey `quit`.
const GRACE: Duration = Duration::from_millis(500);

/// A running program.
struct Process {
    child: Child,
    input: ChildStdin,
    listener: Listener,
    /// Whether it behaved so far and may leave by itself.
    trusted: bool,
}

impl Process {
    fn spawn(mut command: Command) -> io::Result<Process> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let input = child.stdin.take().expect("its input is piped");
        let output = child.stdout.take().expect("its output is piped");
        match Listener::start(output) {
            Ok(listener) => Ok(Process { child, input, listener, trusted: true }),
            Err(error) => {
                // Whether it can still be stopped or not: the error that counts is the other one.
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    /// Sends lines at once and tells when they left.
    ///
    /// One write, because lines in pieces would wake the program twice. The moment is taken before it: from
    /// the write on the program may run, and this thread may have to wait for its turn. The pipe holds more
    /// than a program can leave unread, for each request is followed by waiting for its answer.
    fn send(&mut self, lines: &str) -> Result<Instant, Offence> {
        let text = format!("{lines}\n");
        let sent = Instant::now();
        let written = self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush());
        match written {
            Ok(()) => Ok(sent),
            Err(_) => Err(self.ended()),
        }
    }

    /// The next line worth hearing; nothing if the deadline passes without one.
    fn hear(&mut self, deadline: Instant) -> Result<Option<Heard>, Offence> {
        match self.listener.hear(deadline) {
            Ok(heard) => Ok(Some(heard)),
            Err(Silence::Waiting) => Ok(None),
            Err(Silence::Flood) => {
                self.trusted = false;
                Err(Offence::new(Fault::Flood, "floods its output"))
            }
            Err(Silence::Ended) => Err(self.ended()),
        }
    }

    /// The offence of a program that closed its pipes.
    fn ended(&mut self) -> Offence {
        self.trusted = false;
        match self.wait(GRACE) {
            Some(status) => Offence::new(Fault::Crash, format!("crashes ({status})")),
            None => Offence::new(Fault::Crash, "closes its pipes"),
        }
    }

    /// Waits for the program to end by itself.
    fn wait(&mut self, time: Duration) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + time;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

impl Drop for Process {
    /// Asks the program to quit and makes sure that it does; nothing of it stays behind.
    fn drop(&mut self) {
        if self.trusted && self.send("quit").is_ok() && self.wait(GRACE).is_some() {
            return;
        }
        // An error means that the program is already gone, which is what we want.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
