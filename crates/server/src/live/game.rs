// SPDX-License-Identifier: GPL-3.0-or-later
//! A game in use: actions of the human, and events stored before they are told.

use std::sync::{Arc, Mutex};

use engine::Options;
use rules::Random;
use tokio::sync::watch;

use super::{House, damaged, game_document, lock, rooms::Open, to_the_end, unknown, wall_clock};
use crate::{
    core::{
        Refused, check_name,
        game_event::{self, GameEvent},
        openings, pgn,
        play::Play,
        study::Study,
    },
    message::{Action, GameState, GameSummary, NewGame},
    store::{Entry, Summary},
};

/// What watchers are told; the state itself is asked for when it can be sent.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct GameChange {
    /// The version of the game.
    pub version: u32,
    /// Whether the game was removed.
    pub deleted: bool,
    /// Grows when the clock starts or stops.
    pub clock: u32,
}

/// A game in use.
pub struct GameRoom {
    name: String,
    created_ms: i64,
    pub(super) play: Mutex<Play>,
    /// Held from the decision to the disk and back.
    pub(super) writer: tokio::sync::Mutex<()>,
    pub(super) changes: watch::Sender<GameChange>,
    attendance: Mutex<Attendance>,
}

/// Who is there.
#[derive(Default)]
struct Attendance {
    watchers: usize,
    /// Whether a task moves for the engine.
    driven: bool,
}

impl House {
    /// Begins a game, or enters the one that has the name already.
    ///
    /// # Errors
    /// When something in the request does not fit, or the disk fails.
    pub async fn new_game(self: &Arc<Self>, new: NewGame) -> Result<Open<GameRoom>, Refused> {
        let begun = game_event::begin(&new, Options::ELO_RANGE, &mut Random::new(wall_clock() as u64))?;
        let house = Arc::clone(self);
        to_the_end(async move {
            let load = async {
                if let Some(room) = house.load_game(&new.game).await? {
                    return Ok(room);
                }
                let play = Play::replay([(&begun, None)])?;
                let created_ms = wall_clock();
                let summary = summary(&play, &new.game, created_ms, created_ms);
                let entries = vec![Entry { operation: None, body: encode(&begun) }];
                house.store.append(&game_document(&new.game), 0, entries, summary).await?;
                Ok(GameRoom::new(&new.game, created_ms, play))
            };
            house.games.enter(&new.game, load).await
        })
        .await
    }

    /// Enters a game.
    ///
    /// # Errors
    /// When there is no such game.
    pub async fn game(&self, name: &str) -> Result<Open<GameRoom>, Refused> {
        check_name(name, 6)?;
        let load = async { self.load_game(name).await?.ok_or_else(|| unknown("game", name)) };
        let room = self.games.enter(name, load).await?;
        room.check_there()?;
        Ok(room)
    }

    async fn load_game(&self, name: &str) -> Result<Option<GameRoom>, Refused> {
        let Some((created_ms, entries)) = self.store.load(&game_document(name)).await? else {
            return Ok(None);
        };
        let events: Vec<(GameEvent, Option<String>)> = entries
            .into_iter()
            .map(|entry| Ok((serde_json::from_str(&entry.body)?, entry.operation)))
            .collect::<Result<_, serde_json::Error>>()
            .map_err(|error| damaged(&error))?;
        let play = Play::replay(events.iter().map(|(event, operation)| (event, operation.as_deref())))?;
        Ok(Some(GameRoom::new(name, created_ms, play)))
    }

    /// Carries out an action of the human.
    ///
    /// # Errors
    /// When the rules do not allow it or the disk fails.
    pub async fn act(
        self: &Arc<Self>,
        room: &Open<GameRoom>,
        operation: String,
        action: Action,
    ) -> Result<(), Refused> {
        let (house, room) = (Arc::clone(self), room.clone());
        to_the_end(async move {
            let _writer = room.writer.lock().await;
            room.check_there()?;
            let events = lock(&room.play).decide(&operation, &action, house.now())?;
            house.metrics.actions.add(1);
            house.commit(&room, &events, Some(&operation)).await
        })
        .await
    }

    /// Removes a game.
    ///
    /// # Errors
    /// When the disk fails.
    pub async fn delete_game(self: &Arc<Self>, room: &Open<GameRoom>) -> Result<(), Refused> {
        let (house, room) = (Arc::clone(self), room.clone());
        to_the_end(async move {
            let _writer = room.writer.lock().await;
            house.store.delete(&game_document(&room.name)).await?;
            room.changes.send_modify(|change| change.deleted = true);
            Ok(())
        })
        .await
    }

    /// After a failed write: the database may have kept it all the same, if only its answer was lost.
    async fn reload_game(&self, room: &GameRoom) {
        let Ok(Some(stored)) = self.load_game(&room.name).await else { return };
        let mut stored = lock(&stored.play).clone();
        let watched = lock(&room.attendance).watchers > 0;
        let mut play = lock(&room.play);
        if stored.version() != play.version() {
            stored.watch(watched, self.now());
            *play = stored;
            let version = play.version();
            room.changes.send_modify(|change| change.version = version);
        }
    }

