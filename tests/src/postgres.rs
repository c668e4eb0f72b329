//! A separate PostgreSQL database for each test.

use std::{
    env, process,
    sync::atomic::{AtomicU32, Ordering},
};
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

pub const VARIABLE: &str = "OCTAVO_TEST_POSTGRES_URL";

/// The server on which databases can be created.
pub fn admin_url() -> Option<String> {
    env::var(VARIABLE).ok().filter(|url| !url.is_empty())
}

/// Exists for as long as this value.
#[derive(Debug)]
pub struct Database {
    admin: String,
    name: String,
}

impl Database {
    pub fn create() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("octavo_e2e_{}_{number}", process::id());
        let admin = admin_url().expect("the engine was asked for before its database");
        run(&admin, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
        run(&admin, &format!("CREATE DATABASE {name}"));
        Self { admin, name }
    }

    pub fn url(&self) -> String {
        let (server, parameters) = match self.admin.split_once('?') {
            Some((server, parameters)) => (server, format!("?{parameters}")),
            None => (self.admin.as_str(), String::new()),
        };
        let authority = server.find("://").map_or(0, |at| at + 3);
        let end = server[authority..].find('/').map_or(server.len(), |at| authority + at);
        format!("{}/{}{parameters}", &server[..end], self.name)
    }

    /// Host and port of the server, for a test that puts a proxy in between.
    pub fn address(&self) -> String {
        let url = self.url();
        let rest = url.split("://").nth(1).unwrap();
        let authority = rest.split('/').next().unwrap();
        let host = authority.rsplit('@').next().unwrap();
        if host.contains(':') { host.to_owned() } else { format!("{host}:5432") }
    }

    /// All values of all tables as text.
    pub fn contents(&self) -> String {
        let url = self.url();
        let tables = rows(
            &url,
            "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
        );
        let all = tables.iter().flat_map(|table| rows(&url, &format!("SELECT t::text FROM {table} t")));
        all.collect::<Vec<_>>().join("\n")
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        run(&self.admin, &format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name));
    }
}

fn run(url: &str, statement: &str) {
    rows(url, statement);
}

/// The first column of what a statement returns.
fn rows(url: &str, statement: &str) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let messages = runtime.block_on(async {
        let client = connect(url).await;
        client.simple_query(statement).await.unwrap_or_else(|fault| panic!("{statement}: {fault}"))
    });
    let rows = messages.into_iter().filter_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row.get(0).unwrap_or_default().to_owned()),
        _ => None,
    });
    rows.collect()
}

async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("PostgreSQL answers");
    tokio::spawn(connection);
    client
}
