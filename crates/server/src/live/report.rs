// SPDX-License-Identifier: GPL-3.0-or-later
//! Reports on whole games: every position is searched to the same depth, and what is stored is not searched again, so
//! an interrupted report goes on where it was.

use std::sync::Arc;

use futures_util::{StreamExt, stream};
use rules::chess::{Board, Game};
use tokio::task::JoinSet;

use super::{
    House,
    analysis::{Outlet, keep, stored_lines},
};
use crate::{
    core::{
        Refused,
        report::{Judged, report},
        turns::Precedence,
    },
    message::{Document, DocumentKind, MoveText, Refusal, ServerMessage},
    search::{End, Found, Search, terminal},
};

/// How deep each position is searched.
const DEPTH: u32 = 14;
/// Longest game that is judged.
const MOST_PLIES: usize = 1_000;

/// A position to be judged, with the game up to it.
struct Place {
    game: Game,
    node: Option<String>,
    played: Option<MoveText>,
}

/// A report that can be made.
pub struct ReportRequest {
    document: Document,
    places: Vec<Place>,
    chess960: bool,
}

impl ReportRequest {
    /// What it is about.
    pub fn document(&self) -> &Document {
        &self.document
    }
}

/// Looks up what is to be judged.
///
/// # Errors
/// When there is no such document, or it has no moves.
pub async fn prepare_report(house: &House, document: Document) -> Result<ReportRequest, Refused> {
    let (places, chess960) = places(house, &document).await?;
    if places.len() < 2 {
        return Err(Refused::new(Refusal::NotPossible, "there are no moves to judge"));
    }
    Ok(ReportRequest { document, places, chess960 })
}

/// Judges every position of a game or of a study's main line, telling how far it is; gives up when the server shuts
/// down.
pub async fn make_report(house: Arc<House>, request: ReportRequest, outlet: Outlet) {
    let ReportRequest { document, places, chess960 } = request;
    let total = places.len() as u32;
    let mut kept = JoinSet::new();
    let mut judged = Vec::with_capacity(places.len());
    // A few at a time keep every slot busy; the slots see to it that others get their turns.
    let at_a_time = house.slots.count();
    let mut results =
        stream::iter(places.into_iter().map(|place| judge(&house, place, chess960))).buffered(at_a_time);
    while let Some(result) = results.next().await {
        let Ok((result, found)) = result else { return };
        judged.push(result);
        if let Some((board, found)) = found {
            let house = Arc::clone(&house);
            kept.spawn(async move { keep(&house, &board, chess960, &found).await });
        }
        let done = judged.len() as u32;
        let progress = ServerMessage::ReportProgress { document: document.clone(), done, total };
        if outlet.send(Arc::new(progress)).await.is_err() {
            return;
        }
    }
    kept.join_all().await;
    let report = Box::new(report(&judged));
    let _ = outlet.send(Arc::new(ServerMessage::Report { document, report })).await;
}

async fn places(house: &House, document: &Document) -> Result<(Vec<Place>, bool), Refused> {
    let study = match document.kind {
        DocumentKind::Game => house.game(&document.id).await?.as_study(),
        DocumentKind::Study => house.study(&document.id).await?.study(),
    };
    let mut game = Game::new(study.root().board);
    let chess960 = study.chess960();
    let named = |name: &str| (document.kind == DocumentKind::Study).then(|| name.to_owned());
    let mut places = vec![Place { game: game.clone(), node: named(crate::message::ROOT), played: None }];
    for (name, node) in study.main_line().into_iter().take(MOST_PLIES) {
        let Some(m) = node.m else { break };
        game.play(m);
        let played = Some(MoveText { uci: m.to_uci(chess960), san: node.san.clone() });
        places.push(Place { game: game.clone(), node: named(name), played });
    }
    Ok((places, chess960))
}

/// A judged position, and what is new about it.
type Judgement = (Judged, Option<(Board, Arc<Found>)>);

async fn judge(house: &House, place: Place, chess960: bool) -> Result<Judgement, Refused> {
    let Place { game, node, played } = place;
    let board = *game.board();
    let turn = board.turn();
    if let Some((score, _)) = terminal(&board) {
        return Ok((Judged { turn, node, played, score, best: None }, None));
    }
    let stored = stored_lines(house, &board, chess960).await.filter(|(depth, _)| *depth >= DEPTH);
    if let Some(line) = stored.and_then(|(_, stored)| stored.lines.into_iter().next()) {
        let best = line.uci.first().zip(line.san.first());
        let best = best.map(|(uci, san)| MoveText { uci: uci.clone(), san: san.clone() });
        return Ok((Judged { turn, node, played, score: line.score, best }, None));
    }
    let found = search(house, game).await?;
    let line = found.lines.first().ok_or_else(closing)?;
    let best = line.moves.first().map(|&m| MoveText { uci: m.to_uci(chess960), san: board.to_san(m) });
    Ok((Judged { turn, node, played, score: line.score, best }, Some((board, found))))
}

async fn search(house: &House, game: Game) -> Result<Arc<Found>, Refused> {
    let search = Search {
        game,
        lines: 1,
        threads: 1,
        hash_mb: None,
        elo: None,
        end: End::Depth(DEPTH),
        precedence: Precedence::Analysis,
    };
    house.slots.finish(search).await.and_then(|progress| progress.found).ok_or_else(closing)
}

fn closing() -> Refused {
    Refused::new(Refusal::Unavailable, "the server is shutting down")
}
