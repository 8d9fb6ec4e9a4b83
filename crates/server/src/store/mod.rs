// SPDX-License-Identifier: GPL-3.0-or-later
//! What survives: games and studies as journals of events, and what searches found about positions.
//!
//! SQLite in a file, or PostgreSQL, by the same statements. All writing goes through one task that puts whatever waits
//! into one transaction ([`writer`]); whoever asked hears of it after the commit. SQLite keeps a write-ahead log with
//! `synchronous = FULL`: a commit is on the disk before it is acknowledged, so neither a killed process nor a power
//! failure loses one, as far as the disk keeps its own promises. With PostgreSQL the same is its `synchronous_commit`.

mod schema;
mod writer;

use std::{path::Path, time::Duration};

use sqlx::{
    AnyPool, Row,
    any::{AnyPoolOptions, install_default_drivers},
};
use thiserror::Error;
use tokio::sync::{mpsc, oneshot};

use self::writer::{Write, Writer};
use crate::message::{Document, DocumentKind};

/// Writes that may wait for the next transaction.
const QUEUE: usize = 1024;
const READERS: u32 = 4;

/// Why something could not be stored or read.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the message of each variant says what it and its fields mean")]
pub enum StoreError {
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    #[error("the database has form {found}, this program knows forms up to {known}")]
    Newer { found: i64, known: i64 },
    #[error("the database is being closed")]
    Closed,
}

/// One event of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The operation that led to it; none for what the server did by itself.
    pub operation: Option<String>,
    /// The event as JSON.
    pub body: String,
}

/// What lists show of a document; goes with every change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Words to be found by, in lower case.
    pub search: String,
    /// The summary as JSON.
    pub body: String,
    /// When the document last changed, in milliseconds since 1970.
    pub updated_ms: i64,
}

/// A document in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub id: String,
    /// When it was created, in milliseconds since 1970.
    pub created_ms: i64,
    /// When it last changed.
    pub updated_ms: i64,
    /// The summary as JSON.
    pub body: String,
}

/// What a search found about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The position: the first four fields of its FEN.
    pub position: String,
    /// The depth of the search.
    pub depth: u32,
    /// The lines as JSON.
    pub body: String,
}

/// The database.
#[derive(Clone)]
pub struct Store {
    pool: AnyPool,
    writes: mpsc::Sender<Write>,
}

