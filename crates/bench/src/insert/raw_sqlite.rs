//! Plain rusqlite: one thread writes for all clients and commits when nobody waits.

use super::row::{EVENT_COLUMNS, Row, SESSION_COLUMNS};
use super::{CLIENTS, Contender, SerialNumbers, joined};
use crate::engine::{Database, side_by_side, threads};
use crate::sample::Round;
use anyhow::{Context as _, Result, anyhow};
use rusqlite::{Connection, Statement, params};
use std::path::Path;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

/// The size of Octavo's own groups.
const GROUP: usize = 64;

pub(crate) struct RawSqlite {
    requests: mpsc::Sender<Request>,
    /// Ends by itself when the last sender is dropped.
    _writer: JoinHandle<Result<()>>,
    runtime: Runtime,
    done: u64,
}

/// A row, and the channel that learns when it is durable.
struct Request {
    row: Row,
    durable: oneshot::Sender<()>,
}

impl RawSqlite {
    /// Opens a database in which the users are registered.
    pub(crate) fn open(database: &Database) -> Result<Self> {
        let file = database.url.strip_prefix("sqlite:").context("not a file")?;
        let connection = Connection::open(Path::new(file))?;
        connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")?;
        let (requests, queue) = mpsc::channel();
        let writer = std::thread::spawn(move || write(&connection, &queue));
        Ok(Self { requests, _writer: writer, runtime: threads()?, done: 0 })
    }
}

fn write(connection: &Connection, queue: &mpsc::Receiver<Request>) -> Result<()> {
    let placeholders = |count: usize| (1..=count).map(|index| format!("?{index}")).collect::<Vec<_>>().join(", ");
    let mut session =
        connection.prepare(&format!("INSERT INTO sessions ({SESSION_COLUMNS}) VALUES ({})", placeholders(15)))?;
    let mut event =
        connection.prepare(&format!("INSERT INTO events ({EVENT_COLUMNS}, sequence) VALUES ({})", placeholders(11)))?;
    let mut head = connection.prepare(
        "UPDATE event_heads SET last_sequence = last_sequence + 1 WHERE workspace_id = ?1 RETURNING last_sequence",
    )?;
    let mut group = Vec::with_capacity(GROUP);
    while let Ok(first) = queue.recv() {
        connection.execute_batch("BEGIN IMMEDIATE")?;
        let mut next = Some(first);
        while let Some(Request { row, durable }) = next {
            insert_session(&mut session, &row)?;
            let sequence = head.query_row([&row.log], |found| found.get(0))?;
            insert_event(&mut event, &row, sequence)?;
            group.push(durable);
            next = if group.len() < GROUP { queue.try_recv().ok() } else { None };
        }
        connection.execute_batch("COMMIT")?;
        for durable in group.drain(..) {
            let _ = durable.send(());
        }
    }
    Ok(())
}

fn insert_session(statement: &mut Statement<'_>, row: &Row) -> rusqlite::Result<usize> {
    let nothing = None::<String>;
    statement.execute(params![
        row.user,
        row.session,
        row.session_kind,
        row.workspace,
        row.user_agent,
        row.address,
        row.proofs,
        row.created_at,
        row.created_at,
        row.created_at,
        row.expires_at,
        row.absolute_end,
        nothing,
        nothing,
        row.expires_at,
    ])
}

fn insert_event(statement: &mut Statement<'_>, row: &Row, sequence: i64) -> rusqlite::Result<usize> {
    statement.execute(params![
        row.log,
        row.event,
        row.event_kind,
        row.occurred_at,
        row.actor_kind,
        row.actor,
        row.resource_kind,
        row.resource,
        None::<i64>,
        row.details,
        sequence,
    ])
}

impl Contender for RawSqlite {
    fn round(&mut self, time: Duration) -> Result<Round> {
        let started = Instant::now();
        let clients = (0..CLIENTS).map(|client| {
            let mut turns = SerialNumbers::of(client, self.done, started + time);
            let requests = self.requests.clone();
            async move {
                while let Some((serial, since)) = turns.next() {
                    let (durable, committed) = oneshot::channel();
                    requests
                        .send(Request { row: Row::of(serial), durable })
                        .map_err(|_| anyhow!("the writer ended"))?;
                    committed.await.map_err(|_| anyhow!("the writer failed"))?;
                    turns.done(since);
                }
                Ok(turns)
            }
        });
        let clients = self.runtime.block_on(side_by_side(clients))?;
        Ok(joined(started, clients, &mut self.done))
    }
}
