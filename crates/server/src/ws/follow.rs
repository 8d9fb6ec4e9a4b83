// SPDX-License-Identifier: GPL-3.0-or-later
//! Tasks that hand on what happens to a document. Each waits for its page: a slow page misses what is out of date, and
//! nobody else notices.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    sync::Arc,
};

use tokio::sync::broadcast::error::RecvError;

use crate::{
    live::{GameRoom, House, Open, Outlet, StudyChange, StudyRoom, Watching, stored_lines},
    message::{Document, DocumentKind, Evaluation, ServerMessage},
};

/// Most positions of a study whose stored evaluations are sent.
const MOST_EVALUATIONS: usize = 1_000;

/// Sends a game now and after every change.
pub(super) async fn game(house: Arc<House>, room: Open<GameRoom>, outlet: Outlet) {
    let mut watching = Watching::new(&house, room);
    loop {
        let change = *watching.changes.borrow_and_update();
        let message = if change.deleted {
            let id = watching.room.name().to_owned();
            ServerMessage::Deleted { document: Document { kind: DocumentKind::Game, id } }
        } else {
            ServerMessage::Game(Box::new(watching.room.state(&house)))
        };
        if outlet.send(Arc::new(message)).await.is_err() || change.deleted {
            return;
        }
        if watching.changes.changed().await.is_err() {
            return;
        }
    }
}

/// Sends a study now, and every change; all of it again if the page could not follow.
pub(super) async fn study(house: Arc<House>, room: Open<StudyRoom>, outlet: Outlet) {
    let (state, mut changes) = room.open();
    if outlet.send(Arc::new(ServerMessage::Study(Box::new(state)))).await.is_err() {
        return;
    }
    let evaluations = evaluations(&house, &room).await;
    let message = ServerMessage::Evaluations { study: room.name().to_owned(), evaluations };
    if outlet.send(Arc::new(message)).await.is_err() {
        return;
    }
    loop {
        let message = match changes.recv().await {
            Ok(StudyChange::Edited(edited)) => ServerMessage::Edited(Box::new((*edited).clone())),
            Ok(StudyChange::Deleted) | Err(RecvError::Closed) => {
                let document = Document { kind: DocumentKind::Study, id: room.name().to_owned() };
                let _ = outlet.send(Arc::new(ServerMessage::Deleted { document })).await;
                return;
            }
            Err(RecvError::Lagged(_)) => {
                let (state, newer) = room.open();
                changes = newer;
                ServerMessage::Study(Box::new(state))
            }
        };
        if outlet.send(Arc::new(message)).await.is_err() {
            return;
        }
    }
}

/// What earlier analyses found about the positions of a study.
async fn evaluations(house: &House, room: &StudyRoom) -> Vec<Evaluation> {
    let study = room.study();
    let mut known = BTreeMap::new();
    let mut evaluations = Vec::new();
    for name in study.names().into_iter().take(MOST_EVALUATIONS) {
        let Some(node) = study.get(name) else { continue };
        let key = node.board.key();
        let found = match known.entry(key) {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(place) => {
                let stored = stored_lines(house, &node.board, study.chess960()).await;
                let stored = stored.and_then(|(depth, stored)| Some((depth, stored.lines.first()?.score)));
                *place.insert(stored)
            }
        };
        if let Some((depth, score)) = found {
            evaluations.push(Evaluation { node: name.to_owned(), score, depth });
        }
    }
    evaluations
}
