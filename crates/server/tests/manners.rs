// SPDX-License-Identifier: GPL-3.0-or-later
//! Manners of the server: everybody gets a turn, nobody can spoil it for others.

#![allow(clippy::print_stdout, reason = "what was measured is worth seeing")]

mod page;

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use page::{Folder, Page, Running, analyse, config, new_game};
use server::message::{Action, Change, Limit, Refusal, Request, ServerMessage};
use tokio_tungstenite::tungstenite::{Message, client::IntoClientRequest};

const FEN: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3";

async fn first_lines(page: &mut Page) -> server::message::Lines {
    page.until(|message| match message {
        ServerMessage::Lines(lines) => Some(*lines),
        _ => None,
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_pages_share_the_slots_and_see_a_line_soon() {
    let folder = Folder::new("fifty");
    let server = Running::start(config(&folder.0)).await;
    let mut pages = Vec::new();
    for _ in 0..50 {
        pages.push(server.page().await);
    }
    let begin = Instant::now();
    for (number, page) in pages.iter_mut().enumerate() {
        // Different positions, so that nobody profits from the others.
        let mut wanted = analyse(FEN, Limit::Infinite);
        wanted.fen = FEN.replace("3 3", &format!("{number} 60"));
        page.send(Request::Analyse(wanted)).await;
    }
    let waits = futures_util::future::join_all(pages.iter_mut().map(async |page| {
        first_lines(page).await;
        begin.elapsed()
    }))
    .await;
    let last = waits.iter().max().unwrap();
    assert!(*last < Duration::from_secs(10), "the last of 50 pages waited {last:?}");
    println!("the last of 50 pages saw its first line after {last:?}");
    // Play goes first even now.
    let mut player = server.page().await;
    player.done(Request::NewGame(new_game("busy-game"))).await;
    let begin = Instant::now();
    let action = Action::Move { ply: 0, uci: "e2e4".into() };
    player.done(Request::Act { game: "busy-game".into(), operation: "m0".into(), action }).await;
    player.game(|state| state.moves.len() == 2).await;
    assert!(begin.elapsed() < Duration::from_secs(3), "the engine took {:?}", begin.elapsed());
    // With the pages, the searches are gone.
    drop(pages);
    let begin = Instant::now();
    loop {
        let (_, metrics) = server.http("GET /metrics", "").await;
        let idle = |name: &str| metrics.contains(&format!("\n{name} 0\n"));
        if idle("nue_searches_running") && idle("nue_searches_waiting") {
            break;
        }
        assert!(begin.elapsed() < Duration::from_secs(5), "{metrics}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_rubbish_is_refused_and_slows_nobody() {
    let folder = Folder::new("flood");
    let server = Running::start(config(&folder.0)).await;
    let address = server.address;
    let flood = |message: Message| {
        tokio::spawn(async move {
            let mut connections = 0_u32;
            let end = Instant::now() + Duration::from_secs(3);
            while Instant::now() < end {
                let mut page = Page::connect(address).await;
                connections += 1;
                // Until the server has had enough.
                while Instant::now() < end && page.socket.send(message.clone()).await.is_ok() {
                    while let Ok(Some(Ok(_))) =
                        tokio::time::timeout(Duration::from_millis(1), page.socket.next()).await
                    {
                    }
                }
            }
            connections
        })
    };
    let floods = [
        flood(Message::text("{\"id\":1,\"do\":{\"type\":\"dance\"}}")),
        flood(Message::text("[".repeat(60_000))),
        flood(Message::text("x".repeat(200_000))),
        flood(Message::binary(vec![0; 60_000])),
    ];
    let mut page = server.page().await;
    let mut slowest = Duration::ZERO;
    for _ in 0..60 {
        let begin = Instant::now();
        page.done(Request::Ping).await;
        slowest = slowest.max(begin.elapsed());
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    assert!(slowest < Duration::from_millis(500), "a ping took {slowest:?} during the flood");
    println!("the slowest ping during the flood took {slowest:?}");
    for flood in floods {
        assert!(flood.await.unwrap() >= 1);
    }
    let (status, _) = server.http("GET /healthz", "").await;
    assert_eq!(status, 200);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_does_not_read_holds_up_nobody_and_sees_the_end() {
    let folder = Folder::new("slow");
    let server = Running::start(config(&folder.0)).await;
    let (mut slow, mut quick) = (server.page().await, server.page().await);
    quick.done(Request::NewStudy(page::new_study("busy-study"))).await;
    slow.done(Request::OpenStudy { study: "busy-study".into() }).await;
    let mut slowest = Duration::ZERO;
    let edits = 180;
    for number in 0..edits {
        // Far more than the buffers of a connection hold.
        let change =
            Change::SetComment { node: "root".into(), text: format!("{number} {}", "x".repeat(16_000)) };
        let begin = Instant::now();
        let (study, operation) = ("busy-study".into(), format!("e{number}"));
        quick.done(Request::Edit { study, operation, change }).await;
        slowest = slowest.max(begin.elapsed());
    }
    assert!(slowest < Duration::from_secs(2), "an edit took {slowest:?}");
    let comment = slow
        .until(|message| match message {
            ServerMessage::Edited(edited) if edited.version == edits + 1 => match edited.change {
                Change::SetComment { text, .. } => Some(text),
                _ => None,
            },
            ServerMessage::Study(study) if study.version == edits + 1 => Some(study.nodes[0].comment.clone()),
            _ => None,
        })
        .await;
    assert!(comment.starts_with(&format!("{} ", edits - 1)));
    server.stop().await;
}

#[tokio::test]
async fn what_cannot_be_read_is_refused_with_a_reason() {
    let folder = Folder::new("malformed");
    let server = Running::start(config(&folder.0)).await;
    let mut page = server.page().await;
    for text in
        ["", "{}", "{\"id\":1}", "{\"id\":1,\"do\":{\"type\":\"ping\"},\"more\":1}", "{\"id\":-1,\"do\":{}}"]
    {
        page.socket.send(Message::text(text)).await.unwrap();
        match page.next().await {
            ServerMessage::Refused { id: 0, why: Refusal::Malformed, reason } => assert!(!reason.is_empty()),
            other => panic!("{text}: {other:?}"),
        }
    }
    page.done(Request::Ping).await;
    let mut last = None;
    for _ in 0..30 {
        let _ = page.socket.send(Message::text("rubbish")).await;
    }
    while let Some(message) = page.try_next().await {
        last = Some(message);
    }
    assert!(matches!(last, Some(ServerMessage::Refused { .. })), "the server closes in the end");

    let mut page = server.page().await;
    page.socket.send(Message::text("x".repeat(100_000))).await.unwrap();
    assert!(page.try_next().await.is_none(), "a message that is too large ends the connection");
    server.stop().await;
}

#[tokio::test]
async fn a_page_has_so_many_searches_and_no_more() {
    let folder = Folder::new("jobs");
    let server = Running::start(config(&folder.0)).await;
    let mut page = server.page().await;
    for job in 0..4 {
        let wanted = server::message::Analyse { job, ..analyse(FEN, Limit::Infinite) };
        page.done(Request::Analyse(wanted)).await;
    }
    let fifth = server::message::Analyse { job: 9, ..analyse(FEN, Limit::Infinite) };
    let answer = page.ask(Request::Analyse(fifth.clone())).await;
    assert!(matches!(answer, ServerMessage::Refused { why: Refusal::TooMany, .. }), "{answer:?}");
    page.done(Request::Stop { job: 0 }).await;
    // The place is free as soon as the stopped search has kept what it found.
    let begin = Instant::now();
    while matches!(page.ask(Request::Analyse(fifth.clone())).await, ServerMessage::Refused { .. }) {
        assert!(begin.elapsed() < Duration::from_secs(5));
    }
    server.stop().await;
}

#[tokio::test]
async fn an_analysis_ends_at_its_limit_and_speaks_for_white() {
    let folder = Folder::new("limits");
    let server = Running::start(config(&folder.0)).await;
    let mut page = server.page().await;
    let black_is_lost = "6k1/5ppp/8/8/8/8/8/R3K2Q b - - 0 1";
    let mut wanted = analyse(black_is_lost, Limit::Depth { depth: 6 });
    wanted.lines = 3;
    let request = page.send(Request::Analyse(wanted)).await;
    let mut deepest = 0;
    page.until(|message| match message {
        ServerMessage::Lines(lines) => {
            assert_eq!((lines.request, lines.lines.len(), lines.stored), (request, 3, false));
            assert!(lines.lines[0].wdl[0] > 900, "{:?}", lines.lines[0]);
            assert_eq!(lines.lines[0].uci.len(), lines.lines[0].san.len());
            deepest = lines.depth;
            None
        }
        ServerMessage::Finished { request: finished, .. } => {
            assert_eq!(finished, request);
            Some(())
        }
        _ => None,
    })
    .await;
    assert_eq!(deepest, 6);

    let mut threat = analyse(black_is_lost, Limit::Depth { depth: 4 });
    threat.threat = true;
    page.send(Request::Analyse(threat)).await;
    let lines = first_lines(&mut page).await;
    assert!(lines.threat && lines.fen.contains(" w "), "{lines:?}");

    let mated = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1";
    page.send(Request::Analyse(analyse(mated, Limit::Infinite))).await;
    let lines = page
        .until(|message| match message {
            ServerMessage::Lines(lines) if lines.fen.starts_with("R5k1") => Some(lines),
            _ => None,
        })
        .await;
    assert_eq!(lines.lines[0].wdl, [1000, 0, 0]);
    page.until(|message| matches!(message, ServerMessage::Finished { .. }).then_some(())).await;
    server.stop().await;
}

/// A search may be over before its page is told of the first line: the deepest line goes before the end all the same.
#[tokio::test]
async fn an_analysis_shows_its_last_line_before_it_ends() {
    let folder = Folder::new("last-line");
    let server = Running::start(config(&folder.0)).await;
    let mut page = server.page().await;
    for round in 0..100 {
        let depth = 1 + round % 4;
        let mut wanted = analyse(FEN, Limit::Depth { depth });
        wanted.threat = round % 2 == 0;
        let request = page.send(Request::Analyse(wanted)).await;
        let mut deepest = None;
        page.until(|message| match message {
            ServerMessage::Lines(lines) if lines.request == request => {
                deepest = Some(lines.depth);
                None
            }
            ServerMessage::Finished { request: finished, .. } => (finished == request).then_some(()),
            _ => None,
        })
        .await;
        assert_eq!(deepest, Some(depth), "round {round}");
    }
    server.stop().await;
}

#[tokio::test]
async fn pages_of_other_sites_are_not_let_in() {
    let folder = Folder::new("origin");
    let server = Running::start(config(&folder.0)).await;
    let mut request = format!("ws://{}/ws", server.address).into_client_request().unwrap();
    request.headers_mut().insert("Origin", "http://example.org".parse().unwrap());
    assert!(tokio_tungstenite::connect_async(request).await.is_err());
    server.stop().await;
}

#[tokio::test]
async fn one_server_at_a_time_works_in_a_folder() {
    let folder = Folder::new("lock");
    let server = Running::start(config(&folder.0)).await;
    assert!(matches!(server::Server::bind(config(&folder.0)).await, Err(server::ServeError::InUse(_))));
    server.stop().await;
    Running::start(config(&folder.0)).await.stop().await;
}
