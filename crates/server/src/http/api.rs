// SPDX-License-Identifier: GPL-3.0-or-later
//! Lists, PGN in and out, health and metrics.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use formats::pgn::Reader;
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::{Deserialize, de::DeserializeOwned};

use super::is_own_page;
use crate::{
    core::{Refused, pgn, study::Study},
    live::{House, wall_clock},
    message::{DocumentKind, GameList, Imported, Refusal, StudyList},
    store::Listed,
};

/// Items of a list unless fewer are asked for, and the most.
const PAGE: u32 = 30;
const MOST: u32 = 200;
/// Studies of an import that are stored side by side.
const AT_A_TIME: usize = 32;

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let status = match self.why {
            Refusal::Unknown => StatusCode::NOT_FOUND,
            Refusal::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Refusal::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Refusal::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::BAD_REQUEST,
        };
        (status, format!("{}\n", self.reason)).into_response()
    }
}

/// What to list.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Wanted {
    query: String,
    cursor: Option<String>,
    limit: Option<u32>,
}

pub(super) async fn games(
    State(house): State<Arc<House>>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Refused> {
    let (games, cursor) = list(&house, DocumentKind::Game, &wanted).await?;
    Ok(Json(GameList { games, cursor }).into_response())
}

pub(super) async fn studies(
    State(house): State<Arc<House>>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Refused> {
    let (studies, cursor) = list(&house, DocumentKind::Study, &wanted).await?;
    Ok(Json(StudyList { studies, cursor }).into_response())
}

/// A page of summaries, and where the next begins.
async fn list<T: DeserializeOwned>(
    house: &House,
    kind: DocumentKind,
    wanted: &Wanted,
) -> Result<(Vec<T>, Option<String>), Refused> {
    let query: String = wanted.query.chars().take(200).collect();
    let most = wanted.limit.unwrap_or(PAGE).clamp(1, MOST);
    let behind = wanted.cursor.as_deref().map(|cursor| {
        let place = cursor.split_once('.').and_then(|(time, id)| Some((time.parse().ok()?, id)));
        place.ok_or_else(|| Refused::new(Refusal::Invalid, format!("'{cursor}' is no cursor of a list")))
    });
    let listed = house.store.list(kind, &query, behind.transpose()?, most).await?;
    let full = listed.len() == most as usize;
    let cursor =
        listed.last().filter(|_| full).map(|Listed { id, updated_ms, .. }| format!("{updated_ms}.{id}"));
    let read = |listed: &Listed| serde_json::from_str(&listed.body).ok();
    Ok((listed.iter().filter_map(read).collect(), cursor))
}

pub(super) async fn game_pgn(
    State(house): State<Arc<House>>,
    Path(file): Path<String>,
) -> Result<Response, Refused> {
    let name = pgn_name(&file)?;
    Ok(pgn_file(name, house.game(name).await?.pgn()))
}

pub(super) async fn study_pgn(
    State(house): State<Arc<House>>,
    Path(file): Path<String>,
) -> Result<Response, Refused> {
    let name = pgn_name(&file)?;
    Ok(pgn_file(name, pgn::write_study(&house.study(name).await?.study())))
}

fn pgn_name(file: &str) -> Result<&str, Refused> {
    file.strip_suffix(".pgn")
        .ok_or_else(|| Refused::new(Refusal::Unknown, "expected a name with .pgn at its end"))
}

fn pgn_file(name: &str, text: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.pgn\"")),
    ];
    (headers, text).into_response()
}

/// Makes a study of every game of a PGN.
pub(super) async fn import(
    State(house): State<Arc<House>>,
    headers: HeaderMap,
    text: String,
) -> Result<Json<Imported>, Refused> {
    if !is_own_page(&headers) {
        return Err(Refused::new(Refusal::Invalid, "pages of other sites may not import"));
    }
    let most = house.limits.import_games;
    let permit = house.heavy.acquire().await;
    let read = tokio::task::spawn_blocking(move || read_studies(&text, most)).await;
    drop(permit);
    let (studies, problems) =
        read.map_err(|_| Refused::new(Refusal::Unavailable, "the server failed; please report this"))?;
    // Time and number make a name that no other import has.
    let import = format!("pgn-{:x}-{}", wall_clock(), house.metrics.imports.add(1));
    let house = &house;
    let store = |(number, study)| {
        let name = format!("{import}-{number}");
        async move { house.create_study(&name, study).await.map(|_| name) }
    };
    // Many at a time share a transaction.
    let stored = stream::iter(studies.into_iter().enumerate().map(store)).buffered(AT_A_TIME);
    let names: Vec<String> = stored.try_collect().await?;
    Ok(Json(Imported { studies: names, problems }))
}

fn read_studies(text: &str, most: usize) -> (Vec<Study>, Vec<String>) {
    let (mut studies, mut problems) = (Vec::new(), Vec::new());
    let mut reader = Reader::new(text.as_bytes());
    while studies.len() < most && problems.len() < 20 {
        match pgn::read_study(&mut reader) {
            Ok(Some(study)) => studies.push(study),
            Ok(None) => break,
            Err(refused) => problems.push(refused.reason),
        }
    }
    if studies.len() == most {
        problems.push(format!("only the first {most} games were read"));
    }
    (studies, problems)
}

/// Whether the server can serve: its database answers.
pub(super) async fn health(State(house): State<Arc<House>>) -> Response {
    match house.store.is_well().await && !*house.closing.borrow() {
        true => "ok\n".into_response(),
        false => (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n").into_response(),
    }
}

pub(super) async fn metrics(State(house): State<Arc<House>>) -> Response {
    let (running, waiting) = house.slots.load();
    let gauges = [
        ("sockets", "WebSockets open", house.metrics.sockets()),
        ("slots", "search slots", house.slots.count() as u64),
        ("searches_running", "searches that have a slot", running as u64),
        ("searches_waiting", "searches that wait for a turn", waiting as u64),
        ("games_open", "games in use", house.games.count() as u64),
        ("studies_open", "studies in use", house.studies.count() as u64),
    ];
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (kind, house.metrics.text(&gauges)).into_response()
}
