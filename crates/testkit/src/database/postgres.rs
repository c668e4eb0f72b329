//! PostgreSQL: a migrated template database is cloned for each test, on the server in `OCTAVO_TEST_POSTGRES_URL`.

use super::{Database, Place, template};
use std::{
    env,
    fs::OpenOptions,
    io::Write,
    process,
    sync::atomic::{AtomicU32, Ordering},
    thread,
};
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

const SERVER: &str = "OCTAVO_TEST_POSTGRES_URL";
/// The age after which databases of crashed runs are removed.
const STALE_SECONDS: u64 = 6 * 3600;
/// The lock for finding or creating the template.
const LOCK: &str = "SELECT pg_advisory_lock(74, 1)";
const UNLOCK: &str = "SELECT pg_advisory_unlock(74, 1)";

#[derive(Debug)]
pub(super) struct OwnDatabase {
    server: String,
    name: String,
}

/// A new migrated PostgreSQL database. `None` if there is no server: the test then reports that and returns, or fails
/// if the engine is required.
pub async fn fresh_postgres() -> Option<Database> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let server = server()?;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("octavo_test_{}_{}_{number}", template::unix_seconds(), process::id());
    let client = connect(&server).await;
    client.batch_execute(LOCK).await.expect("the template can be locked");
    let template = template_database(&server, &client).await;
    client.batch_execute(UNLOCK).await.expect("the template can be unlocked");
    client
        .batch_execute(&format!("CREATE DATABASE {name} TEMPLATE {template}"))
        .await
        .expect("the template can be cloned");
    let url = with_database(&server, &name);
    Some(Database { url, place: Place::Postgres(OwnDatabase { server, name }) })
}

fn server() -> Option<String> {
    if let Some(url) = env::var(SERVER).ok().filter(|url| !url.is_empty()) {
        return Some(url);
    }
    let required = env::var("OCTAVO_TEST_REQUIRE").unwrap_or_default();
    assert!(!required.split(',').any(|service| service == "postgres"), "{SERVER} is not set");
    let test = thread::current().name().unwrap_or("a test").to_owned();
    eprintln!("{test} did not run: {SERVER} is not set");
    if let Some(file) = env::var_os("OCTAVO_TEST_SKIPPED_FILE") {
        let mut file =
            OpenOptions::new().append(true).create(true).open(file).expect("the list of skipped tests opens");
        // One write, so that lines of several processes are not mixed.
        file.write_all(format!("postgres {test}\n").as_bytes()).expect("the list of skipped tests can be written");
    }
    None
}

/// The template gets its name when it is complete, so that a crashed run leaves nothing that looks like one.
async fn template_database(server: &str, client: &Client) -> String {
    let template = format!("octavo_template_{}_{}", template::unix_seconds(), template::build());
    let of_this_build = format!("octavo\\_template\\_%\\_{}", template::build());
    let known = client.query_opt("SELECT datname FROM pg_database WHERE datname LIKE $1", &[&of_this_build]).await;
    if let Some(known) = known.expect("the server lists its databases") {
        return known.get(0);
    }
    remove_stale(client).await;
    let draft = format!("octavo_test_{}_{}_template", template::unix_seconds(), process::id());
    client.batch_execute(&format!("CREATE DATABASE {draft}")).await.expect("a database can be made");
    octavo_storage::migrate(&with_database(server, &draft)).await.expect("the template can be migrated");
    // Its connection may take a moment to close.
    let sql = format!("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{draft}'");
    client.batch_execute(&sql).await.expect("the template can be left alone");
    client
        .batch_execute(&format!("ALTER DATABASE {draft} RENAME TO {template}"))
        .await
        .expect("the template can be named");
    template
}

/// Removes databases that are older than any run, by the time in their name.
async fn remove_stale(client: &Client) {
    let sql = "SELECT datname FROM pg_database WHERE datname LIKE 'octavo\\_test\\_%' OR datname LIKE 'octavo\\_template\\_%'";
    let oldest = template::unix_seconds() - STALE_SECONDS;
    for row in client.query(sql, &[]).await.expect("the server lists its databases") {
        let name: String = row.get(0);
        let made = name.split('_').nth(2).and_then(|seconds| seconds.parse::<u64>().ok());
        if made.is_some_and(|made| made < oldest) {
            // Another run may be doing the same.
            let _ = client.batch_execute(&format!("DROP DATABASE IF EXISTS {name}")).await;
        }
    }
}

/// The URL of another database on the same server.
fn with_database(server: &str, name: &str) -> String {
    let (address, parameters) = server.split_once('?').unwrap_or((server, ""));
    let authority = address.find("://").map_or(0, |at| at + 3);
    let end = address[authority..].find('/').map_or(address.len(), |at| authority + at);
    let url = format!("{}/{name}", &address[..end]);
    if parameters.is_empty() { url } else { format!("{url}?{parameters}") }
}

async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("PostgreSQL answers");
    tokio::spawn(connection);
    client
}

impl OwnDatabase {
    pub(super) async fn execute(&self, sql: &str) {
        let url = with_database(&self.server, &self.name);
        connect(&url).await.batch_execute(sql).await.unwrap_or_else(|fault| panic!("{sql}: {fault}"));
    }

    pub(super) async fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        let url = with_database(&self.server, &self.name);
        let messages = connect(&url).await.simple_query(sql).await.unwrap_or_else(|fault| panic!("{sql}: {fault}"));
        let rows = messages.into_iter().filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => {
                Some((0..row.len()).map(|index| row.get(index).unwrap_or_default().to_owned()).collect())
            }
            _ => None,
        });
        rows.collect()
    }
}

impl Drop for OwnDatabase {
    /// Runs on a separate thread, because the test's runtime may be gone and cannot be waited for here.
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), self.name.clone());
        let removal = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async move {
                let client = connect(&server).await;
                client.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await
            })
        });
        // A later run removes what is left.
        let _ = removal.join();
    }
}
