//! A migrated database of a test's own, on either engine, that goes when the test ends.

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

/// How tests open a store: nothing has to survive the machine, and nobody waits long.
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

    /// Opens a store on it. Several may be open at once, as several nodes are.
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

    /// Asks the engine past the store: rows of texts, NULL as an empty one.
    pub async fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        match &self.place {
            Place::Sqlite(file) => file.rows(sql),
            Place::Postgres(database) => database.rows(sql).await,
        }
    }

    /// Runs statements past the store.
    pub async fn execute(&self, sql: &str) {
        match &self.place {
            Place::Sqlite(file) => file.execute(sql),
            Place::Postgres(database) => database.execute(sql).await,
        }
    }

    /// The one number that a query past the store answers.
    pub async fn number(&self, sql: &str) -> i64 {
        self.rows(sql).await[0][0].parse().expect("a number")
    }
}
