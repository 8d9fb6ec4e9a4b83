// SPDX-License-Identifier: GPL-3.0-or-later
//! The engine behind the UCI protocol: `lines -> commands -> searches -> lines`.
//!
//! Three kinds of threads, one channel: the input thread reads lines, a task thread searches, and the
//! session alone decides what they mean. A task hands its answer to the session, which prints it, so
//! that whatever is read after a `bestmove` meets an idle engine.

mod flip;
mod options;
mod output;
mod session;
mod task;
mod text;

use std::{
    io::{self, BufRead, Read, Write},
    sync::mpsc::{SyncSender, sync_channel},
    thread,
};

pub use options::{SetOptionError, offers, set as set_option};
use output::Output;
use session::Session;
use task::Done;

/// Longer lines are cut up; a game of a thousand moves is a hundredth of this.
const LONGEST_LINE: u64 = 1 << 20;

/// Lines that may wait while the session is at work; beyond that the input waits.
const WAITING_LINES: usize = 256;

/// What the session wakes up for.
enum Event {
    /// A line to obey.
    Line(String),
    /// There will be no more lines.
    End,
    /// A task has ended.
    Done(Box<Done>),
}

/// Speaks UCI until `quit` or the end of the input; a running search is stopped and answers first.
///
/// The input is read by a thread of its own, which may outlive the session by one line.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    let (sender, events) = sync_channel(WAITING_LINES);
    let lines = sender.clone();
    thread::Builder::new().name("input".into()).spawn(move || read_lines(input, &lines))?;
    match Session::new(Output::new(output), sender).run(&events) {
        // The other side left without a word, which is one way to end a conversation.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome,
    }
}

fn read_lines(mut input: impl BufRead, events: &SyncSender<Event>) {
    let mut line = Vec::new();
    while let Ok(1..) = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        if !text.is_empty() && events.send(Event::Line(text)).is_err() {
            return; // the session is over
        }
        line.clear();
    }
    // If the session is over already, nobody needs to know.
    let _ = events.send(Event::End);
}
