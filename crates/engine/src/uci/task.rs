// SPDX-License-Identifier: GPL-3.0-or-later
//! A search on a thread of its own: it takes the engine along and brings it back with its choice.

use std::{io, sync::mpsc::SyncSender, thread};

use protocol::uci::Reply;
use rules::chess::Game;

use super::{Event, output::Output, text::Style};
use crate::{Choice, Controls, Engine, Limits};

/// What a search brings back.
pub(super) struct Done {
    pub(super) engine: Engine,
    pub(super) choice: Choice,
}

/// A search under way, or one that has ended and must not say so yet.
pub(super) struct Task {
    pub(super) controls: Controls,
    pub(super) style: Style,
    /// Whether only `stop` may end it.
    pub(super) infinite: bool,
    /// Whether it is still the opponent's turn.
    pub(super) pondering: bool,
    /// Whether it was told to stop.
    pub(super) stopping: bool,
    /// The answer, once there is one.
    pub(super) choice: Option<Choice>,
}

impl Task {
    /// Whether there is an answer and the time to give it.
    pub(super) fn is_due(&self) -> bool {
        self.choice.is_some() && (self.stopping || !self.infinite && !self.pondering)
    }
}

/// Searches on a new thread; engine and choice come back as [`Event::Done`].
pub(super) fn start(
    mut engine: Engine,
    game: Game,
    limits: Limits,
    task: &Task,
    output: Output,
    events: SyncSender<Event>,
) -> io::Result<()> {
    let (controls, style) = (task.controls.clone(), task.style);
    let run = move || {
        let choice = engine.search(&game, &limits, &controls, &mut |report| {
            // If nobody listens any more, the session finds out when it prints the answer.
            let _ = output.line(&Reply::Info(style.info(report)));
        });
        // A session that has ended no longer listens; then nobody wants the answer.
        let _ = events.send(Event::Done(Box::new(Done { engine, choice })));
    };
    thread::Builder::new().name("search".into()).spawn(run)?;
    Ok(())
}