impl Store {
    /// Opens or creates the SQLite file.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub async fn sqlite(file: &Path) -> Result<Store, StoreError> {
        Store::open(&format!("sqlite://{}?mode=rwc", escaped(file))).await
    }

    /// Opens a database by its address, `postgres://…` or `sqlite://…`.
    ///
    /// # Errors
    /// When it cannot be opened, or was made by a newer program.
    pub async fn open(url: &str) -> Result<Store, StoreError> {
        install_default_drivers();
        // A file needs no test before each use, and a connection that is there need not be opened.
        let pool = AnyPoolOptions::new()
            .min_connections(READERS + 1)
            .max_connections(READERS + 1)
            .test_before_acquire(!url.starts_with("sqlite"))
            .idle_timeout(None)
            .acquire_timeout(Duration::from_secs(10))
            .after_connect(|connection, _| Box::pin(schema::prepare(connection)))
            .connect(url)
            .await?;
        schema::create(&pool).await?;
        let (writes, waiting) = mpsc::channel(QUEUE);
        tokio::spawn(Writer::new(pool.clone(), waiting).run());
        Ok(Store { pool, writes })
    }

    /// Appends events to a document behind its first `version`; creates it if that is 0.
    ///
    /// # Errors
    /// When the database fails, or somebody else wrote another event in the place.
    pub async fn append(
        &self,
        document: &Document,
        version: u32,
        entries: Vec<Entry>,
        summary: Summary,
    ) -> Result<(), StoreError> {
        let document = document.clone();
        self.write(|done| Write::Append { document, version, entries, summary, done }).await
    }

    /// Removes a document with its events.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete(&self, document: &Document) -> Result<(), StoreError> {
        let document = document.clone();
        self.write(|done| Write::Delete { document, done }).await
    }

    /// Keeps what a search found, unless something deeper is known. Takes its time: it waits for others to share a
    /// transaction with.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn remember(&self, known: Known) -> Result<(), StoreError> {
        self.write(|done| Write::Remember { known, done }).await
    }

    /// When a document was created, and its events in order; nothing if there is no such document.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn load(&self, document: &Document) -> Result<Option<(i64, Vec<Entry>)>, StoreError> {
        let (kind, id) = (kind_text(document.kind), document.id.as_str());
        let created = sqlx::query("SELECT created_ms FROM documents WHERE kind = $1 AND id = $2")
            .bind(kind)
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        let Some(created) = created else { return Ok(None) };
        let rows =
            sqlx::query("SELECT operation, body FROM journal WHERE kind = $1 AND id = $2 ORDER BY version")
                .bind(kind)
                .bind(id)
                .fetch_all(&self.pool)
                .await?;
        let mut entries = Vec::with_capacity(rows.len());
        for row in rows {
            let operation: String = row.try_get(0)?;
            let operation = Some(operation).filter(|operation| !operation.is_empty());
            entries.push(Entry { operation, body: row.try_get(1)? });
        }
        Ok(Some((created.try_get(0)?, entries)))
    }

    /// Documents whose words contain `query`, newest change first, behind the given place of the list.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list(
        &self,
        kind: DocumentKind,
        query: &str,
        behind: Option<(i64, &str)>,
        most: u32,
    ) -> Result<Vec<Listed>, StoreError> {
        let (time, id) = behind.unwrap_or((i64::MAX, ""));
        let statement = "SELECT id, created_ms, updated_ms, summary FROM documents \
             WHERE kind = $1 AND search LIKE $2 ESCAPE '\\' AND (updated_ms < $3 OR (updated_ms = $3 AND id < $4)) \
             ORDER BY updated_ms DESC, id DESC LIMIT $5";
        let rows = sqlx::query(statement)
            .bind(kind_text(kind))
            .bind(pattern(query))
            .bind(time)
            .bind(id)
            .bind(i64::from(most))
            .fetch_all(&self.pool)
            .await?;
        let listed = |row: &sqlx::any::AnyRow| {
            Ok(Listed {
                id: row.try_get(0)?,
                created_ms: row.try_get(1)?,
                updated_ms: row.try_get(2)?,
                body: row.try_get(3)?,
            })
        };
        rows.iter().map(listed).collect()
    }

    /// What is known about a position.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn recall(&self, position: &str) -> Result<Option<Known>, StoreError> {
        let row = sqlx::query("SELECT depth, body FROM evaluations WHERE position = $1")
            .bind(position)
            .fetch_optional(&self.pool)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let depth: i64 = row.try_get(0)?;
        Ok(Some(Known { position: position.to_owned(), depth: depth as u32, body: row.try_get(1)? }))
    }

    /// Whether the database answers.
    pub async fn is_well(&self) -> bool {
        sqlx::query("SELECT 1").fetch_one(&self.pool).await.is_ok()
    }

    /// Waits until everything is written and closes the database.
    pub async fn close(self) {
        let _ = self.write(|done| Write::Close { done }).await;
        self.pool.close().await;
    }

    async fn write(
        &self,
        form: impl FnOnce(oneshot::Sender<Result<(), StoreError>>) -> Write,
    ) -> Result<(), StoreError> {
        let (done, answer) = oneshot::channel();
        self.writes.send(form(done)).await.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }
}

fn kind_text(kind: DocumentKind) -> &'static str {
    match kind {
        DocumentKind::Game => "game",
        DocumentKind::Study => "study",
    }
}

/// A pattern for `LIKE` that finds the words in their order; signs with a meaning lose it.
fn pattern(query: &str) -> String {
    let mut pattern = String::from("%");
    for word in query.to_lowercase().split_whitespace() {
        for letter in word.chars() {
            if matches!(letter, '%' | '_' | '\\') {
                pattern.push('\\');
            }
            pattern.push(letter);
        }
        pattern.push('%');
    }
    pattern
}

/// A path as an address may contain it.
fn escaped(path: &Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'-' | b'_' | b'~');
    let escape = |byte: u8| if plain(byte) { (byte as char).to_string() } else { format!("%{byte:02X}") };
    path.as_os_str().as_encoded_bytes().iter().map(|&byte| escape(byte)).collect()
}
