// SPDX-License-Identifier: GPL-3.0-or-later
//! The one task that writes: whatever waits becomes one transaction, and is acknowledged after its commit.
//!
//! A disk can confirm a few hundred commits a second; together, many moves share one.

use std::time::Duration;

use sqlx::{AnyConnection, AnyPool};
use tokio::{
    sync::{mpsc, oneshot},
    time::{Instant, timeout_at},
};

use super::{Entry, Known, StoreError, Summary, kind_text};
use crate::message::Document;

/// Most writes of one transaction.
const BATCH: usize = 256;
/// Longest that evaluations wait for something to share a transaction with.
const PATIENCE: Duration = Duration::from_millis(250);

type Done = oneshot::Sender<Result<(), StoreError>>;

/// Something to be written, and whom to tell.
pub(super) enum Write {
    Append { document: Document, version: u32, entries: Vec<Entry>, summary: Summary, done: Done },
    Delete { document: Document, done: Done },
    Remember { known: Known, done: Done },
    Close { done: Done },
}

impl Write {
    fn done(self) -> Done {
        match self {
            Write::Append { done, .. }
            | Write::Delete { done, .. }
            | Write::Remember { done, .. }
            | Write::Close { done } => done,
        }
    }
}

pub(super) struct Writer {
    pool: AnyPool,
    waiting: mpsc::Receiver<Write>,
}

impl Writer {
    pub(super) fn new(pool: AnyPool, waiting: mpsc::Receiver<Write>) -> Writer {
        Writer { pool, waiting }
    }

    pub(super) async fn run(mut self) {
        let mut batch = Vec::with_capacity(BATCH);
        while self.waiting.recv_many(&mut batch, BATCH).await > 0 {
            self.wait_for_company(&mut batch).await;
            let closing = batch.iter().any(|write| matches!(write, Write::Close { .. }));
            match self.commit(&batch).await {
                Ok(()) => batch.drain(..).for_each(|write| drop(write.done().send(Ok(())))),
                // Somebody's write spoils it for all: each gets a transaction of its own.
                Err(_) => {
                    for write in batch.drain(..) {
                        let result = self.commit(std::slice::from_ref(&write)).await;
                        let _ = write.done().send(result);
                    }
                }
            }
            if closing {
                return;
            }
        }
    }

    /// Nobody waits for evaluations: as long as there is nothing else, more of them are gathered.
    async fn wait_for_company(&mut self, batch: &mut Vec<Write>) {
        let end = Instant::now() + PATIENCE;
        let patient = |batch: &[Write]| batch.iter().all(|write| matches!(write, Write::Remember { .. }));
        while batch.len() < BATCH && patient(batch) {
            let room = BATCH - batch.len();
            match timeout_at(end, self.waiting.recv_many(batch, room)).await {
                Ok(more) if more > 0 => {}
                _ => return,
            }
        }
    }

    async fn commit(&self, batch: &[Write]) -> Result<(), StoreError> {
        let mut transaction = self.pool.begin().await?;
        for write in batch {
            match write {
                Write::Append { document, version, entries, summary, .. } => {
                    append(&mut transaction, document, *version, entries, summary).await?;
                }
                Write::Delete { document, .. } => delete(&mut transaction, document).await?,
                Write::Remember { known, .. } => remember(&mut transaction, known).await?,
                Write::Close { .. } => {}
            }
        }
        Ok(transaction.commit().await?)
    }
}

async fn append(
    connection: &mut AnyConnection,
    document: &Document,
    version: u32,
    entries: &[Entry],
    summary: &Summary,
) -> Result<(), StoreError> {
    let (kind, id) = (kind_text(document.kind), document.id.as_str());
    let statement = if version == 0 {
        "INSERT INTO documents (kind, id, created_ms, updated_ms, search, summary) VALUES ($1, $2, $3, $3, $4, $5)"
    } else {
        "UPDATE documents SET updated_ms = $3, search = $4, summary = $5 WHERE kind = $1 AND id = $2"
    };
    let written = sqlx::query(statement)
        .bind(kind)
        .bind(id)
        .bind(summary.updated_ms)
        .bind(summary.search.as_str())
        .bind(summary.body.as_str())
        .execute(&mut *connection)
        .await?;
    if written.rows_affected() != 1 {
        return Err(sqlx::Error::RowNotFound.into());
    }
    for (number, entry) in (i64::from(version) + 1..).zip(entries) {
        sqlx::query("INSERT INTO journal (kind, id, version, operation, body) VALUES ($1, $2, $3, $4, $5)")
            .bind(kind)
            .bind(id)
            .bind(number)
            .bind(entry.operation.as_deref().unwrap_or_default())
            .bind(entry.body.as_str())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn delete(connection: &mut AnyConnection, document: &Document) -> Result<(), StoreError> {
    for statement in [
        "DELETE FROM journal WHERE kind = $1 AND id = $2",
        "DELETE FROM documents WHERE kind = $1 AND id = $2",
    ] {
        sqlx::query(statement)
            .bind(kind_text(document.kind))
            .bind(document.id.as_str())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn remember(connection: &mut AnyConnection, known: &Known) -> Result<(), StoreError> {
    let statement = "INSERT INTO evaluations (position, depth, body) VALUES ($1, $2, $3) \
         ON CONFLICT (position) DO UPDATE SET depth = excluded.depth, body = excluded.body \
         WHERE excluded.depth >= evaluations.depth";
    sqlx::query(statement)
        .bind(known.position.as_str())
        .bind(i64::from(known.depth))
        .bind(known.body.as_str())
        .execute(&mut *connection)
        .await?;
    Ok(())
}
