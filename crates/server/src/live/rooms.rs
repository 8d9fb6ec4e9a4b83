// SPDX-License-Identifier: GPL-3.0-or-later
//! A room for each document in use: loaded once however many ask, gone with its last user.

use std::{
    collections::HashMap,
    ops::Deref,
    sync::{Arc, Mutex, Weak},
};

use tokio::sync::OnceCell;

use super::lock;
use crate::core::Refused;

/// Rooms by the names of their documents.
pub struct Rooms<R> {
    rooms: Mutex<HashMap<String, Weak<OnceCell<R>>>>,
}

impl<R> Default for Rooms<R> {
    fn default() -> Rooms<R> {
        Rooms { rooms: Mutex::default() }
    }
}

/// A room in use.
pub struct Open<R>(Arc<OnceCell<R>>);

impl<R> Clone for Open<R> {
    fn clone(&self) -> Open<R> {
        Open(Arc::clone(&self.0))
    }
}

impl<R> Deref for Open<R> {
    type Target = R;

    fn deref(&self) -> &R {
        self.0.get().expect("a room is handed out after it was loaded")
    }
}

impl<R> Rooms<R> {
    /// The room of a document; `load` is awaited if nobody uses it yet.
    ///
    /// # Errors
    /// What `load` says.
    pub async fn enter(
        &self,
        name: &str,
        load: impl Future<Output = Result<R, Refused>>,
    ) -> Result<Open<R>, Refused> {
        let room = self.place(name);
        room.get_or_try_init(|| load).await?;
        Ok(Open(room))
    }

    /// How many documents are in use.
    pub fn count(&self) -> usize {
        lock(&self.rooms).values().filter(|room| room.strong_count() > 0).count()
    }

    fn place(&self, name: &str) -> Arc<OnceCell<R>> {
        let mut rooms = lock(&self.rooms);
        if let Some(room) = rooms.get(name).and_then(Weak::upgrade) {
            return room;
        }
        // Names of rooms that are gone are swept out when they would make the table grow.
        if rooms.len() == rooms.capacity() {
            rooms.retain(|_, room| room.strong_count() > 0);
        }
        let room = Arc::new(OnceCell::new());
        rooms.insert(name.to_owned(), Arc::downgrade(&room));
        room
    }
}
