// SPDX-License-Identifier: GPL-3.0-or-later
//! A study somebody has open: changes, stored before they are told.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use formats::pgn::Reader;
use tokio::sync::broadcast;

use super::{House, damaged, lock, rooms::Open, study_document, to_the_end, unknown, wall_clock};
use crate::{
    core::{
        Refused, check_name, fen_of, openings, pgn, start_board,
        study::{Study, StudyEvent},
    },
    message::{Answer, Change, Edited, NewStudy, Refusal, StudyState, StudySummary},
    store::{Entry, Summary},
};

/// Changes that a page may be behind before it is sent the whole study again.
const BACKLOG: usize = 64;

/// What happens to a study.
#[derive(Clone)]
pub enum StudyChange {
    /// It was changed.
    Edited(Arc<Edited>),
    /// It was removed.
    Deleted,
}

/// A study in use.
pub struct StudyRoom {
    name: String,
    created_ms: i64,
    study: Mutex<Study>,
    /// Held from the decision to the disk and back.
    writer: tokio::sync::Mutex<()>,
    deleted: AtomicBool,
    changes: broadcast::Sender<StudyChange>,
}

/// The study that a request asks for, before it has a name.
///
/// # Errors
/// When the position or the PGN is not acceptable, or there is no such game.
pub async fn new_study(house: &House, new: &NewStudy) -> Result<Study, Refused> {
    check_name(&new.study, 6)?;
    let mut study = match (&new.game, &new.pgn) {
        (Some(game), _) => house.game(game).await?.as_study(),
        (None, Some(text)) => pgn::read_study(&mut Reader::new(text.as_bytes()))?
            .ok_or_else(|| Refused::new(Refusal::Invalid, "the PGN holds no game"))?,
        (None, None) => {
            let date = pgn::date_text(wall_clock()).replace('.', "-");
            Study::new(date, start_board(new.fen.as_deref())?, new.chess960)
        }
    };
    if let Some(title) = &new.title {
        study.check(&Change::SetTitle { title: title.clone() })?;
        study.title.clone_from(title);
    }
    Ok(study)
}

impl House {
    /// Creates a study, or enters the one that has the name already.
    ///
    /// # Errors
    /// When the disk fails.
    pub async fn create_study(
        self: &Arc<Self>,
        name: &str,
        study: Study,
    ) -> Result<Open<StudyRoom>, Refused> {
        let (house, name) = (Arc::clone(self), name.to_owned());
        to_the_end(async move {
            let load = async {
                if let Some(room) = house.load_study(&name).await? {
                    return Ok(room);
                }
                let created_ms = wall_clock();
                let event = StudyEvent::Created { state: Box::new(study.state(&name, created_ms)) };
                let entries = vec![Entry { operation: None, body: encode(&event) }];
                let summary = summary(&study, &name, created_ms, created_ms);
                house.store.append(&study_document(&name), 0, entries, summary).await?;
                Ok(StudyRoom::new(&name, created_ms, study))
            };
            house.studies.enter(&name, load).await
        })
        .await
    }

    /// Enters a study.
    ///
    /// # Errors
    /// When there is no such study.
    pub async fn study(&self, name: &str) -> Result<Open<StudyRoom>, Refused> {
        check_name(name, 6)?;
        let load = async { self.load_study(name).await?.ok_or_else(|| unknown("study", name)) };
        let room = self.studies.enter(name, load).await?;
        room.check_there()?;
        Ok(room)
    }

    async fn load_study(&self, name: &str) -> Result<Option<StudyRoom>, Refused> {
        let Some((created_ms, entries)) = self.store.load(&study_document(name)).await? else {
            return Ok(None);
        };
        let events: Vec<(StudyEvent, Option<String>)> = entries
            .into_iter()
            .map(|entry| Ok((serde_json::from_str(&entry.body)?, entry.operation)))
            .collect::<Result<_, serde_json::Error>>()
            .map_err(|error| damaged(&error))?;
        let study = Study::replay(events.iter().map(|(event, operation)| (event, operation.as_deref())))?;
        Ok(Some(StudyRoom::new(name, created_ms, study)))
    }

