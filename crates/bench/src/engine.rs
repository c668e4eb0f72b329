//! The two engines, and the databases of this run.

use anyhow::{Context as _, Result, anyhow};
use octavo_core_model::StoreError;
use std::cell::Cell;
use std::future::Future;
use std::path::Path;
use tokio::runtime::Runtime;
use tokio_postgres::{Client, Config, NoTls};

/// A kind of database to measure on.
#[derive(Debug)]
pub(crate) enum Engine {
    Sqlite,
    Postgres(Cluster),
}

/// A PostgreSQL server, and how many databases this run has created on it.
#[derive(Debug)]
pub(crate) struct Cluster {
    url: String,
    made: Cell<u32>,
}

/// A database that nobody else uses.
#[derive(Debug)]
pub(crate) struct Database {
    /// In the form of Octavo's settings.
    pub(crate) url: String,
    on_cluster: Option<(String, String)>,
}

impl Engine {
    pub(crate) fn postgres(url: &str) -> Self {
        Self::Postgres(Cluster { url: url.to_owned(), made: Cell::new(0) })
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres(_) => "PostgreSQL",
        }
    }

    /// Creates a database with Octavo's tables. A file is created where Octavo looks for it by default.
    pub(crate) fn database(&self, folder: &Path) -> Result<Database> {
        let database = match self {
            Self::Sqlite => {
                let file = folder.join("data").join("octavo.db");
                Database { url: format!("sqlite:{}", std::path::absolute(file)?.display()), on_cluster: None }
            }
            Self::Postgres(cluster) => cluster.database()?,
        };
        threads()?.block_on(octavo_storage::migrate(&database.url))?;
        Ok(database)
    }

    /// Version and durability, if a server decides about them.
    pub(crate) fn describe(&self) -> Result<Option<String>> {
        let Self::Postgres(cluster) = self else { return Ok(None) };
        let settings = ["server_version", "fsync", "synchronous_commit", "full_page_writes", "shared_buffers"];
        let settings = with_client(&cluster.url, async |client| {
            let mut shown = Vec::new();
            for setting in settings {
                let row = client.query_one(&format!("SHOW {setting}"), &[]).await?;
                shown.push(format!("{setting} {}", row.get::<_, String>(0)));
            }
            Ok(shown)
        })?;
        Ok(Some(format!("PostgreSQL: {}", settings.join(", "))))
    }
}

impl Cluster {
    fn database(&self) -> Result<Database> {
        self.made.set(self.made.get() + 1);
        let name = format!("octavo_bench_{}_{}", std::process::id(), self.made.get());
        execute(&self.url, &format!("CREATE DATABASE {name}"))?;
        Ok(Database { url: renamed(&self.url, &name)?, on_cluster: Some((self.url.clone(), name)) })
    }
}

impl Database {
    /// Makes a server collect the statistics that it would collect by itself within a minute, so that its plans do
    /// not change later.
    pub(crate) fn analyze(&self) -> Result<()> {
        if self.on_cluster.is_some() { execute(&self.url, "ANALYZE") } else { Ok(()) }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some((cluster, name)) = &self.on_cluster {
            let _ = execute(cluster, &format!("DROP DATABASE {name} WITH (FORCE)"));
        }
    }
}

/// The same address with another database.
fn renamed(url: &str, database: &str) -> Result<String> {
    let (server, parameters) = url.split_once('?').map_or((url, ""), |(server, rest)| (server, rest));
    let (scheme, rest) = server.split_once("://").context("no address of a database")?;
    let authority = rest.split('/').next().unwrap_or_default();
    let parameters = if parameters.is_empty() { String::new() } else { format!("?{parameters}") };
    Ok(format!("{scheme}://{authority}/{database}{parameters}"))
}

fn execute(url: &str, sql: &str) -> Result<()> {
    with_client(url, async |client| Ok(client.batch_execute(sql).await?))
}

fn with_client<T>(url: &str, work: impl AsyncFnOnce(&Client) -> Result<T>) -> Result<T> {
    threads()?.block_on(async {
        let client = connect(url).await?;
        work(&client).await
    })
}

/// A connection; its background task is spawned.
pub(crate) async fn connect(url: &str) -> Result<Client> {
    let (client, connection) = url.parse::<Config>()?.connect(NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

/// Like the runtime of Octavo's scopes: more threads than readers, so that none of them waits for a thread.
pub(crate) fn threads() -> Result<Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread().worker_threads(6).enable_all().build()?)
}

/// An error of the store, for the person at the terminal.
pub(crate) fn refused(error: StoreError) -> anyhow::Error {
    anyhow!("the store answers {error:?}")
}

/// Runs clients concurrently until all have ended.
pub(crate) async fn side_by_side<T: Send + 'static>(
    clients: impl IntoIterator<Item: Future<Output = Result<T>> + Send + 'static>,
) -> Result<Vec<T>> {
    let tasks = clients.into_iter().map(tokio::spawn).collect::<Vec<_>>();
    let mut results = Vec::with_capacity(tasks.len());
    for task in tasks {
        results.push(task.await??);
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn an_address_is_given_another_database() {
        for (url, expected) in [
            ("postgres://o@127.0.0.1:5/postgres", "postgres://o@127.0.0.1:5/x"),
            ("postgres://o:p@h", "postgres://o:p@h/x"),
            ("postgres://h/a?sslmode=disable", "postgres://h/x?sslmode=disable"),
        ] {
            assert_eq!(renamed(url, "x").unwrap(), expected);
        }
        assert!(renamed("nonsense", "x").is_err());
    }

    #[test]
    fn a_file_is_made_with_its_tables() {
        let folder = tempfile::tempdir().unwrap();
        let database = Engine::Sqlite.database(folder.path()).unwrap();
        let status = threads().unwrap().block_on(octavo_storage::migration_status(&database.url)).unwrap();
        assert!(status.pending.is_empty() && !status.applied.is_empty());
        assert!(folder.path().join("data/octavo.db").is_file());
    }
}
