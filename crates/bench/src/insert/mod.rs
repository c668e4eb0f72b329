//! One durable row with its event, written by several concurrent clients: through Octavo's store and directly.

mod raw_blocks;
mod raw_postgres;
mod raw_records;
mod raw_sqlite;
mod row;
mod through_store;

use crate::sample::Round;
use anyhow::Result;
pub(crate) use raw_blocks::{BATCH, RawBlocks};
pub(crate) use raw_postgres::{RawPostgres, Wire};
pub(crate) use raw_records::RawRecords;
pub(crate) use raw_sqlite::RawSqlite;
use std::time::{Duration, Instant};
pub(crate) use through_store::ThroughStore;

pub(crate) const CLIENTS: u64 = 16;

/// Generates serial numbers for as long as a round lasts.
#[derive(Debug)]
struct SerialNumbers {
    next: u64,
    until: Instant,
    latencies: Vec<Duration>,
}

impl SerialNumbers {
    /// Clients count in steps, so that their numbers are unique.
    fn of(client: u64, done_before: u64, until: Instant) -> Self {
        Self { next: done_before + client, until, latencies: Vec::new() }
    }

    /// The serial number to write next; `None` at the end.
    fn next(&mut self) -> Option<(u64, Instant)> {
        let now = Instant::now();
        let serial = self.next;
        self.next += CLIENTS;
        (now < self.until).then_some((serial, now))
    }

    fn done(&mut self, since: Instant) {
        self.latencies.push(since.elapsed());
    }
}

/// The common part of all contenders: clients insert in turn until the time is over.
fn joined(started: Instant, clients: Vec<SerialNumbers>, done_before: &mut u64) -> Round {
    let furthest = clients.iter().map(|turns| turns.next).max().unwrap_or_default();
    *done_before = furthest.next_multiple_of(CLIENTS);
    Round::joined(started.elapsed(), clients.into_iter().map(|turns| turns.latencies))
}

/// A contender that can insert for a given time.
pub(crate) trait Contender {
    fn round(&mut self, time: Duration) -> Result<Round>;
}

#[cfg(test)]
mod tests;
