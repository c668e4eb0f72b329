//! How to open a store.

use crate::observers::{OnQuery, OnStatement};
use octavo_ports::store::LONGEST_WAIT;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Options {
    /// How many views can run at once on SQLite.
    pub readers: usize,
    /// How many connections to PostgreSQL a node keeps. Views share a quarter of them, but at most four; if there are
    /// fewer than four, one more is opened for views. The others are for units: an owner has a fifth of `pool_size`,
    /// but at least two. Units that take turns have half of them, and at most two of these units announced that they
    /// are long.
    pub pool_size: usize,
    /// How many units may wait for SQLite's writer before another one is refused.
    pub writer_queue: usize,
    /// How long a statement may run. On SQLite this applies to views; interrupting a write would undo other units of
    /// its group.
    pub query_timeout: Duration,
    /// How long to wait in all before a unit begins: for others of its owner, and for a connection or the writer. Also
    /// how long to wait for a lock of another process.
    pub wait_timeout: Duration,
    pub durability: Durability,
    /// Observes the times of statements.
    pub on_query: Option<OnQuery>,
    /// Observes the texts of statements.
    pub on_statement: Option<OnStatement>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            readers: 4,
            pool_size: 20,
            writer_queue: 1024,
            query_timeout: Duration::from_secs(5),
            wait_timeout: LONGEST_WAIT,
            durability: Durability::Full,
            on_query: None,
            on_statement: None,
        }
    }
}

/// What an acknowledged commit survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// A power failure.
    Full,
    /// The end of the process, but not a power failure. For tests, which have nothing to lose.
    Relaxed,
}
