// SPDX-License-Identifier: GPL-3.0-or-later
//! Documents that somebody works with: loaded from the store when first wanted, forgotten when nobody is left.
//!
//! A document has one writer at a time: decide, store, apply, tell. What is told is on the disk.

mod analysis;
mod engine_side;
mod game;
mod report;
mod rooms;
mod study;

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Instant, SystemTime, UNIX_EPOCH},
};

pub use self::{
    analysis::{AnalysisRequest, Outlet, analyse, prepare, stored_lines},
    engine_side::hint,
    game::{GameChange, GameRoom, Watching},
    report::{ReportRequest, make_report, prepare_report},
    rooms::{Open, Rooms},
    study::{StudyChange, StudyRoom, new_study},
};
use crate::{
    core::{Millis, Refused},
    limits::Limits,
    message::{Document, DocumentKind, Refusal},
    metrics::Metrics,
    nets::Nets,
    search::Slots,
    store::{Store, StoreError},
};

/// Everything that the parts of a running server share.
pub struct House {
    /// The limits.
    pub limits: Limits,
    /// The database.
    pub store: Store,
    /// The search slots.
    pub slots: Slots,
    /// The networks at hand.
    pub nets: Nets,
    /// Counters.
    pub metrics: Metrics,
    /// Games in use.
    pub games: Rooms<GameRoom>,
    /// Studies in use.
    pub studies: Rooms<StudyRoom>,
    /// Permits for work that takes a core for a while outside the slots.
    pub heavy: tokio::sync::Semaphore,
    /// A folder with the app, instead of the one in the program.
    pub web: Option<std::path::PathBuf>,
    /// Becomes true when the server shuts down.
    pub closing: tokio::sync::watch::Sender<bool>,
    began: Instant,
}

impl House {
    /// A house with its doors open.
    pub fn new(limits: Limits, store: Store, slots: Slots, nets: Nets) -> House {
        House {
            limits,
            store,
            slots,
            nets,
            metrics: Metrics::default(),
            games: Rooms::default(),
            studies: Rooms::default(),
            heavy: tokio::sync::Semaphore::new(1),
            web: None,
            closing: tokio::sync::watch::Sender::new(false),
            began: Instant::now(),
        }
    }

    /// The time by which clocks run.
    pub fn now(&self) -> Millis {
        self.began.elapsed().as_millis() as Millis
    }

    /// The instant of a time.
    pub fn instant(&self, at: Millis) -> Instant {
        self.began + std::time::Duration::from_millis(at)
    }
}

/// Milliseconds since 1970, for people.
pub fn wall_clock() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64)
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Refused {
        Refused::new(Refusal::Unavailable, format!("nothing was changed: {error}"))
    }
}

/// A lock that outlives a panic: whoever held it changed its content as a whole or not at all.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn game_document(id: &str) -> Document {
    Document { kind: DocumentKind::Game, id: id.to_owned() }
}

fn study_document(id: &str) -> Document {
    Document { kind: DocumentKind::Study, id: id.to_owned() }
}

fn unknown(what: &str, id: &str) -> Refused {
    let shown: String = id.chars().take(60).collect();
    Refused::new(Refusal::Unknown, format!("there is no {what} '{shown}'"))
}

fn damaged(error: &serde_json::Error) -> Refused {
    Refused::new(Refusal::Unavailable, format!("a stored event cannot be read: {error}"))
}

/// Runs what must not be left half done, even if whoever asked for it goes away.
async fn to_the_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, Refused>> + Send + 'static,
) -> Result<T, Refused> {
    let ended = tokio::spawn(work).await;
    ended.unwrap_or_else(|_| Err(Refused::new(Refusal::Unavailable, "the server failed; please report this")))
}
