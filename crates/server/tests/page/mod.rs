// SPDX-License-Identifier: GPL-3.0-or-later
//! A server in this process and pages that talk to it, for the tests beside.

#![allow(dead_code, reason = "every test file uses some of it")]

use std::{
    collections::VecDeque,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    time::Duration,
};

use futures_util::{SinkExt, StreamExt};
use server::{
    Config, Server,
    limits::Limits,
    message::{
        Analyse, ClientMessage, GameState, Limit, NewGame, NewStudy, Request, ServerMessage, StudyState,
    },
};
use tokio::{net::TcpStream, sync::oneshot, task::JoinHandle, time::timeout};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, tungstenite::Message};

/// Longest that a test waits for a message.
const PATIENCE: Duration = Duration::from_secs(30);

/// A folder that is gone with its owner.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("nue-server-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn config(data: &Path) -> Config {
    Config {
        host: IpAddr::V4(Ipv4Addr::LOCALHOST),
        port: 0,
        data: data.to_owned(),
        database_url: None,
        web: None,
        nets: Vec::new(),
        slots: Some(2),
        hash_mb: 4,
        limits: Limits::default(),
    }
}

/// A running server.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Running {
    pub(crate) async fn start(config: Config) -> Running {
        let server = Server::bind(config).await.unwrap();
        let address = server.address();
        let (stop, stopped) = oneshot::channel::<()>();
        let task = tokio::spawn(async move {
            let end = async move { drop(stopped.await) };
            server.run(end).await.unwrap();
        });
        Running { address, stop, task }
    }

    pub(crate) async fn page(&self) -> Page {
        let mut page = Page::connect(self.address).await;
        assert!(matches!(page.next().await, ServerMessage::Welcome(_)));
        page
    }

    /// Asks for something by HTTP; the status and the body.
    pub(crate) async fn http(&self, head: &str, body: &str) -> (u16, String) {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};

        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let length = body.len();
        let host = self.address;
        let request = format!(
            "{head} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\
             Content-Type: text/plain\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    pub(crate) async fn stop(self) {
        let _ = self.stop.send(());
        self.task.await.unwrap();
    }
}

/// A page in a browser, as the server sees it.
pub(crate) struct Page {
    pub(crate) socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    next_id: u32,
    /// Events that came before an answer.
    kept: VecDeque<ServerMessage>,
}

impl Page {
    pub(crate) async fn connect(address: SocketAddr) -> Page {
        let address = format!("ws://{address}/ws");
        let (socket, _) = tokio_tungstenite::connect_async_with_config(address, None, true).await.unwrap();
        Page { socket, next_id: 1, kept: VecDeque::new() }
    }

    /// Sends a request and returns its number.
    pub(crate) async fn send(&mut self, request: Request) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        let text = serde_json::to_string(&ClientMessage { id, request }).unwrap();
        self.socket.send(Message::text(text)).await.unwrap();
        id
    }

    /// The next message; none when the server has closed the connection.
    pub(crate) async fn try_next(&mut self) -> Option<ServerMessage> {
        loop {
            let message = timeout(PATIENCE, self.socket.next()).await.expect("a message in time")?;
            match message.ok()? {
                Message::Text(text) => return Some(serde_json::from_str(&text).unwrap()),
                Message::Close(_) => return None,
                _ => {}
            }
        }
    }

    pub(crate) async fn next(&mut self) -> ServerMessage {
        self.try_next().await.expect("the connection stays")
    }

    /// Skips messages until one fits, those first that came before an answer.
    pub(crate) async fn until<T>(&mut self, mut fits: impl FnMut(ServerMessage) -> Option<T>) -> T {
        loop {
            let message = match self.kept.pop_front() {
                Some(message) => message,
                None => self.next().await,
            };
            if let Some(found) = fits(message) {
                return found;
            }
        }
    }

    /// Sends a request and waits for its answer; events are kept for later.
    pub(crate) async fn ask(&mut self, request: Request) -> ServerMessage {
        let id = self.send(request).await;
        loop {
            match self.next().await {
                message @ ServerMessage::Done { id: answered, .. } if answered == id => return message,
                message @ ServerMessage::Refused { id: answered, .. } if answered == id => return message,
                event => self.kept.push_back(event),
            }
        }
    }

    /// The same, and it must be done.
    pub(crate) async fn done(&mut self, request: Request) -> Option<server::message::Answer> {
        match self.ask(request.clone()).await {
            ServerMessage::Done { answer, .. } => answer,
            other => panic!("{request:?}: {other:?}"),
        }
    }

    /// The state of the watched game when it fits.
    pub(crate) async fn game(&mut self, mut fits: impl FnMut(&GameState) -> bool) -> GameState {
        self.until(|message| match message {
            ServerMessage::Game(state) if fits(&state) => Some(*state),
            _ => None,
        })
        .await
    }

    pub(crate) async fn study(&mut self) -> StudyState {
        self.until(|message| match message {
            ServerMessage::Study(state) => Some(*state),
            _ => None,
        })
        .await
    }
}

pub(crate) fn new_game(game: &str) -> NewGame {
    let colour = Some(server::message::Colour::White);
    NewGame { game: game.into(), elo: Some(400), colour, clock: None, fen: None, chess960: false }
}

pub(crate) fn new_study(study: &str) -> NewStudy {
    NewStudy { study: study.into(), title: None, fen: None, chess960: false, pgn: None, game: None }
}

pub(crate) fn analyse(fen: &str, limit: Limit) -> Analyse {
    Analyse {
        job: 1,
        fen: fen.into(),
        moves: Vec::new(),
        lines: 1,
        threads: 1,
        hash_mb: 4,
        limit,
        chess960: false,
        threat: false,
    }
}