    /// Stores events, takes them into the game and tells everybody.
    pub(super) async fn commit(
        &self,
        room: &GameRoom,
        events: &[GameEvent],
        operation: Option<&str>,
    ) -> Result<(), Refused> {
        if events.is_empty() {
            return Ok(());
        }
        room.check_there()?;
        let mut after = lock(&room.play).clone();
        let version = after.version();
        for event in events {
            after.apply(event, operation, self.now())?;
        }
        let entry = |event| Entry { operation: operation.map(str::to_owned), body: encode(event) };
        let entries = events.iter().map(entry).collect();
        let summary = summary(&after, &room.name, room.created_ms, wall_clock());
        if let Err(error) = self.store.append(&game_document(&room.name), version, entries, summary).await {
            self.reload_game(room).await;
            return Err(error.into());
        }
        {
            let mut play = lock(&room.play);
            for event in events {
                play.apply(event, operation, self.now())?;
            }
        }
        let version = after.version();
        room.changes.send_modify(|change| change.version = version);
        Ok(())
    }
}

impl GameRoom {
    fn new(name: &str, created_ms: i64, play: Play) -> GameRoom {
        let change = GameChange { version: play.version(), ..GameChange::default() };
        GameRoom {
            name: name.to_owned(),
            created_ms,
            play: Mutex::new(play),
            writer: tokio::sync::Mutex::default(),
            changes: watch::Sender::new(change),
            attendance: Mutex::default(),
        }
    }

    /// The name of the game.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A game that was removed stays in memory as long as somebody looks at it.
    fn check_there(&self) -> Result<(), Refused> {
        if self.changes.borrow().deleted { Err(unknown("game", &self.name)) } else { Ok(()) }
    }

    /// The game as it is now.
    pub fn state(&self, house: &House) -> GameState {
        lock(&self.play).state(&self.name, self.created_ms, house.now())
    }

    /// The game as a study.
    pub fn as_study(&self) -> Study {
        pgn::study_of_game(&lock(&self.play), self.created_ms)
    }

    /// The game as PGN.
    pub fn pgn(&self) -> String {
        pgn::write_study(&self.as_study())
    }
}

/// Somebody watches a game: its clock runs and the engine thinks.
pub struct Watching {
    house: Arc<House>,
    /// The game.
    pub room: Open<GameRoom>,
    /// What happens to it.
    pub changes: watch::Receiver<GameChange>,
}

impl Watching {
    /// Begins to watch.
    pub fn new(house: &Arc<House>, room: Open<GameRoom>) -> Watching {
        let changes = room.changes.subscribe();
        let mut attendance = lock(&room.attendance);
        attendance.watchers += 1;
        if attendance.watchers == 1 {
            room.set_watched(true, house);
        }
        if !std::mem::replace(&mut attendance.driven, true) {
            tokio::spawn(Arc::clone(house).drive(room.clone()));
        }
        drop(attendance);
        Watching { house: Arc::clone(house), room, changes }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let mut attendance = lock(&self.room.attendance);
        attendance.watchers -= 1;
        if attendance.watchers == 0 {
            self.room.set_watched(false, &self.house);
        }
    }
}

impl GameRoom {
    /// Whether somebody watches; if not, the engine's task has to end.
    pub(super) fn is_attended(&self) -> bool {
        let mut attendance = lock(&self.attendance);
        attendance.driven = attendance.watchers > 0;
        attendance.driven
    }

    fn set_watched(&self, watched: bool, house: &House) {
        lock(&self.play).watch(watched, house.now());
        self.changes.send_modify(|change| change.clock += 1);
    }
}

fn encode(event: &GameEvent) -> String {
    serde_json::to_string(event).expect("events are plain data")
}

fn summary(play: &Play, name: &str, created_ms: i64, updated_ms: i64) -> Summary {
    let (start, moves) = play.line();
    let uci: Vec<&str> = moves.map(|played| played.uci.as_str()).collect();
    let opening = openings::of_line(start, uci.iter().copied());
    let result = play.result();
    let level = play.elo().map_or_else(|| "full strength".to_owned(), |elo| format!("elo {elo}"));
    let ended = result.map(|result| format!("{:?}", result.reason)).unwrap_or_default();
    let words = [
        name,
        &level,
        opening.as_ref().map_or("", |opening| &opening.eco),
        opening.as_ref().map_or("", |opening| &opening.name),
        pgn::result_of(result),
        &ended,
    ];
    let search = words.join(" ").to_lowercase();
    let body = GameSummary {
        game: name.to_owned(),
        human: play.human().into(),
        elo: play.elo(),
        clock: play.clock().map(|clock| clock.setting()),
        plies: uci.len() as u32,
        fen: crate::core::fen_of(play.game().board(), play.chess960()),
        last_move: uci.last().map(|&uci| uci.to_owned()),
        result,
        opening,
        created_ms: created_ms as f64,
        updated_ms: updated_ms as f64,
    };
    Summary { search, body: serde_json::to_string(&body).expect("plain data"), updated_ms }
}
