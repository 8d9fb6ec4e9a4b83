// SPDX-License-Identifier: GPL-3.0-or-later
//! The program itself as a server: killed without warning, crowded with idle pages, told to stop.

#![allow(clippy::print_stdout, reason = "what was measured is worth seeing")]

use std::{
    fs,
    io::{BufRead, BufReader},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use rules::chess::Board;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{Message, WebSocket, client};

/// A running `nue serve`, killed with its owner.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(data: &Path) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_nue"))
            .args(["serve", "--port", "0", "--no-open", "--slots", "2", "--hash", "1", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("a pipe")).read_line(&mut line).expect("a line");
        let address = line.trim().trim_end_matches('/').rsplit('/').next().expect("an address").to_owned();
        Server { child, address }
    }

    fn page(&self) -> Page {
        let stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
        stream.set_nodelay(true).expect("no delay");
        let (socket, _) = client(format!("ws://{}/ws", self.address), stream).expect("a WebSocket");
        let mut page = Page { socket, next_id: 1 };
        assert_eq!(page.next()["type"], "welcome");
        page
    }

    /// Memory that belongs to the process alone, in bytes.
    #[cfg(target_os = "linux")]
    fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("a process");
        let line = status.lines().find(|line| line.starts_with("RssAnon:")).expect("a size");
        line.split_whitespace().nth(1).and_then(|size| size.parse::<u64>().ok()).expect("kB") * 1024
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page in a browser, as the server sees it.
struct Page {
    socket: WebSocket<TcpStream>,
    next_id: u32,
}

impl Page {
    fn next(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().expect("a message") {
                return serde_json::from_str(&text).expect("JSON");
            }
        }
    }

    fn send(&mut self, request: Value) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        let text = json!({ "id": id, "do": request }).to_string();
        self.socket.send(Message::text(text)).expect("sent");
        id
    }

    /// Sends a request and waits for its answer.
    fn done(&mut self, request: Value) -> Value {
        let id = self.send(request.clone());
        self.until(|message| {
            assert!(message["type"] != "refused", "{request}: {message}");
            message["type"] == "done" && message["id"] == id
        })
    }

    fn until(&mut self, mut fits: impl FnMut(&Value) -> bool) -> Value {
        loop {
            let message = self.next();
            if fits(&message) {
                return message;
            }
        }
    }
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("nue-serve-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const STUDY: &str = "killed-study";

/// What a user was told is done; everything in it must be there later.
#[derive(Default)]
struct Acknowledged {
    /// Games and the human's moves in them, by half-move.
    games: Vec<(String, Vec<(usize, String)>)>,
    /// Nodes of the study, each behind the one before, with their comments.
    notes: Vec<(String, String)>,
}

impl Acknowledged {
    fn check(&self, page: &mut Page) {
        for (name, moves) in &self.games {
            page.send(json!({ "type": "watch_game", "game": name }));
            let game = page.until(|message| message["type"] == "game" && message["game"] == **name);
            for (ply, uci) in moves {
                assert_eq!(game["moves"][*ply]["uci"], **uci, "move {ply} was acknowledged and is lost");
            }
            page.done(json!({ "type": "close", "document": { "kind": "game", "id": name } }));
        }
        page.send(json!({ "type": "open_study", "study": STUDY }));
        let study = page.until(|message| message["type"] == "study");
        let nodes = study["nodes"].as_array().expect("nodes");
        for (name, comment) in &self.notes {
            let node = nodes.iter().find(|node| node["id"] == **name);
            let node = node.unwrap_or_else(|| panic!("node {name} was acknowledged and is lost"));
            assert_eq!(node["comment"], **comment, "the comment of {name} was acknowledged and is lost");
        }
    }

    /// A move of the study and a comment on it; knights go out and home again, so there is always one more.
    fn note(&mut self, page: &mut Page, name: &str) {
        let uci = ["g1f3", "g8f6", "f3g1", "f6g8"][self.notes.len() % 4];
        let parent = self.notes.last().map_or("root", |(node, _)| node.as_str());
        let change = json!({ "type": "add_move", "node": name, "parent": parent, "uci": uci });
        let answer =
            page.done(json!({ "type": "edit", "study": STUDY, "operation": name, "change": change }));
        let node = answer["answer"]["node"].as_str().expect("a node").to_owned();
        let comment = format!("said of {name}");
        let change = json!({ "type": "set_comment", "node": node, "text": comment });
        page.done(
            json!({ "type": "edit", "study": STUDY, "operation": format!("c{name}"), "change": change }),
        );
        self.notes.push((node, comment));
    }

    /// A move in the game, in a new one if it is over.
    fn play(&mut self, page: &mut Page) {
        let number = self.games.len();
        let Some((name, moves)) = self.games.last_mut() else { return self.begin(page, number) };
        page.send(json!({ "type": "watch_game", "game": name }));
        let game = page.until(|message| {
            message["type"] == "game" && message["game"] == **name && message["thinking"] == false
        });
        if !game["result"].is_null() {
            return self.begin(page, number);
        }
        let ply = game["moves"].as_array().expect("moves").len();
        let board = Board::from_fen(game["fen"].as_str().expect("a position")).expect("legal");
        let uci = board.legal_moves()[0].to_uci(false);
        page.done(json!({ "type": "act", "game": name, "operation": format!("m{ply}"), "action":
            { "type": "move", "ply": ply, "uci": uci } }));
        moves.push((ply, uci));
    }

    fn begin(&mut self, page: &mut Page, number: usize) {
        let name = format!("killed-game-{number}");
        page.done(
            json!({ "type": "new_game", "game": name, "elo": 400, "colour": "white", "chess960": false }),
        );
        self.games.push((name, Vec::new()));
    }
}

#[test]
fn twenty_kills_lose_nothing_that_was_acknowledged() {
    let folder = Folder::new("kills");
    let mut acknowledged = Acknowledged::default();
    for round in 0..20 {
        let server = Server::start(&folder.0);
        let mut page = server.page();
        page.done(json!({ "type": "new_study", "study": STUDY, "chess960": false }));
        acknowledged.check(&mut page);
        // An analysis runs beside, as it would in a browser.
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        page.send(json!({ "type": "analyse", "job": 1, "fen": fen, "moves": [], "lines": 1, "threads": 1, "hash_mb": 1,
            "limit": { "type": "infinite" }, "chess960": false, "threat": false }));
        let end = Instant::now() + Duration::from_millis(200 + 31 * round);
        let mut number = 0;
        while Instant::now() < end {
            acknowledged.note(&mut page, &format!("r{round}n{number}"));
            acknowledged.play(&mut page);
            number += 1;
        }
        // Something is under way: it is not acknowledged, and may or may not be there.
        let change = json!({ "type": "set_title", "title": "under way" });
        page.send(
            json!({ "type": "edit", "study": STUDY, "operation": format!("x{round}"), "change": change }),
        );
        drop(server);
    }
    let server = Server::start(&folder.0);
    acknowledged.check(&mut server.page());
    let moves: usize = acknowledged.games.iter().map(|(_, moves)| moves.len()).sum();
    assert!(
        moves >= 40 && acknowledged.notes.len() >= 40,
        "{moves} moves, {} comments",
        acknowledged.notes.len()
    );
    println!("{moves} moves and {} comments outlived 20 kills", acknowledged.notes.len());
}

#[cfg(target_os = "linux")]
#[test]
fn a_thousand_idle_pages_cost_little() {
    let folder = Folder::new("idle");
    let server = Server::start(&folder.0);
    // What is set up once is not counted: the first pages, and engines that are still being made.
    let warm: Vec<Page> = (0..20).map(|_| server.page()).collect();
    let mut before = server.memory();
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let now = server.memory();
        if now.abs_diff(before) < 64 << 10 {
            break;
        }
        before = now;
    }
    let pages: Vec<Page> = (0..1_000).map(|_| server.page()).collect();
    let each = server.memory().saturating_sub(before) / pages.len() as u64;
    assert!(each <= 20 << 10, "an idle page costs {each} bytes");
    println!("an idle page costs {each} bytes");
    drop(warm);
}

#[cfg(unix)]
#[test]
fn it_ends_when_told_to_and_says_goodbye() {
    let folder = Folder::new("term");
    let mut server = Server::start(&folder.0);
    let mut page = server.page();
    let told = Command::new("kill").arg(server.child.id().to_string()).status().expect("kill");
    assert!(told.success());
    let begin = Instant::now();
    loop {
        match page.socket.read() {
            Ok(Message::Close(Some(frame))) => break assert!(frame.reason.contains("shutting down")),
            Ok(_) => {}
            Err(error) => panic!("{error}"),
        }
    }
    drop(page);
    while server.child.try_wait().expect("a process").is_none() {
        assert!(begin.elapsed() < Duration::from_secs(10), "it does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_folder_in_use_is_named() {
    let folder = Folder::new("in-use");
    let _server = Server::start(&folder.0);
    let second = Command::new(env!("CARGO_BIN_EXE_nue"))
        .args(["serve", "--port", "0", "--no-open", "--data"])
        .arg(&folder.0)
        .output()
        .expect("the program starts");
    let complaint = String::from_utf8_lossy(&second.stderr);
    assert!(!second.status.success() && complaint.contains("is used by another server"), "{complaint}");
}
