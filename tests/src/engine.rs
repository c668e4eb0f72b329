//! The two engines, and the tests that run on each.

use crate::postgres;
use std::{env, fs::OpenOptions, io::Write, thread};

/// Names the file to which tests are written that were skipped because a service was missing.
const SKIPPED_FILE: &str = "OCTAVO_TEST_SKIPPED_FILE";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

impl Engine {
    /// Whether tests can run on it. A test that cannot reports that, or fails if the engine is required.
    pub fn is_there(self) -> bool {
        self == Self::Sqlite || is_there("postgres", postgres::VARIABLE)
    }
}

pub const REDIS_VARIABLE: &str = "OCTAVO_TEST_REDIS_URL";

/// Whether PostgreSQL and Redis are available, which several nodes need.
pub fn several_nodes_are_possible() -> bool {
    Engine::Postgres.is_there() && is_there("redis", REDIS_VARIABLE)
}

fn is_there(service: &str, variable: &str) -> bool {
    if env::var(variable).is_ok_and(|url| !url.is_empty()) {
        return true;
    }
    let required = env::var("OCTAVO_TEST_REQUIRE").unwrap_or_default();
    assert!(!required.split(',').any(|word| word == service), "{variable} is not set");
    let test = thread::current().name().unwrap_or("a test").to_owned();
    eprintln!("{test} did not run: {variable} is not set");
    if let Some(file) = env::var_os(SKIPPED_FILE) {
        let mut file = OpenOptions::new().append(true).create(true).open(file).unwrap();
        // One write, so that lines of several processes are not mixed.
        file.write_all(format!("{service} {test}\n").as_bytes()).unwrap();
    }
    false
}

/// Makes two tests of each scenario: `sqlite::name` and `postgres::name`.
#[macro_export]
macro_rules! both_engines {
    ($($scenario:ident),* $(,)?) => {
        mod sqlite {
            $(#[test]
            fn $scenario() {
                super::$scenario($crate::Engine::Sqlite);
            })*
        }
        mod postgres {
            $(#[test]
            fn $scenario() {
                if $crate::Engine::Postgres.is_there() {
                    super::$scenario($crate::Engine::Postgres);
                }
            })*
        }
    };
}

/// Makes one test of each scenario, on SQLite: for behaviour that does not depend on a database.
#[macro_export]
macro_rules! one_engine {
    ($($scenario:ident),* $(,)?) => {
        mod sqlite {
            $(#[test]
            fn $scenario() {
                super::$scenario($crate::Engine::Sqlite);
            })*
        }
    };
}

/// Whether to run the long versions of tests.
pub fn slow() -> bool {
    env::var_os("OCTAVO_TEST_SLOW").is_some_and(|value| !value.is_empty() && value != "0")
}
