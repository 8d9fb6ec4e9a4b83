// SPDX-License-Identifier: GPL-3.0-or-later
//! One page: its messages in, answers and events out.
//!
//! Requests about documents are carried out one after the other, each on the disk before the next begins; meanwhile
//! events go on, and what concerns no document is served at once. Nothing here can hold up another page: queues are
//! short, and a page that does not read or talks too fast waits for itself.

use std::{collections::VecDeque, future::pending, sync::Arc, time::Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use engine::Options;
use tokio::{
    sync::{mpsc, watch},
    time::{sleep, sleep_until, timeout},
};

use super::{
    desk::{Desk, Step, Work, is_ordered},
    pace::Pace,
};
use crate::{
    core::Refused,
    live::House,
    message::{Answer, ClientMessage, Refusal, ServerMessage, Welcome},
};

/// Requests that may wait for those before them; with more, the page is not read.
const BACKLOG: usize = 32;

/// Serves a page until it goes away.
pub(super) async fn run(house: Arc<House>, socket: WebSocket) {
    house.metrics.connections.add(1);
    let _gone = Gone(Arc::clone(&house));
    let (outlet, mut queue) = mpsc::channel(house.limits.queue);
    let mut closing = house.closing.subscribe();
    let mut session = Session::new(&house, socket, Desk::new(Arc::clone(&house), outlet));
    if session.send(&ServerMessage::Welcome(welcome(&house))).await.is_err() {
        return;
    }
    let mut work: Option<(u32, Work)> = None;
    loop {
        if work.is_none() {
            match session.next_work().await {
                Ok(next) => work = next,
                Err(Over) => return,
            }
        }
        let working = async {
            match &mut work {
                Some((_, work)) => work.as_mut().await,
                None => pending().await,
            }
        };
        let going_on = tokio::select! {
            message = session.read() => session.receive(message).await,
            after = working => {
                let id = work.take().map_or(0, |(id, _)| id);
                let answer = after.and_then(|after| session.desk.finish(after));
                session.answer(id, answer).await
            }
            event = queue.recv() => match event {
                Some(event) => session.send(&event).await,
                None => pending().await,
            },
            () = until(&mut closing) => {
                session.close(close_code::AWAY, "the server is shutting down").await;
                Err(Over)
            }
            () = sleep(house.limits.silence) => session.ask_whether_alive().await,
        };
        if going_on.is_err() {
            return;
        }
    }
}

/// Waits until a switch is on or nobody can switch it any more.
async fn until(switch: &mut watch::Receiver<bool>) {
    let _ = switch.wait_for(|on| *on).await;
}

/// The page is gone, or must go.
struct Over;

/// Counts the page out, however it ends.
struct Gone(Arc<House>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.metrics.disconnections.add(1);
    }
}

struct Session {
    house: Arc<House>,
    socket: WebSocket,
    desk: Desk,
    pace: Pace,
    /// When the page may be read again.
    resume: Instant,
    backlog: VecDeque<ClientMessage>,
    malformed: u32,
    /// Whether a silent page was asked if it is still there.
    asked: bool,
}

impl Session {
    fn new(house: &Arc<House>, socket: WebSocket, desk: Desk) -> Session {
        let now = Instant::now();
        Session {
            house: Arc::clone(house),
            socket,
            desk,
            pace: Pace::new(house.limits.burst, house.limits.rate, now),
            resume: now,
            backlog: VecDeque::new(),
            malformed: 0,
            asked: false,
        }
    }

    /// The next message; a page that talks too fast is not refused but waits. May be dropped at any time.
    async fn read(&mut self) -> Option<Result<Message, axum::Error>> {
        if self.backlog.len() >= BACKLOG {
            pending::<()>().await;
        }
        if self.resume > Instant::now() {
            sleep_until(self.resume.into()).await;
        }
        self.socket.recv().await
    }

    async fn receive(&mut self, message: Option<Result<Message, axum::Error>>) -> Result<(), Over> {
        self.asked = false;
        let text = match message {
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(Message::Binary(_))) => return self.refuse_malformed("binary messages").await,
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => return Ok(()),
            Some(Err(_)) => {
                self.close(close_code::SIZE, "the message is too large or no WebSocket frame").await;
                return Err(Over);
            }
            Some(Ok(Message::Close(_))) | None => return Err(Over),
        };
        self.house.metrics.messages.add(1);
        let now = Instant::now();
        self.resume = now + self.pace.take(now);
        match serde_json::from_str::<ClientMessage>(&text) {
            Ok(message) if is_ordered(&message.request) => self.backlog.push_back(message),
            Ok(ClientMessage { id, request }) => {
                if let Step::Answer(answer) = self.desk.begin(id, request) {
                    return self.answer(id, answer).await;
                }
            }
            Err(error) => return self.refuse_malformed(&error.to_string()).await,
        }
        Ok(())
    }

    /// The next request of the backlog that takes time; those before it are answered.
    async fn next_work(&mut self) -> Result<Option<(u32, Work)>, Over> {
        while let Some(ClientMessage { id, request }) = self.backlog.pop_front() {
            match self.desk.begin(id, request) {
                Step::Work(work) => return Ok(Some((id, work))),
                Step::Answer(answer) => self.answer(id, answer).await?,
                Step::Later => {}
            }
        }
        Ok(None)
    }

    async fn answer(&mut self, id: u32, answer: Result<Option<Answer>, Refused>) -> Result<(), Over> {
        let message = match answer {
            Ok(answer) => ServerMessage::Done { id, answer },
            Err(refused) => self.desk.refusal(id, refused),
        };
        self.send(&message).await
    }

    async fn refuse_malformed(&mut self, what: &str) -> Result<(), Over> {
        self.malformed += 1;
        let reason = format!("expected a JSON object with id and do: {what}");
        self.answer(0, Err(Refused::new(Refusal::Malformed, reason))).await?;
        if self.malformed < self.house.limits.malformed {
            return Ok(());
        }
        self.close(close_code::POLICY, "too many malformed messages").await;
        Err(Over)
    }

    async fn ask_whether_alive(&mut self) -> Result<(), Over> {
        if std::mem::replace(&mut self.asked, true) {
            return Err(Over);
        }
        self.socket.send(Message::Ping(axum::body::Bytes::new())).await.map_err(|_| Over)
    }

    async fn send(&mut self, message: &ServerMessage) -> Result<(), Over> {
        let text = serde_json::to_string(message).expect("messages are plain data");
        let sent =
            timeout(self.house.limits.send_timeout, self.socket.send(Message::Text(text.into()))).await;
        sent.map_err(|_| Over)?.map_err(|_| Over)
    }

    async fn close(&mut self, code: u16, reason: &'static str) {
        let frame = CloseFrame { code, reason: reason.into() };
        let closed = self.socket.send(Message::Close(Some(frame)));
        let _ = timeout(std::time::Duration::from_secs(1), closed).await;
    }
}

fn welcome(house: &House) -> Welcome {
    let limits = &house.limits;
    Welcome {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        slots: house.slots.count() as u32,
        max_threads: limits.threads as u32,
        max_hash_mb: limits.hash_mb as u32,
        max_lines: limits.lines as u32,
        min_elo: *Options::ELO_RANGE.start(),
        max_elo: *Options::ELO_RANGE.end(),
        max_message_bytes: limits.message_bytes as u32,
        nets: house.nets.infos(),
    }
}
