// SPDX-License-Identifier: GPL-3.0-or-later
//! How soon a page sees something; alone in its file, so that no other test runs beside.

#![allow(clippy::print_stdout, reason = "what was measured is worth seeing")]

mod page;

use std::time::{Duration, Instant};

use page::{Folder, Running, analyse, config};
use server::message::{Limit, Request, ServerMessage};

const FEN: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3";

/// From the request to the first line, with nothing else to do; the target for a move on the board is 100 ms.
#[tokio::test(flavor = "multi_thread")]
async fn the_first_line_comes_at_once() {
    let folder = Folder::new("latency");
    let server = Running::start(config(&folder.0)).await;
    let mut page = server.page().await;
    let mut waits = Vec::new();
    for number in 0..40 {
        let mut wanted = analyse(FEN, Limit::Infinite);
        wanted.fen = FEN.replace("3 3", &format!("{number} 60"));
        let begin = Instant::now();
        let request = page.send(Request::Analyse(wanted)).await;
        page.until(|message| match message {
            ServerMessage::Lines(lines) if lines.request == request => Some(()),
            _ => None,
        })
        .await;
        waits.push(begin.elapsed());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    waits.sort();
    let p95 = waits[waits.len() * 95 / 100];
    println!("first line: median {:?}, p95 {p95:?}", waits[waits.len() / 2]);
    assert!(p95 < Duration::from_millis(100), "the slowest of twenty waited {p95:?}: {waits:?}");
    server.stop().await;
}
