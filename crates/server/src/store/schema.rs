// SPDX-License-Identifier: GPL-3.0-or-later
//! The tables, in words that SQLite and PostgreSQL both understand.

use sqlx::{AnyConnection, AnyPool, Connection, Executor, Row};

use super::StoreError;

/// The form of the tables; a change of them is a higher number and a step from the number before.
const FORM: i64 = 1;

const TABLES: [&str; 5] = [
    "CREATE TABLE IF NOT EXISTS form (number BIGINT NOT NULL)",
    // `search` and `summary` follow from the journal; lists would be slow without them.
    "CREATE TABLE IF NOT EXISTS documents (
        kind TEXT NOT NULL, id TEXT NOT NULL, created_ms BIGINT NOT NULL, updated_ms BIGINT NOT NULL,
        search TEXT NOT NULL, summary TEXT NOT NULL, PRIMARY KEY (kind, id))",
    "CREATE INDEX IF NOT EXISTS documents_by_time ON documents (kind, updated_ms, id)",
    // An event's place is its key: two writers can never both append the same one.
    "CREATE TABLE IF NOT EXISTS journal (
        kind TEXT NOT NULL, id TEXT NOT NULL, version BIGINT NOT NULL, operation TEXT NOT NULL,
        body TEXT NOT NULL, PRIMARY KEY (kind, id, version))",
    "CREATE TABLE IF NOT EXISTS evaluations (
        position TEXT NOT NULL PRIMARY KEY, depth BIGINT NOT NULL, body TEXT NOT NULL)",
];

/// What every connection is told first.
pub(super) async fn prepare(connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    if connection.backend_name() == "SQLite" {
        connection.execute("PRAGMA journal_mode = WAL").await?;
        connection.execute("PRAGMA synchronous = FULL").await?;
        connection.execute("PRAGMA busy_timeout = 10000").await?;
    }
    connection.ping().await
}

/// Creates what is not there yet.
pub(super) async fn create(pool: &AnyPool) -> Result<(), StoreError> {
    let mut transaction = pool.begin().await?;
    for table in TABLES {
        transaction.execute(table).await?;
    }
    let row = sqlx::query("SELECT number FROM form").fetch_optional(&mut *transaction).await?;
    match row.map(|row| row.try_get(0)).transpose()? {
        None => {
            sqlx::query("INSERT INTO form (number) VALUES ($1)")
                .bind(FORM)
                .execute(&mut *transaction)
                .await?;
        }
        Some(found) if found > FORM => return Err(StoreError::Newer { found, known: FORM }),
        Some(_) => {}
    }
    Ok(transaction.commit().await?)
}
