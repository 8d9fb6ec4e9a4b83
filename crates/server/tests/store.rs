// SPDX-License-Identifier: GPL-3.0-or-later
//! The store on SQLite, and the same on PostgreSQL where `NUE_TEST_POSTGRES` names a database (`cargo xtask test` starts
//! one where it can, and says so where it cannot).

mod page;

use std::{env, process};

use page::{Folder, Running, config, new_game};
use server::{
    message::{Action, Document, DocumentKind, Request},
    store::{Entry, Known, Store, StoreError, Summary},
};

/// The addresses to test with.
fn urls(folder: &Folder) -> Vec<String> {
    let sqlite = format!("sqlite://{}?mode=rwc", folder.0.join("test.db").display());
    std::iter::once(sqlite).chain(env::var("NUE_TEST_POSTGRES").ok()).collect()
}

/// A document whose name no other test or run has.
fn document(name: &str) -> Document {
    Document { kind: DocumentKind::Study, id: format!("{name}-{}", process::id()) }
}

fn entry(body: &str) -> Entry {
    Entry { operation: Some(format!("op-{body}")), body: body.into() }
}

fn summary(words: &str, updated_ms: i64) -> Summary {
    Summary { search: words.to_lowercase(), body: format!("\"{words}\""), updated_ms }
}

#[tokio::test]
async fn what_was_appended_is_loaded_in_order_and_stays() {
    let folder = Folder::new("store-append");
    for url in urls(&folder) {
        let store = Store::open(&url).await.unwrap();
        let document = document("append");
        assert_eq!(store.load(&document).await.unwrap(), None);
        let silent = Entry { operation: None, body: "one 'quoted' ü".into() };
        store.append(&document, 0, vec![silent.clone()], summary("a", 5)).await.unwrap();
        store.append(&document, 1, vec![entry("two"), entry("three")], summary("b", 9)).await.unwrap();
        store.clone().close().await;
        let store = Store::open(&url).await.unwrap();
        let expected = vec![silent, entry("two"), entry("three")];
        assert_eq!(store.load(&document).await.unwrap(), Some((5, expected)), "{url}");
        store.delete(&document).await.unwrap();
        assert_eq!(store.load(&document).await.unwrap(), None);
        store.close().await;
    }
}

#[tokio::test]
async fn a_place_in_the_journal_is_taken_once_and_others_do_not_suffer() {
    let folder = Folder::new("store-conflict");
    for url in urls(&folder) {
        let store = Store::open(&url).await.unwrap();
        let document = document("conflict");
        store.append(&document, 0, vec![entry("one")], summary("a", 1)).await.unwrap();
        // All at once, so that they share a transaction: for each place exactly one may succeed.
        let append = |version: u32, body: String| {
            let (store, document) = (store.clone(), document.clone());
            async move { store.append(&document, version, vec![entry(&body)], summary("b", 2)).await }
        };
        let writes = (1..=20).flat_map(|version| [append(version, "x".into()), append(version, "y".into())]);
        let results: Vec<Result<(), StoreError>> = futures_util::future::join_all(writes).await;
        assert!(
            results.chunks(2).all(|pair| pair.iter().filter(|result| result.is_ok()).count() == 1),
            "{url}"
        );
        assert_eq!(store.load(&document).await.unwrap().unwrap().1.len(), 21);
        let nobody = self::document("nobody");
        assert!(store.append(&nobody, 3, vec![entry("x")], summary("c", 3)).await.is_err());
        assert_eq!(store.load(&nobody).await.unwrap(), None);
        store.delete(&document).await.unwrap();
        store.close().await;
    }
}

#[tokio::test]
async fn lists_go_from_new_to_old_without_gaps() {
    let folder = Folder::new("store-list");
    for url in urls(&folder) {
        let store = Store::open(&url).await.unwrap();
        let word = format!("Wort{}", process::id());
        // Some at the same time: the name decides then.
        for number in 0..10_i64 {
            let document = document(&format!("list-{number}"));
            store.append(&document, 0, vec![entry("x")], summary(&word, number / 3)).await.unwrap();
        }
        let (mut found, mut behind): (Vec<String>, Option<(i64, String)>) = (Vec::new(), None);
        loop {
            let place = behind.as_ref().map(|(time, id)| (*time, id.as_str()));
            let page = store.list(DocumentKind::Study, &word, place, 4).await.unwrap();
            let Some(last) = page.last() else { break };
            behind = Some((last.updated_ms, last.id.clone()));
            found.extend(page.into_iter().map(|listed| listed.id));
        }
        let expected: Vec<String> =
            (0..10).rev().map(|number| document(&format!("list-{number}")).id).collect();
        assert_eq!(found, expected, "{url}");
        assert!(store.list(DocumentKind::Game, &word, None, 4).await.unwrap().is_empty());
        for number in 0..10 {
            store.delete(&document(&format!("list-{number}"))).await.unwrap();
        }
        store.close().await;
    }
}

#[tokio::test]
async fn the_deeper_evaluation_is_kept() {
    let folder = Folder::new("store-eval");
    for url in urls(&folder) {
        let store = Store::open(&url).await.unwrap();
        let position = format!("position {}", process::id());
        assert_eq!(store.recall(&position).await.unwrap(), None);
        let known = |depth, body: &str| Known { position: position.clone(), depth, body: body.into() };
        for (depth, body) in [(10, "ten"), (8, "eight"), (12, "twelve"), (12, "twelve again")] {
            store.remember(known(depth, body)).await.unwrap();
        }
        assert_eq!(store.recall(&position).await.unwrap(), Some(known(12, "twelve again")), "{url}");
        store.close().await;
    }
}

#[tokio::test]
async fn a_server_plays_on_every_database() {
    let folder = Folder::new("store-server");
    for url in urls(&folder) {
        let game = format!("game-{}", process::id());
        for restart in 0..2 {
            let mut config = config(&folder.0);
            config.database_url = Some(url.clone());
            let server = Running::start(config).await;
            let mut page = server.page().await;
            page.done(Request::NewGame(new_game(&game))).await;
            let ply = restart * 2;
            page.game(|state| state.moves.len() == ply).await;
            let uci = ["e2e4", "d2d4"][restart].to_owned();
            let action = Action::Move { ply: ply as u32, uci };
            page.done(Request::Act { game: game.clone(), operation: format!("m{ply}"), action }).await;
            page.game(|state| state.moves.len() == ply + 2).await;
            server.stop().await;
        }
    }
}