    /// Changes a study; the answer says where an added move is.
    ///
    /// # Errors
    /// When the change does not fit or the disk fails.
    pub async fn edit(
        self: &Arc<Self>,
        room: &Open<StudyRoom>,
        operation: String,
        change: Change,
    ) -> Result<Answer, Refused> {
        check_name(&operation, 1)?;
        let (house, room) = (Arc::clone(self), room.clone());
        to_the_end(async move {
            let _writer = room.writer.lock().await;
            room.check_there()?;
            if lock(&room.study).knows(&operation) {
                return Ok(room.answer(&change));
            }
            let mut after = lock(&room.study).clone();
            let version = after.version();
            let node = after.apply(&operation, &change)?;
            let event = StudyEvent::Changed { change: change.clone() };
            let entries = vec![Entry { operation: Some(operation.clone()), body: encode(&event) }];
            let summary = summary(&after, &room.name, room.created_ms, wall_clock());
            if let Err(error) =
                house.store.append(&study_document(&room.name), version, entries, summary).await
            {
                // The database may have kept it all the same, if only its answer was lost.
                if let Ok(Some(stored)) = house.load_study(&room.name).await {
                    *lock(&room.study) = stored.study();
                }
                return Err(error.into());
            }
            house.metrics.edits.add(1);
            let edited = Edited {
                study: room.name.clone(),
                version: after.version(),
                operation,
                change: change.clone(),
                node: node.and_then(|node| after.node(&node)),
            };
            *lock(&room.study) = after;
            let _ = room.changes.send(StudyChange::Edited(Arc::new(edited)));
            Ok(room.answer(&change))
        })
        .await
    }

    /// Removes a study.
    ///
    /// # Errors
    /// When the disk fails.
    pub async fn delete_study(self: &Arc<Self>, room: &Open<StudyRoom>) -> Result<(), Refused> {
        let (house, room) = (Arc::clone(self), room.clone());
        to_the_end(async move {
            let _writer = room.writer.lock().await;
            house.store.delete(&study_document(&room.name)).await?;
            room.deleted.store(true, Ordering::Relaxed);
            let _ = room.changes.send(StudyChange::Deleted);
            Ok(())
        })
        .await
    }
}

impl StudyRoom {
    fn new(name: &str, created_ms: i64, study: Study) -> StudyRoom {
        StudyRoom {
            name: name.to_owned(),
            created_ms,
            study: Mutex::new(study),
            writer: tokio::sync::Mutex::default(),
            deleted: AtomicBool::new(false),
            changes: broadcast::Sender::new(BACKLOG),
        }
    }

    /// The name of the study.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A study that was removed stays in memory as long as somebody looks at it.
    fn check_there(&self) -> Result<(), Refused> {
        if self.deleted.load(Ordering::Relaxed) { Err(unknown("study", &self.name)) } else { Ok(()) }
    }

    /// The study as it is now, and what happens to it from then on.
    pub fn open(&self) -> (StudyState, broadcast::Receiver<StudyChange>) {
        let study = lock(&self.study);
        (study.state(&self.name, self.created_ms), self.changes.subscribe())
    }

    /// A copy of the study.
    pub fn study(&self) -> Study {
        lock(&self.study).clone()
    }

    /// Where an added move is, or the version.
    fn answer(&self, change: &Change) -> Answer {
        let study = lock(&self.study);
        match change {
            Change::AddMove { node, .. } => {
                let found = study.node(node).map_or_else(|| node.clone(), |found| found.id);
                Answer::Node { node: found, version: study.version() }
            }
            _ => Answer::Version { version: study.version() },
        }
    }
}

fn encode(event: &StudyEvent) -> String {
    serde_json::to_string(event).expect("events are plain data")
}

fn summary(study: &Study, name: &str, created_ms: i64, updated_ms: i64) -> Summary {
    let line = study.main_line();
    let boards = std::iter::once(study.root()).chain(line.iter().map(|(_, node)| *node));
    let opening = boards.rev().find_map(|node| openings::of_board(&node.board));
    let end = line.last().map_or(study.root(), |(_, node)| node);
    let mut words = vec![name, study.title.as_str()];
    words.extend(opening.iter().flat_map(|opening| [opening.eco.as_str(), opening.name.as_str()]));
    words.extend(study.headers.iter().map(|header| header.value.as_str()));
    let search = words.join(" ").to_lowercase();
    let body = StudySummary {
        study: name.to_owned(),
        title: study.title.clone(),
        moves: study.count_moves() as u32,
        fen: fen_of(&end.board, study.chess960()),
        opening,
        created_ms: created_ms as f64,
        updated_ms: updated_ms as f64,
    };
    Summary { search, body: serde_json::to_string(&body).expect("plain data"), updated_ms }
}
