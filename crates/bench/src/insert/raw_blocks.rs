//! Two hundred rows like those of blocks, in one durable transaction, without the store.

use crate::engine::{Database, Engine, threads};
use crate::sample::Round;
use anyhow::{Context as _, Result};
use rusqlite::{Connection, params};
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio_postgres::{Client, NoTls, types::ToSql};

/// The number of operations in a batch.
pub(crate) const BATCH: usize = 200;

/// A table with the columns of blocks, but without their indexes and constraints.
const TABLE: &str = "CREATE TABLE raw_blocks (workspace_id TEXT NOT NULL, id TEXT NOT NULL, page_id TEXT NOT NULL, \
    parent_id TEXT NOT NULL, position TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, version BIGINT NOT NULL, \
    since BIGINT NOT NULL, created_by TEXT, updated_by TEXT, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, \
    PRIMARY KEY (workspace_id, id))";
const COLUMNS: usize = 13;
const BODY: &str = r#"["paragraph",{"marks":[],"text":"A line of an ordinary length, as people write them."},{}]"#;
const SOMEBODY: &str = "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX";
const NOW: i64 = 1_790_000_000_000;

/// Writes batches of rows, one after the other.
pub(crate) enum RawBlocks {
    Sqlite { connection: Box<Connection>, done: u64 },
    Postgres { client: Box<Client>, runtime: Runtime, done: u64 },
}

impl RawBlocks {
    /// Opens a separate connection to the database of the other contender.
    pub(crate) fn open(engine: &Engine, database: &Database) -> Result<Self> {
        if let Engine::Sqlite = engine {
            let file = database.url.strip_prefix("sqlite:").context("not a file")?;
            let folder = Path::new(file).parent().context("a file without a folder")?;
            // A file next to that of the server, because each has only one writer.
            let connection = Connection::open(folder.join("raw.db"))?;
            connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")?;
            connection.execute_batch(&format!("{TABLE} WITHOUT ROWID"))?;
            return Ok(Self::Sqlite { connection: Box::new(connection), done: 0 });
        }
        let runtime = threads()?;
        let client = runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&database.url, NoTls).await?;
            tokio::spawn(connection);
            client.batch_execute(TABLE).await?;
            Ok::<_, tokio_postgres::Error>(client)
        })?;
        Ok(Self::Postgres { client: Box::new(client), runtime, done: 0 })
    }

    pub(crate) fn round(&mut self, time: Duration) -> Result<Round> {
        let started = Instant::now();
        let mut latencies = Vec::new();
        while started.elapsed() < time {
            let begun = Instant::now();
            self.batch()?;
            latencies.push(begun.elapsed());
        }
        Ok(Round { elapsed: started.elapsed(), latencies })
    }

    fn batch(&mut self) -> Result<()> {
        match self {
            Self::Sqlite { connection, done } => {
                connection.execute_batch("BEGIN IMMEDIATE")?;
                let mut insert = connection.prepare(&format!("INSERT INTO raw_blocks VALUES ({})", places(1, "?")))?;
                for id in ids(done) {
                    insert.execute(params![
                        SOMEBODY,
                        id,
                        SOMEBODY,
                        SOMEBODY,
                        id,
                        "paragraph",
                        BODY,
                        1,
                        1,
                        SOMEBODY,
                        SOMEBODY,
                        NOW,
                        NOW
                    ])?;
                }
                drop(insert);
                Ok(connection.execute_batch("COMMIT")?)
            }
            Self::Postgres { client, runtime, done } => runtime.block_on(async {
                let rows = (0..BATCH).map(|row| format!("({})", places(1 + row * COLUMNS, "$"))).collect::<Vec<_>>();
                let sql = format!("INSERT INTO raw_blocks VALUES {}", rows.join(", "));
                let transaction = client.transaction().await?;
                let ids = ids(done);
                let (one, now) = (1_i64, NOW);
                let (somebody, kind, body) = (SOMEBODY, "paragraph", BODY);
                let values: Vec<&(dyn ToSql + Sync)> = ids
                    .iter()
                    .flat_map(|id| -> [&(dyn ToSql + Sync); COLUMNS] {
                        [
                            &somebody, id, &somebody, &somebody, id, &kind, &body, &one, &one, &somebody, &somebody,
                            &now, &now,
                        ]
                    })
                    .collect();
                transaction.execute(&sql, &values).await?;
                Ok(transaction.commit().await?)
            }),
        }
    }
}

fn places(from: usize, sign: &str) -> String {
    (from..from + COLUMNS).map(|number| format!("{sign}{number}")).collect::<Vec<_>>().join(", ")
}

fn ids(done: &mut u64) -> Vec<String> {
    let first = *done;
    *done += BATCH as u64;
    (first..*done).map(|number| format!("blk_{number:026}")).collect()
}
