//! A separate migrated database for each test, on either engine, which is removed when the test ends.

mod postgres;
mod sqlite;
mod template;

use crate::one_owner::Owners;
use octavo_ports::store::Store;
use octavo_storage::{Durability, OnStatement, Options};
use std::sync::Arc;

pub use postgres::fresh_postgres;
pub use sqlite::fresh_sqlite;

#[derive(Debug)]
pub struct Database {
    url: String,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Sqlite(sqlite::File),
    Postgres(postgres::OwnDatabase),
}

/// The options of stores in tests: data need not survive the machine, and timeouts are short.
pub fn options() -> Options {
    Options { durability: Durability::Relaxed, ..Options::default() }
}

impl Database {
    pub fn url(&self) -> &str {
        &self.url
    }

    pub const fn is_postgres(&self) -> bool {
        matches!(self.place, Place::Postgres(_))
    }

    /// Opens a store on it. Several can be open at the same time, like those of several nodes.
    pub async fn store(&self) -> Arc<dyn Store> {
        self.store_with(options()).await
    }

    pub async fn store_with(&self, mut options: Options) -> Arc<dyn Store> {
        if self.is_postgres() {
            let owners = octavo_storage::owner_columns(&self.url).await.expect("the tables of this test are read");
            let owners = Owners::new(owners);
            options.on_statement = Some(OnStatement::new(move |statement| {
                owners.check(statement).unwrap_or_else(|fault| panic!("{fault}"));
            }));
        }
        octavo_storage::open(&self.url, &options).await.expect("the database of this test opens")
    }

    /// Queries the engine without the store: rows of texts, with NULL as an empty text.
    pub async fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        match &self.place {
            Place::Sqlite(file) => file.rows(sql),
            Place::Postgres(database) => database.rows(sql).await,
        }
    }

    /// Runs statements without the store.
    pub async fn execute(&self, sql: &str) {
        match &self.place {
            Place::Sqlite(file) => file.execute(sql),
            Place::Postgres(database) => database.execute(sql).await,
        }
    }

    /// The single number that a query without the store returns.
    pub async fn number(&self, sql: &str) -> i64 {
        self.rows(sql).await[0][0].parse().expect("a number")
    }
}
